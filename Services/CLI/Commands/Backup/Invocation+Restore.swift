import Client
import Glibc
import Messages

extension Invocation {
    /// Puts stores back from a backup, and prints which.
    ///
    /// - Parameters:
    ///   - path: a folder, a tar archive, or `-` for one at standard input.
    ///   - services: only theirs; none for all of the backup.
    ///   - withKeys: whether the backup's keys are put back as well.
    ///   - yes: whether nothing is asked.
    /// - Throws: ``CLIError``. Up to the question nothing is changed; what is cut off behind it is finished by running it
    ///   again, and `daybook up` refuses before.
    func restore(_ path: String, _ services: [ServiceName], withKeys: Bool, yes: Bool) throws(CLIError) {
        let source = try Self.source(path)
        let home = configuration.home
        try File.makeFolder(home)
        let wanted = services.isEmpty ? ServiceName.all : services
        let stopped = try StoppedServices(wanted, configuration)
        let command = (["daybook restore", path] + services.map(\.rawValue)).joined(separator: " ")
        // All stores together take the place of whatever there is.
        if let other = try Startup.unfinishedCommand(home: home), other != command, !services.isEmpty {
            throw Startup.cutOff(other, home: home)
        }
        let suffix = StoreReplacement.suffix(of: "restore", home: home)
        let places = wanted.map { StoreReplacement($0, home: home, keeping: suffix) }
        // Standard input is the backup: nobody can be asked there.
        if path == "-", places.contains(where: \.replaces) {
            try Confirmation.ask("Put back the books from standard input?", yes: yes)
        }
        let stores: [BackupManifest.Store]
        let keys: [(path: String, bytes: [UInt8])]
        do throws(CLIError) {
            let fetched = try FetchedBackup(source, places, withKeys: withKeys)
            let manifest: BackupManifest
            (manifest, stores) = try fetched.check(services)
            keys = withKeys ? try fetched.newKeys(of: manifest, for: KeyFolder(path: configuration.keys)) : []
            let replaced = places.filter { place in place.replaces && stores.contains { $0.service == place.service } }
            if !replaced.isEmpty {
                let names = replaced.map(\.service.rawValue).joined(separator: ", ")
                try Confirmation.ask(
                    "Put back the books of \(BackupFolder.name(of: manifest.time)) (\(names))? What is there now is kept "
                        + "beside them as <store>\(suffix).",
                    yes: yes
                )
            }
        } catch {
            for place in places { unlink(place.new) }
            throw error
        }
        try DurableFile.write(command, to: Startup.unfinishedRestore(home: home))
        for place in places where stores.contains(where: { $0.service == place.service }) { try place.putInPlace() }
        for key in keys {
            if let slash = key.path.lastIndex(of: "/") { try File.makeFolder(String(key.path[..<slash])) }
            try DurableFile.create(key.bytes, at: key.path)
        }
        try DurableFile.remove(Startup.unfinishedRestore(home: home))
        _ = consume stopped
        try presentation.list(stores, of: .storeCopy)
        if stores.count < ServiceName.all.count { try tellToVerify() }
    }

    /// Says what to do where some stores were put back, and the others know what isn't in them.
    func tellToVerify() throws(CLIError) {
        guard presentation.format == .table, !presentation.isQuiet else { return }
        try output.flush()
        StandardError.write(
            "The other services may refer to what is no longer there: when all are up, 'daybook verify' names it.\n"
        )
    }

    private static func source(_ path: String) throws(CLIError) -> any BackupSource {
        if path != "-", File.isFolder(path) { return try FolderSource(BackupFolder(path)) }
        guard path == "-" || File.exists(path) else {
            throw .failure("There is no folder and no file \(quoted(path)).")
        }
        return try TarSource(path)
    }
}
