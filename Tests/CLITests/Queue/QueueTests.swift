import CBOR
import Client
import Glibc
import Messages
import Synchronization
import Testing

@testable import CLI

/// A queue in a folder of its own, which is removed with it.
final class QueueHome: Sendable {
    let home: String
    let queue: CommandQueue

    init() throws {
        var template = Array("/tmp/daybook-queue-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        home = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        queue = CommandQueue(home: home)
    }

    deinit {
        for name in DurableFile.names(in: queue.folder) { unlink("\(queue.folder)/\(name)") }
        rmdir(queue.folder)
        rmdir(home)
    }

    @discardableResult
    func add(_ order: Order, key: Identifier = .make()) throws -> QueuedCommand {
        try queue.add(QueuedCommand(Put(order), to: .orders, making: order.id, key: key, line: "daybook orders add"))
    }

    @discardableResult
    func add(_ customer: Customer) throws -> QueuedCommand {
        let line = "daybook customers add \(customer.name)"
        return try queue.add(
            QueuedCommand(Put(customer), to: .catalog, making: customer.id, key: .make(), line: line)
        )
    }

    /// Delivers by `send`, and tells what became of each.
    func deliver(
        isDry: Bool = false,
        _ send: @escaping @Sendable (QueuedCommand) async throws(CLIError) -> Void
    ) async throws -> [QueueDelivery.Outcome] {
        var outcomes: [QueueDelivery.Outcome] = []
        let delivery = QueueDelivery(queue: queue, isDry: isDry, send: send)
        _ = try await delivery.run { _, outcome in outcomes.append(outcome) }
        return outcomes
    }

    static func order(for customer: Customer? = nil) -> Order {
        var order = Order(id: .make(), date: CalendarDay("2024-01-31")!, currency: .eur)
        order.customer = customer?.id
        return order
    }
}

struct QueueTests {
    private let books: QueueHome

    init() throws {
        books = try QueueHome()
    }

    @Test func keepsWhatItTakesToSendACommandAgain() throws {
        let ada = Customer(name: "Ada")
        let order = QueueHome.order(for: ada)
        let key = Identifier.make()
        try books.add(ada)
        try books.add(order, key: key)
        let kept = try books.queue.commands()
        #expect(kept.map(\.number) == [1, 2] && books.queue.count == 2)
        #expect(kept[1].key == key && kept[1].service == .orders && kept[1].operation == "order.put")
        #expect(kept[1].body.bytes == (try CBOREncoder().encode(Put(order))))
        #expect(Set(kept[1].ids) == [order.id, ada.id])
        #expect(kept[1].depends(on: kept[0]) && !kept[0].depends(on: kept[1]))
        var status = stat()
        #expect(stat(books.queue.folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func aKeyIsQueuedOnce() throws {
        let order = QueueHome.order()
        let key = Identifier.make()
        try books.add(order, key: key)
        #expect(try books.add(order, key: key).number == 1)
        #expect(throws: CLIError.self) { try books.add(QueueHome.order(), key: key) }
        #expect(books.queue.count == 1)
    }

    @Test func aFileThatIsNoCommandIsNamed() throws {
        try books.add(QueueHome.order())
        try DurableFile.write("junk", to: "\(books.queue.folder)/0000000002.cbor")
        let error = #expect(throws: CLIError.self) { try books.queue.commands() }
        #expect(error?.description.contains("0000000002.cbor") == true)
    }

    @Test(arguments: [Int.max, 0, .min])
    func aNumberThatNothingCanBePutBehindIsNamed(number: Int) throws {
        var command = try books.add(QueueHome.order())
        try books.queue.remove(command)
        command.number = number
        try DurableFile.write(try CBOREncoder().encode(command), to: "\(books.queue.folder)/0000000002.cbor")
        let error = #expect(throws: CLIError.self) { try books.add(QueueHome.order()) }
        #expect(error?.description.contains("0000000002.cbor") == true)
    }

    @Test func deliversInOrderAndForgetsWhatIsDone() async throws {
        let keys = try (0..<12).map { _ in try books.add(QueueHome.order()).key }
        let sent = Mutex<[Identifier]>([])
        let outcomes = try await books.deliver { command in sent.withLock { $0.append(command.key) } }
        #expect(sent.withLock { $0 } == keys)
        #expect(outcomes == Array(repeating: .delivered, count: 12))
        #expect(books.queue.count == 0)
    }

