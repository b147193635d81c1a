import CBOR
import Client
import Messages
import Synchronization
import Text

@testable import CLI

/// Keeps customers as their service does: versions, conflicts, and replies under their keys. What is merged is what others changed.
final class Shelf: RequestSender {
    private struct State {
        var customers: [Customer] = []
        var replies: [Identifier: (content: String, reply: GetReply.Reply)] = [:]
    }

    private let state = Mutex(State())
    /// Customers by these names can't be deleted.
    private let inUse: Set<String>

    /// Whether a put based on an earlier version leaves the record as it is.
    private let merges: Bool

    init(_ customers: [Customer] = [], inUse: Set<String> = [], merges: Bool = false) {
        self.inUse = inUse
        self.merges = merges
        state.withLock { $0.customers = customers }
    }

    var customers: [Customer] { state.withLock { $0.customers } }

    /// What somebody else changes.
    func change(_ name: String, _ change: (inout Customer) -> Void) {
        state.withLock { state in
            for index in state.customers.indices where state.customers[index].name == name {
                change(&state.customers[index])
                state.customers[index].version += 1
            }
        }
    }

    func send<R: Request>(_ request: R, to service: ServiceName?, key: Identifier?) async throws(CLIError) -> R.Reply {
        let reply = try state.withLock { state throws(CLIError) -> Any in
            switch request {
            case let list as List<Customer>: return Page(rows: state.customers.filter { fits($0, list) }, next: nil)
            case let get as Get<Customer>:
                guard let found = state.customers.first(where: { $0.id == get.id }) else { throw refusal(.notFound) }
                return found
            case let get as GetReply:
                guard let found = state.replies[get.key] else { throw refusal(.notFound) }
                return found.reply
            case let change as Put<Customer>:
                return try command(request, key, &state) { state throws(CLIError) in try put(change.record, &state) }
            case let delete as Delete<Customer>:
                return try command(request, key, &state) { state throws(CLIError) in try remove(delete, &state) }
            case let erase as Erase<Customer>: return try blank(erase, &state)
            default: throw refusal(.unknownOperation)
            }
        }
        guard let reply = reply as? R.Reply else { throw refusal(.internal) }
        return reply
    }

    private func command<R: Request>(
        _ request: R,
        _ key: Identifier?,
        _ state: inout State,
        run: (inout State) throws(CLIError) -> Customer
    ) throws(CLIError) -> Customer {
        let content = "\(R.operation) \(request)"
        if let key, let known = state.replies[key] {
            guard known.content == content, let first = try? known.reply.reply.decode(Customer.self) else {
                throw refusal(.keyReused)
            }
            return first
        }
        let customer = try run(&state)
        if let key, let reply = try? EncodedCBOR(encoding: customer) {
            state.replies[key] = (content, GetReply.Reply(operation: R.operation, reply: reply))
        }
        return customer
    }

    private func put(_ record: Customer, _ state: inout State) throws(CLIError) -> Customer {
        var record = record
        let index = state.customers.firstIndex { $0.id == record.id }
        if merges, let index, record.version < state.customers[index].version { return state.customers[index] }
        guard record.version == index.map({ state.customers[$0].version }) ?? 0 else {
            throw refusal(.conflict, field: "phone", current: index.map { state.customers[$0] })
        }
        record.version += 1
        if let index { state.customers[index] = record } else { state.customers.append(record) }
        return record
    }

    private func remove(_ request: Delete<Customer>, _ state: inout State) throws(CLIError) -> Customer {
        guard let index = state.customers.firstIndex(where: { $0.id == request.id }) else { throw refusal(.notFound) }
        guard request.force == true || !inUse.contains(state.customers[index].name) else { throw refusal(.inUse) }
        return state.customers.remove(at: index)
    }

    private func blank(_ request: Erase<Customer>, _ state: inout State) throws(CLIError) -> Erase<Customer>.Reply {
        guard let index = state.customers.firstIndex(where: { $0.id == request.id }) else {
            // As of one that was deleted.
            return Erase<Customer>.Reply(record: nil, wasErased: false, copies: ["/home/catalog.db.before-2"])
        }
        let wasErased = state.customers[index].name == Erased.name
        state.customers[index] = Customer(id: request.id, version: 2, name: Erased.name)
        return Erase<Customer>.Reply(record: state.customers[index], wasErased: wasErased, copies: [])
    }

    private func refusal(_ status: Status, field: String? = nil, current: Customer? = nil) -> CLIError {
        let body = ErrorBody(
            code: status.rawValue,
            message: "refused: \(status.rawValue)",
            field: field,
            current: current.flatMap { try? EncodedCBOR(encoding: $0) }
        )
        return .client(.refused(.catalog, status, body))
    }

    private func fits(_ customer: Customer, _ list: List<Customer>) -> Bool {
        switch list.filter {
        case .startsWith("name", let text)?:
            TextNormalizer.folded(customer.name).hasPrefix(TextNormalizer.folded(text))
        case nil: true
        default: false
        }
    }
}

extension Invocation {
    /// One that asks the shelf, and prints into the capture.
    init(_ shelf: Shelf, _ presentation: Presentation) throws {
        self.init(
            configuration: try Configuration.load(
                flags: ConfigurationFlags(),
                environment: [:],
                directory: "/",
                contents: { _ in nil },
                isFolder: { _ in false }
            ),
            presentation: presentation,
            sender: shelf
        )
    }
}
