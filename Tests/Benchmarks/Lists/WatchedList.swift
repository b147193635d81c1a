import Client
import Glibc
import Messages
import Support

/// A Catalog of its own with 1,000 customers, and the list of them all opened.
final class WatchedList {
    static let customers = 1000

    let process: pid_t
    let endpoints: ServiceEndpoints
    let asking: Asking
    let topic: String
    private var rows: [Customer] = []
    private var random = SeededGenerator(seed: 3)

    init(_ scratch: Scratch, _ name: String) async throws {
        (process, endpoints) = try await scratch.start(.catalog, in: name)
        asking = try Asking(endpoints)
        for number in 0..<Self.customers {
            let customer = Customer(
                name: "Customer \(number)",
                email: "c\(number)@example.org",
                phone: "+47 22 \(number)"
            )
            try asking.send(try RawSocket.frames(Put(customer), id: UInt64(number)))
            if number % 100 == 99 { for _ in 0..<100 { _ = try asking.reply() } }
        }
        topic = try asking.ask(OpenList(ListQuery(.entity(Customer.entity)))).topic
        rows = try asking.ask(List<Customer>(limit: Self.customers)).rows
    }

    /// The request that gives a customer another name, and so another place.
    func change() throws -> [[UInt8]] {
        let place = Int.random(in: rows.indices, using: &random)
        rows[place].name = "Customer \(UInt32.random(in: .min ... .max, using: &random))"
        defer { rows[place].version += 1 }
        return try RawSocket.frames(Put(rows[place]))
    }

    /// A request like that, which is not to be sent to the service.
    func likeChange() throws -> [[UInt8]] { try RawSocket.frames(Put(rows[0])) }
}
