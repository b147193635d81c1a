import CBOR
import Client
import Messages
import Support

@testable import CLI

extension FuzzTarget {
    /// What the command keeps in files and finds in archives and backups: hooks, the queue, manifests, the configuration. They
    /// are refused, or read and written as the same; what is counted on from them has room.
    static let files = FuzzTarget(
        name: "files",
        seeds: [
            #"{"command":["./say","a"],"sources":["orders"],"types":["order.created"],"timeout":60000,"subject":"018e95c2-4f00-7000-8000-000000000001","positions":{"orders":{"sequence":"120","epoch":"018e95c2-4f00-7000-8000-000000000002","chain":"7","done":"121","time":"2024-03-31T18:05:09.123456Z","attempts":2}}}"#,
            #"{"id":"018e95c2-4f00-7000-8000-000000000002:120","type":"order.created","position":"orders:120","attempts":3,"reason":"exited with 1","time":"2024-03-31T18:05:09Z","event":"{}"}"#,
            #"{"format":1,"version":"0.1.0","time":"2024-03-31T18:05:09Z","stores":[{"service":"orders","file":"orders.db","bytes":4096,"sha256":"00","position":{"epoch":"018e95c2-4f00-7000-8000-000000000002","sequence":9},"follows":{"catalog":{"epoch":"018e95c2-4f00-7000-8000-000000000003","sequence":3}}}],"keys":[{"file":"keys/anna.key","sha256":"00"}]}"#,
            #"{"format":"daybook-archive","version":1,"program":"0.1.0","made":"2024-03-31T18:05:09Z","services":[{"service":"orders","epoch":"018e95c2-4f00-7000-8000-000000000002","sequence":9,"reactions":[{"source":"catalog","epoch":"018e95c2-4f00-7000-8000-000000000003","sequence":3}],"members":[{"path":"orders/order.cbor","part":"order","rows":2,"bytes":90,"sha256":"00"},{"path":"orders/event.cbor","part":"event","rows":9,"bytes":900,"sha256":"01"}]}]}"#,
            #"{"home":"~/books","currency":"USD","timeout":5,"format":"json","keepEvents":"90d","taxRate":19,"dueDays":14,"orderNumbers":"yearly","business":{"name":"Bakery","address":["Mill Lane 3"]},"queue":true,"walks":{"service":"Walk","per":"hour","price":"15.00"},"listen":"*","host":"a.example","key":"anna","endpoints":{"catalog":"tcp://a.example:7401"}}"#,
        ].map { Array($0.utf8) } + [queued].compactMap(\.self)
    ) {
        let home = try ScratchFolder()
        return { (bytes) throws(Finding) in
            try readHook(bytes)
            try readManifests(bytes)
            try readConfiguration(bytes)
            try readQueue(bytes, home.path)
        }
    }

    private static func readHook(_ bytes: [UInt8]) throws(Finding) {
        if let state = try? HookState(json: bytes, file: "state.json") {
            let again = try? HookState(json: Array(state.json.utf8), file: "state.json")
            try require(again == state, "the hook \(state) is read back as \(again.debugDescription)")
            let heads = state.places.mapValues { EventPosition(epoch: $0.position.epoch, sequence: .max) }
            let hook = HookSummary(name: "hook", state: state, heads: heads, failures: 0, process: nil)
            try require((hook.lag ?? 0) >= 0, "a hook is ahead by \(hook.lag ?? 0)")
        }
        if var failure = try? HookFailure(json: bytes, file: "failed.json") {
            let again = try? HookFailure(json: Array(failure.json.utf8), file: "failed.json")
            try require(again == failure, "\(failure) is read back as \(again.debugDescription)")
            failure.attempts += 1
        }
    }

    private static func readManifests(_ bytes: [UInt8]) throws(Finding) {
        if let manifest = try? BackupManifest(json: bytes, file: "manifest.json") {
            let again = try? BackupManifest(json: Array(manifest.json.utf8), file: "manifest.json")
            try require(again?.json == manifest.json, "\(manifest.json) is read back as another manifest")
        }
        if let manifest = try? ArchiveManifest(bytes, of: "archive") {
            try require(!manifest.contents.isEmpty, "nothing is said of \(manifest)")
            let again = try? ArchiveManifest(Array(manifest.text.utf8), of: "archive")
            try require(again?.text == manifest.text, "\(manifest.text) is read back as another manifest")
        }
    }

    private static func readConfiguration(_ bytes: [UInt8]) throws(Finding) {
        do throws(CLIError) {
            _ = try Configuration.load(
                flags: ConfigurationFlags(),
                environment: [:],
                directory: "/",
                contents: { _ in bytes },
                isFolder: { _ in false }
            )
        } catch {
            try require(!error.description.isEmpty, "nothing is said of a configuration")
        }
    }

    /// As the one command of a queue, behind which another is put.
    private static func readQueue(_ bytes: [UInt8], _ home: String) throws(Finding) {
        guard var new = try? CBORDecoder(profile: .wire).decode(QueuedCommand.self, from: bytes) else { return }
        let queue = CommandQueue(home: home)
        new.key = .make()
        do {
            try CLI.File.makeFolder(queue.folder)
            try Support.File.write(bytes, to: "\(queue.folder)/0.cbor")
        } catch {
            throw Finding("the queue can't be written: \(error)")
        }
        guard let old = (try? queue.commands())?.first else { return }
        let added: QueuedCommand
        do throws(CLIError) {
            added = try queue.add(new)
            try queue.remove(added)
        } catch {
            throw Finding("nothing can be put behind number \(old.number): \(error)")
        }
        try require(added.number > old.number, "\(added.number) is behind \(old.number) in the queue")
    }

    private static let queued: [UInt8]? = {
        let id = Identifier(high: 0x018E_95C2_4F00_7000, low: 0x8000_0000_0000_0001)
        guard
            var command = try? QueuedCommand(
                Put(Customer(id: id, version: 0, name: "Ann")),
                to: .catalog,
                making: id,
                key: id,
                line: "customers add Ann"
            )
        else { return nil }
        command.number = 1
        command.time = Instant(microseconds: 1_711_900_800_000_000)
        return try? CBOREncoder().encode(command)
    }()
}
