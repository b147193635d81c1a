import Glibc
import Testing

@testable import Store

/// Stores and copies that are compared without being served.
struct StoreFileTests {
    private static let schema = Migration(
        """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE event (sequence INTEGER PRIMARY KEY, moment INTEGER, chain INTEGER, body BLOB) STRICT;
        CREATE TABLE floor (sequence INTEGER NOT NULL) STRICT;
        """
    )
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    /// - Parameter chains: of the events behind the floor.
    private func store(_ name: String, floor: Int64 = 0, _ chains: [Int64]) throws -> StoreFile {
        let path = "\(scratch.path)/\(name).db"
        do {
            let session = try Store(path: path, name: "shop", migrations: [Self.schema]).writer()
            for (index, chain) in chains.enumerated() {
                let sequence = floor + 1 + Int64(index)
                try session.execute(
                    "INSERT INTO event VALUES ($1, $2, $3, $4)",
                    .integer(sequence),
                    .integer(sequence * 1000),
                    .integer(chain),
                    .blob([UInt8(truncatingIfNeeded: sequence)])
                )
            }
            if floor > 0 { try session.execute("INSERT INTO floor VALUES ($1)", .integer(floor)) }
        }
        return try StoreFile(path, of: "shop", isAtRest: false)
    }

    @Test func findsTheLastEventThatBothHave() throws {
        let store = try store("store", Array(1...100))
        #expect(store.sequence == 100 && store.moment == 100_000 && store.floor == 0 && store.schema == 1)
        for length in [0, 1, 50, 99, 100] {
            #expect(
                try store.lastCommon(with: self.store("copy\(length)", Array(1...100).prefix(length).map { $0 }))
                    == length
            )
        }
        // From some event on there is another log.
        for common in [0, 1, 49, 99] {
            let other = try self.store("other\(common)", (1...100).map { $0 <= common ? Int64($0) : Int64(-$0) })
            #expect(try store.lastCommon(with: other) == common)
            #expect(try other.lastCommon(with: store) == common)
        }
        var bodies: [[UInt8]] = []
        try store.events(after: 98) { bodies.append($0) }
        #expect(bodies == [[99], [100]])
    }

    @Test func takesWhatIsNoLongerKeptForCommon() throws {
        let copy = try store("copy", Array(1...10))
        let trimmed = try store("trimmed", floor: 30, [31, 32])
        #expect(trimmed.floor == 30 && trimmed.sequence == 32)
        #expect(try trimmed.lastCommon(with: copy) == 10)
        let empty = try store("empty", floor: 30, [])
        #expect(empty.sequence == 30 && empty.moment == nil)
        #expect(try empty.lastCommon(with: copy) == 10)
    }

    @Test(
        arguments: [Int64.min, -1, .max],
        ["INSERT INTO event VALUES ($1, 0, 0, x'')", "INSERT INTO floor VALUES ($1)"]
    )
    func aLogWithNumbersThatNoneHasIsDamaged(number: Int64, sql: String) throws {
        let path = "\(scratch.path)/store.db"
        do { try Store(path: path, name: "shop", migrations: [Self.schema]).writer().execute(sql, .integer(number)) }
        let error = #expect(throws: StoreError.self) { try StoreFile(path, of: "shop", isAtRest: false) }
        guard case .corrupt? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func makesNoFileBesideWhatIsAtRest() throws {
        do { _ = try store("100% of #1?", [1, 2]) }
        let path = "\(scratch.path)/100% of #1?.db"
        for suffix in ["-wal", "-shm", ".lock"] { unlink(path + suffix) }
        let file = try StoreFile(path, of: "shop", isAtRest: true)
        try file.check()
        #expect(file.sequence == 2)
        let names = try Session.names(in: scratch.path).filter { !$0.hasPrefix(".") }
        #expect(names == ["100% of #1?.db"])
        #expect(throws: StoreError.self) { try StoreFile(path, of: "walks", isAtRest: true) }
    }
}
