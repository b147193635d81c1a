import Messages
import Testing

@testable import Store

/// Statements that run once, before the commit.
struct DeferredTests {
    private let scratch: Scratch
    private let store: Store
    private let session: Session

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        session = try store.writer()
        try session.executeScript("CREATE TABLE told (number INTEGER NOT NULL)")
    }

    private func tell(_ number: Int64, as key: UInt64) throws(StoreError) {
        try session.beforeCommit(once: Self.key(key), last: nil) { [Self.statement(number)] }
    }

    private static func key(_ number: UInt64) -> DeferralKey {
        DeferralKey(table: "told", id: Identifier(high: 0, low: number))
    }

    private static func statement(_ number: Int64) -> DeferredStatement {
        DeferredStatement("INSERT INTO told (number) VALUES ($1)", .integer(number))
    }

    private func told() throws -> [Int64] {
        var numbers: [Int64] = []
        try session.query("SELECT number FROM told ORDER BY rowid") { numbers.append($0.integer(0)) }
        return numbers
    }

    private struct Refusal: Error {}

    /// Runs the closure in a savepoint that is undone.
    private func undone(_ body: () throws -> Void) {
        #expect(throws: Refusal.self) {
            try session.savepoint(
                { () throws(any Error) in
                    try body()
                    throw Refusal()
                },
                failure: { $0 }
            )
        }
    }

    @Test func theFirstOfAKeyRunsBeforeTheCommit() throws {
        try session.begin()
        try tell(1, as: 1)
        try tell(2, as: 1)
        try tell(3, as: 2)
        #expect(try told() == [])
        try session.commit()
        #expect(try told() == [1, 3])
    }

    @Test func theLastOfAKeyIsThatOfTheLastCall() throws {
        func tell(_ first: Int64, last: Int64?, as key: UInt64) throws(StoreError) {
            try session.beforeCommit(once: Self.key(key), last: last.map(Self.statement)) { [Self.statement(first)] }
        }
        try session.begin()
        try tell(1, last: 2, as: 1)
        try tell(3, last: 4, as: 2)
        try tell(5, last: 6, as: 1)
        try tell(7, last: nil, as: 2)
        undone { try tell(8, last: 9, as: 1) }
        try session.commit()
        #expect(try told() == [1, 6, 3])
    }

    @Test func aTransactionThatIsUndoneTakesThemAlong() throws {
        try session.begin()
        try tell(1, as: 1)
        try session.rollback()
        try session.begin()
        try session.commit()
        #expect(try told() == [])
    }

    @Test func aSavepointThatIsUndoneTakesItsOwnAlong() throws {
        try session.begin()
        try tell(1, as: 1)
        undone {
            try tell(2, as: 2)
            try tell(3, as: 1)
        }
        try tell(4, as: 2)
        try session.commit()
        #expect(try told() == [1, 4])
    }

    /// So many that they are run in the middle, which is undone with the savepoint: those from before it run again.
    @Test func manyAreRunEarlyAndAreUndoneAlike() throws {
        try session.begin()
        try tell(1, as: 1)
        undone { for number in 2..<2500 { try tell(Int64(number), as: UInt64(number)) } }
        try tell(9, as: 2)
        for number in 3..<2500 { try tell(Int64(number), as: UInt64(number)) }
        try session.commit()
        #expect(try told() == [1, 9] + Array(3..<2500))
    }

    /// As a dry run is: nothing of it is left, and what waited before goes on waiting.
    @Test func aTrialLeavesNothing() throws {
        try session.begin()
        try tell(1, as: 1)
        let seen = try session.savepoint(
            isTrial: true,
            { () throws(any Error) -> [Int64] in
                try tell(2, as: 2)
                undone { try tell(3, as: 3) }
                try session.runDeferred()
                return try told()
            },
            failure: { $0 }
        )
        #expect(seen == [1, 2])
        try session.commit()
        #expect(try told() == [1])
    }

    @Test func outsideOfATransactionThereAreNone() throws {
        #expect(throws: StoreError.self) { try tell(1, as: 1) }
    }
}
