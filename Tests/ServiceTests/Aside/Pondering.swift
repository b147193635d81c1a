import Dispatch
import Messages
import Store
import Synchronization
import Testing

@testable import Service

/// Makes a note of how many notes there were, after some thought.
struct Ponder: Request {
    typealias Reply = Note
    static let operation = "note.ponder"
    static let kind = RequestKind.command
    static let service: ServiceName? = Note.service

    var note: Identifier
    var title: String
    /// Whether the thought fails.
    var fails = false
    /// Whether a child is asked that never answers.
    var hangs = false
}

/// What computations pass: they say that they have come, and wait until they are let through.
final class Gate: Sendable {
    private let came = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)
    private let count = Mutex(0)

    /// How many have come.
    var passed: Int { count.withLock { $0 } }

    func pass() {
        count.withLock { $0 += 1 }
        came.signal()
        // Nobody is kept for ever by a test that failed.
        _ = opened.wait(timeout: .now() + 100)
    }

    /// Waits for one more to come. For a thread of its own.
    func waitForOne() throws { try #require(came.wait(timeout: .now() + 50) == .success) }

    /// Lets one through.
    func open() { opened.signal() }

    /// The notes, with a command that computes aside.
    var definition: ServiceDefinition {
        var routes = Routes()
        routes.entity(Notes.entity)
        routes.command(Ponder.self) { [self] (request, transaction) throws(ServiceError) in
            try transaction.execute("INSERT INTO attempts DEFAULT VALUES")
            let count = try transaction.computedAside { (reading) throws(ServiceError) in
                let count = try reading.first("SELECT count(*) FROM notes") { $0.integer(0) }
                return { [self] (allowance) throws(ServiceError) in
                    if request.hangs {
                        let sleep = ChildProgram(path: "/bin/sleep", arguments: ["1000"])
                        _ = try sleep.run([], mostBytes: 0, allowance: allowance)
                    }
                    pass()
                    if request.fails { throw .invalid(field: "title", "there is nothing to be thought of it") }
                    return count ?? 0
                }
            }
            let note = Note(id: request.note, title: request.title, rank: count)
            return try transaction.put(note)
        }
        let script = "CREATE TABLE attempts (number INTEGER PRIMARY KEY) STRICT;"
        return ServiceDefinition(
            name: Note.service,
            migrations: [Migration(Notes.entity.schema + script)],
            routes: routes
        )
    }
}
