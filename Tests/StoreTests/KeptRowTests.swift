import Messages
import Testing

@testable import Store

/// Rows that are kept to be read once.
struct KeptRowTests {
    private let scratch: Scratch
    private let session: Session
    private let id = Identifier(high: 0, low: 1)

    init() throws {
        scratch = try Scratch()
        session = try scratch.store().writer()
    }

    private func amount() throws(StoreError) -> Value? {
        try session.kept("item", id) { () throws(StoreError) in
            try session.first("SELECT amount FROM item WHERE id = $1", .id(id)) { [.integer($0.integer(0))] }
        }?.first
    }

    private func write(_ amount: Int64) throws(StoreError) {
        try session.execute(
            "INSERT INTO item (id, amount) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET amount = excluded.amount",
            .id(id),
            .integer(amount)
        )
        session.forget("item")
    }

    @Test func aRowIsReadOnce() throws {
        #expect(try amount() == nil)
        try write(1)
        let before = session.statementsRun
        for _ in 0..<3 { #expect(try amount() == .integer(1)) }
        #expect(session.statementsRun == before + 1)
    }

    @Test func whatIsUndoneIsReadAnew() throws {
        try write(1)
        try session.begin()
        try write(2)
        #expect(try amount() == .integer(2))
        try session.rollback()
        #expect(try amount() == .integer(1))
        try session.begin()
        let seen = try session.savepoint(
            isTrial: true,
            { () throws(StoreError) in
                try write(3)
                return try amount()
            },
            failure: { $0 }
        )
        #expect(try seen == .integer(3) && amount() == .integer(1))
        try session.commit()
    }

    @Test func readersSeeWhatTheirTransactionSees() throws {
        try write(1)
        let reader = try Store.reader(path: session.path)
        func seen() throws -> Int64? {
            try reader.beginReading()
            defer { try? reader.rollback() }
            let row = try reader.kept("item", id) { () throws(StoreError) in
                try reader.first("SELECT amount FROM item WHERE id = $1", .id(id)) { [.integer($0.integer(0))] }
            }
            guard case .integer(let amount)? = row?.first else { return nil }
            return amount
        }
        #expect(try seen() == 1)
        try write(2)
        #expect(try seen() == 2)
    }
}
