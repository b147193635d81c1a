import CBOR
import Glibc
import Messages
import Store
import Support
import Testing

@testable import Service

struct StoreCopiesTests {
    let desk: Desk

    init() throws {
        desk = try Desk()
    }

    private var copies: StoreCopies { desk.engine.definition.copies }

    /// The files beside the store that belong to copies.
    private func files() -> [String] {
        guard let folder = opendir(desk.folder) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
            )
        }
        return names.filter { $0.contains(".copy-") }
    }

    private func bytes(of id: Identifier) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let chunk = try desk.send(ReadBackup(backup: id, offset: Int64(bytes.count))).bytes, !chunk.isEmpty {
            bytes += chunk
        }
        return bytes
    }

    /// An engine over a copy's bytes, as a service finds it after a restore by hand.
    private func engine(over bytes: [UInt8], isMarked: Bool = false) throws -> (Desk, Engine) {
        let other = try Desk()
        let path = "\(other.folder)/copy.db"
        try File.write(bytes, to: path)
        if isMarked { try File.write([], to: "\(path).restored") }
        return (other, try Engine(Notes.definition, storePath: path))
    }

    private func remove(_ desk: Desk) {
        for suffix in ["", "-wal", "-shm", ".lock"] { unlink("\(desk.folder)/copy.db\(suffix)") }
    }

    @Test func aCopyIsOfOneMomentAndOpensAsAStore() throws {
        for number in 0..<200 {
            _ = try desk.put(desk.note("before \(number)", lines: [.init(id: .make(), text: "x")]))
        }
        let id = Identifier.make()
        let copy = try desk.send(BeginBackup(backup: id))
        #expect(copy.position == Position(epoch: desk.engine.log.epoch, sequence: 200) && copy.follows.isEmpty)
        _ = try desk.put(desk.note("after"))
        let bytes = try bytes(of: id)
        #expect(bytes.count == Int(copy.bytes) && bytes.count > ReadBackup.chunkBytes / 4)
        let (other, engine) = try engine(over: bytes)
        defer { remove(other) }
        #expect(engine.log.sequence == 200 && engine.log.epoch == desk.engine.log.epoch)
        #expect(try engine.session.first("SELECT count(*) FROM notes") { $0.integer(0) } == 200)
        #expect(files() == [], "a copy has no name")
    }

    @Test func aMarkedCopyBeginsALogOfItsOwn() throws {
        _ = try desk.put(desk.note("one"))
        let id = Identifier.make()
        _ = try desk.send(BeginBackup(backup: id))
        let (other, engine) = try engine(over: try bytes(of: id), isMarked: true)
        defer { remove(other) }
        #expect(engine.log.sequence == 1 && engine.log.epoch != desk.engine.log.epoch)
    }

    @Test func whatGoesBeyondAnothersCopyIsLeftOut() throws {
        let epoch = Identifier.make()
        let event = try EncodedCBOR(
            encoding: Event(
                sequence: 1,
                previous: 0,
                transaction: 1,
                last: true,
                type: "paint.created",
                subject: .make(),
                time: .now(),
                version: 1,
                data: try EncodedCBOR(encoding: Paint(id: .make(), name: "red")),
                before: nil,
                principal: nil,
                cause: nil,
                traceparent: nil
            )
        )
        let cursor = Cursor(epoch: epoch, sequence: 1, chain: 0)
        _ = try desk.engine.apply([event], of: Paint.service, reaching: cursor).get()
        let source = Paint.service.rawValue
        for (limit, isKept) in [
            (Position(epoch: epoch, sequence: 1), true), (Position(epoch: epoch, sequence: 0), false),
            (Position(epoch: .make(), sequence: 9), false),
        ] {
            let id = Identifier.make()
            let copy = try desk.send(BeginBackup(backup: id, within: [source: limit]))
            #expect(copy.follows == (isKept ? [source: Position(epoch: epoch, sequence: 1)] : [:]))
            let (other, engine) = try engine(over: try bytes(of: id))
            defer { remove(other) }
            #expect(engine.cursors[Paint.service]?.sequence == (isKept ? 1 : nil))
            #expect(try engine.session.first("SELECT count(*) FROM paints") { $0.integer(0) } == (isKept ? 1 : 0))
            _ = try desk.send(EndBackup(backup: id))
        }
        // The store itself knows what it knew.
        #expect(try desk.count("SELECT count(*) FROM paints") == 1)
    }

    @Test func theSameIdIsTheSameCopy() throws {
        let id = Identifier.make()
        let first = try desk.send(BeginBackup(backup: id))
        _ = try desk.put(desk.note("meanwhile"))
        #expect(try desk.send(BeginBackup(backup: id)) == first && copies.count == 1)
        _ = try desk.send(EndBackup(backup: id))
        _ = try desk.send(EndBackup(backup: id))
        #expect(copies.count == 0)
        #expect(try desk.send(BeginBackup(backup: id)).position.sequence == 1)
    }

    @Test func tooManyAreRefusedAndTheForgottenAreDropped() throws {
        let ids = (0..<StoreCopies.most).map { _ in Identifier.make() }
        for id in ids { _ = try desk.send(BeginBackup(backup: id)) }
        let refusal = try desk.refusal(BeginBackup(backup: .make()))
        #expect(refusal.status == .unavailable && refusal.body.message.contains("4 copies"))
        copies.drop(idleSince: ServiceLoop.now - StoreCopies.kept)
        #expect(copies.count == StoreCopies.most)
        copies.drop(idleSince: ServiceLoop.now + 1)
        #expect(copies.count == 0)
        #expect(try desk.refusal(ReadBackup(backup: ids[0], offset: 0)).status == .notFound)
        #expect(try desk.refusal(ReadBackup(backup: ids[0], offset: -1)).status == .invalid)
    }

    @Test func aStopEndsWhatIsBeingMade() throws {
        copies.stop()
        #expect(try desk.refusal(BeginBackup(backup: .make())).status == .unavailable)
        let reader = try Store.reader(path: desk.engine.store.path)
        try reader.beginReading()
        for _ in 0..<2000 { _ = try desk.put(desk.note(String(repeating: "x", count: 180))) }
        try reader.rollback()
        try reader.beginReading()
        #expect(try reader.copy(named: "one", while: { false }) == nil)
        #expect(files() == [], "nothing is left of what was ended")
    }

    @Test func whatAKillLeftIsRemovedAtTheNextStart() throws {
        for name in ["desk.db.copy-1", "desk.db.copy-1-journal", "other.db.copy-1"] {
            try File.write([], to: "\(desk.folder)/\(name)")
        }
        try desk.reopen()
        #expect(files() == ["other.db.copy-1"])
        unlink("\(desk.folder)/other.db.copy-1")
    }
}