    @Test func whatIsRefusedHoldsBackWhatDependsOnIt() async throws {
        let (ada, eva) = (Customer(name: "Ada"), Customer(name: "Eva"))
        let order = QueueHome.order(for: ada)
        try books.add(ada)
        try books.add(order)
        try books.add(eva)
        try books.add(QueueHome.order(for: eva))
        let refuse: @Sendable (QueuedCommand) async throws(CLIError) -> Void = { (command) throws(CLIError) in
            if command.number == 1 { throw Desk.refusal(.invalid, "No.") }
        }
        #expect(try await books.deliver(refuse) == [.refused("No."), .heldBack(by: 1), .delivered, .delivered])
        let rows = QueuedCommandRow.rows(of: try books.queue.commands())
        #expect(rows.map(\.state) == ["refused", "held back by 1"])
        #expect(rows[0].dependants == [2])
        #expect(QueueDrop.question(rows[0].command, among: rows.map(\.command)).hasSuffix("2 depends on it."))

        // A refusal is not asked for again by itself; without it both go.
        #expect(try await books.deliver { _ in } == [.refused("No."), .heldBack(by: 1)])
        try books.queue.store(try QueueRetry.retried(rows[0].command, newKey: false))
        #expect(try await books.deliver { _ in } == [.delivered, .delivered])
    }

    @Test func aServiceThatIsAwayIsAskedOnceAndOthersGoOn() async throws {
        let ada = Customer(name: "Ada")
        try books.add(ada)
        try books.add(Customer(name: "Eva"))
        try books.add(QueueHome.order(for: ada))
        try books.add(QueueHome.order())
        let asked = Mutex<[ServiceName]>([])
        let outcomes = try await books.deliver { (command) throws(CLIError) in
            asked.withLock { $0.append(command.service) }
            if command.service == .catalog { throw Desk.refusal(.unavailable, "Away.") }
        }
        #expect(outcomes == [.waiting("Away."), .waiting("Away."), .heldBack(by: 1), .delivered])
        #expect(asked.withLock { $0 } == [.catalog, .orders])
        #expect(try books.queue.commands().allSatisfy { $0.refusal == nil })
    }

    @Test func aFailureOnThisSideLosesNothingAndIsTriedWithTheSameBytes() async throws {
        let command = try books.add(QueueHome.order())
        await #expect(throws: CLIError.self) {
            try await books.deliver { (_) throws(CLIError) in throw .client(.closed) }
        }
        let sent = Mutex<[QueuedCommand]>([])
        #expect(try await books.deliver { command in sent.withLock { $0.append(command) } } == [.delivered])
        #expect(sent.withLock { $0.map(\.key) } == [command.key])
        #expect(sent.withLock { $0.map(\.body) } == [command.body])
    }

    @Test func whatIsAddedMeanwhileIsDeliveredToo() async throws {
        try books.add(QueueHome.order())
        let isFirst = Atomic(true)
        let outcomes = try await books.deliver { [books] (_) throws(CLIError) in
            guard isFirst.exchange(false, ordering: .relaxed) else { return }
            do { try books.add(QueueHome.order()) } catch { throw .failure("\(error)") }
        }
        #expect(outcomes == [.delivered, .delivered])
        #expect(books.queue.count == 0)
    }

    @Test func aDryRunSendsAndChangesNothing() async throws {
        try books.add(QueueHome.order())
        let outcomes = try await books.deliver(isDry: true) { (_) throws(CLIError) in throw .failure("sent") }
        #expect(outcomes == [.delivered])
        #expect(books.queue.count == 1)
    }

    @Test func aNewKeyIsForOneThatHasExpired() throws {
        var command = try books.add(QueueHome.order())
        #expect(throws: CLIError.self) { try QueueRetry.retried(command, newKey: false) }
        command.refusal = .init(status: .keyExpired, reason: "old", time: .now())
        #expect(throws: CLIError.self) { try QueueRetry.retried(command, newKey: false) }
        let renewed = try QueueRetry.retried(command, newKey: true)
        #expect(renewed.refusal == nil && renewed.key != command.key && renewed.body == command.body)
        command.refusal?.status = .invalid
        #expect(throws: CLIError.self) { try QueueRetry.retried(command, newKey: true) }
    }
}

/// What a command with `--queue` does.
struct QueueingTests {
    private let books: QueueHome
    private let capture: Capture

    init() throws {
        (books, capture) = (try QueueHome(), try Capture())
    }

    private func invocation(asking desk: Desk) throws -> Invocation {
        let plain = try Invocation(asking: desk, capture.presentation(isQuiet: true))
        return Invocation(
            configuration: plain.configuration,
            presentation: plain.presentation,
            sender: desk,
            queue: books.queue
        )
    }

    private func put<R: Record>(_ record: R, _ daybook: Invocation) async throws -> R {
        try await daybook.deliver(Put(record), making: record.id, key: nil)
    }

    @Test(arguments: [Status.unavailable, .timedOut, .storageFull])
    func whatCantBeDeliveredIsKeptUnderTheKeyOfTheAttempt(status: Status) async throws {
        let desk = Desk { (_) throws(CLIError) in throw Desk.refusal(status) }
        let ada = Customer(name: "Ada")
        let error = await #expect(throws: CLIError.self) { try await put(ada, try invocation(asking: desk)) }
        #expect(error?.processStatus == .queued)
        #expect(error?.description.hasPrefix("Queued as 1") == true)
        #expect(try capture.text() == "\(ada.id)\n")
        #expect(try books.queue.commands().map(\.key) == desk.keys)
    }

    @Test func whatIsRefusedIsNotKept() async throws {
        let desk = Desk { (_) throws(CLIError) in throw Desk.refusal(.invalid) }
        let error = await #expect(throws: CLIError.self) {
            try await put(Customer(name: "Ada"), try invocation(asking: desk))
        }
        #expect(error?.processStatus == .failure)
        #expect(books.queue.count == 0)
    }

    @Test func staysBehindWhatWaitsForTheSameServiceAndWhatItDependsOn() async throws {
        let (ada, eva) = (Customer(name: "Ada"), Customer(name: "Eva"))
        try books.add(ada)
        let free = QueueHome.order()
        let desk = Desk { (_) throws(CLIError) in free }
        let daybook = try invocation(asking: desk)
        await #expect(throws: CLIError.self) { try await put(eva, daybook) }
        await #expect(throws: CLIError.self) { try await put(QueueHome.order(for: ada), daybook) }
        #expect(desk.requests.isEmpty)
        #expect(books.queue.count == 3)
    }

    @Test func whatIsIndependentOfTheQueueGoesDirectly() async throws {
        try books.add(Customer(name: "Ada"))
        let free = QueueHome.order()
        let desk = Desk { (_) throws(CLIError) in free }
        #expect(try await put(free, try invocation(asking: desk)).id == free.id)
        #expect(books.queue.count == 1)
    }

    @Test func aRefusedCommandIsInNobodysWayButItsDependants() async throws {
        let ada = Customer(name: "Ada")
        var command = try books.add(ada)
        command.refusal = .init(status: .invalid, reason: "No.", time: .now())
        try books.queue.store(command)
        let eva = Customer(name: "Eva")
        let desk = Desk { (_) throws(CLIError) in eva }
        let daybook = try invocation(asking: desk)
        #expect(try await put(eva, daybook) == eva)
        await #expect(throws: CLIError.self) { try await put(QueueHome.order(for: ada), daybook) }
        #expect(books.queue.count == 2)
    }

    @Test func aWholeIdNeedsNoLookUpAndANameSaysSo() async throws {
        let desk = Desk { (_) throws(CLIError) in throw Desk.refusal(.unavailable) }
        let daybook = try invocation(asking: desk)
        let id = Identifier.make()
        #expect(try await daybook.id(of: Customer.self, id.description) == id)
        var order = QueueHome.order()
        try await WrittenRows(["\(id)=10.00", "\(id)=2 x 5.00 @19"], key: nil, from: 1, by: daybook).add(to: &order)
        #expect(order.rows.map(\.service) == [id, id] && order.rows.map(\.sum) == [1000, 1000])
        #expect(desk.requests.isEmpty)
        let error = await #expect(throws: CLIError.self) { try await daybook.id(of: Customer.self, "Ada") }
        #expect(error?.processStatus == .unreachable && error?.description.contains("whole id") == true)
        // Its own price has to be looked up.
        await #expect(throws: CLIError.self) {
            _ = try await WrittenRows(["\(id)=2x @19"], key: nil, from: 1, by: daybook)
        }
    }
}
