import CBOR
import Client
import Glibc
import Messages
import Support
import ZeroMQ

/// Requests a second, beside what libzmq and SQLite can do at the most (`Limit`): both asked by one client, which sends
/// prepared bytes and keeps the replies, over the socket file and over TCP, one and 64 in flight.
///
/// The limit is measured with and without spinning before it sleeps, and the better one counts. Each reply is looked at,
/// and at the end what was acknowledged is counted in the stores.
enum Throughput {
    static var benchmarks: [Benchmark] {
        [
            benchmark("commands", "order.put, an order with 3 rows: requests a second", .command),
            benchmark("gets", "order.get by id: requests a second", .get),
            benchmark("lists", "order.list, the 50 orders up to one, by id: requests a second", .list),
        ]
    }

    enum Work: String {
        case command = "C"
        case get = "G"
        case list = "L"

        /// How many are sent in a round.
        func count(inFlight: Int) -> Int {
            switch self {
            case .command: inFlight == 1 ? 1000 : 10_000
            case .get: inFlight == 1 ? 5000 : 40_000
            case .list: inFlight == 1 ? 2000 : 8000
            }
        }
    }

    private static let prefilled = 20_000

    private static func benchmark(_ name: String, _ title: String, _ work: Work) -> Benchmark {
        Benchmark(
            name: name,
            title: title,
            rounds: 5,
            prepare: { scratch in
                let limit = try await BareSide(scratch, work, prefilled: prefilled)
                let daybook = try await DaybookSide(scratch, work, prefilled: prefilled)
                return [
                    Case(name: "libzmq and SQLite in C", measure: limit.measure),
                    Case(name: "Daybook", measure: daybook.measure),
                ]
            }
        )
    }

    /// The figures of one round: each way, one and 64 in flight.
    static func figures(
        _ work: Work,
        _ ways: [(name: String, endpoints: [Endpoint])],
        _ requests: (_ count: Int) throws -> [[[UInt8]]],
        _ check: (PreparedLoad.Replies) throws -> Void
    ) throws -> [Figure] {
        var figures: [Figure] = []
        for way in ways {
            for inFlight in [1, 64] {
                var best: (rate: Double, slow: Double) = (0, 0)
                for endpoint in way.endpoints {
                    let replies = try PreparedLoad.run(
                        try requests(work.count(inFlight: inFlight)),
                        to: endpoint,
                        inFlight: inFlight
                    )
                    try check(replies)
                    let sorted = replies.times.sorted()
                    let rate = Double(sorted.count) / Double(replies.nanoseconds) * 1e9
                    if rate > best.rate { best = (rate, Double(sorted[sorted.count * 99 / 100]) / 1000) }
                }
                figures.append(Figure("\(way.name), \(inFlight) in flight", best.rate, "/s"))
                figures.append(Figure("\(way.name), \(inFlight) in flight, p99", best.slow, "µs"))
            }
        }
        return figures
    }
}

/// The limit, with and without spinning, over a store of its own each.
private final class BareSide {
    private let work: Throughput.Work
    private var ways: [(name: String, endpoints: [Endpoint])] = []
    private let prefilled: Int
    private var made: [Int]

    init(_ scratch: Scratch, _ work: Throughput.Work, prefilled: Int) async throws {
        (self.work, self.prefilled) = (work, prefilled)
        made = []
        for way in ["ipc", "tcp"] {
            var endpoints: [Endpoint] = []
            for spin in [0, 100_000] {
                let name = "limit-\(way)-\(spin)"
                let endpoint =
                    way == "ipc"
                    ? Endpoint.ipc(path: "\(scratch.folder)/\(name)")
                    : try Endpoint(parsing: "tcp://127.0.0.1:\(try Ports.free(1))")
                _ = try await scratch.startLimit([
                    "serve", endpoint.description, "\(scratch.folder)/\(name).db", String(spin),
                ])
                _ = try PreparedLoad.run((0..<prefilled).map { [Self.command($0)] }, to: endpoint, inFlight: 256)
                endpoints.append(endpoint)
            }
            ways.append((way, endpoints))
        }
        made = [prefilled]
    }

    func measure() throws -> [Figure] {
        let work = work
        return try Throughput.figures(
            work,
            ways,
            { count in
                // Each store is given numbers of its own, which is more than it needs.
                let first = made[0]
                made[0] += count
                return (0..<count).map { [request(first, $0)] }
            },
            { replies in
                let wanted = work == .command ? 41 : work == .get ? 196 : 50 * 195 + 1
                guard replies.sizes.allSatisfy({ $0 == [wanted] }) else {
                    throw HarnessError("the limit answered with \(replies.sizes.first ?? []) bytes, not \(wanted)")
                }
            }
        )
    }

    private func request(_ first: Int, _ number: Int) -> [UInt8] {
        switch work {
        case .command: Self.command(first + number)
        case .get: [UInt8](work.rawValue.utf8) + Self.id((number * 7919) % prefilled)
        case .list: [UInt8](work.rawValue.utf8) + Self.id(50 + (number * 7919) % (prefilled - 50))
        }
    }

    /// Rises with the number, as a UUIDv7 does with time.
    private static func id(_ number: Int) -> [UInt8] {
        bytes(UInt64(number).bigEndian) + bytes(UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    }

    private static func command(_ number: Int) -> [UInt8] {
        var request = [UInt8](Throughput.Work.command.rawValue.utf8) + id(number)
        request += id(number) + id(number % 1000) + bytes(Int64(number)) + bytes(Int64(20_000 + number / 1000))
        request.append(UInt8(number % 4))
        request += Array(repeating: UInt8(ascii: "c"), count: 145)
        for row in 0..<3 { request += id(number % 7 + row) + bytes(Int64(100 * row + number % 97)) }
        return request
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
}

/// The services, as people run them.
private final class DaybookSide {
    private let work: Throughput.Work
    private let ways: [(name: String, endpoints: [Endpoint])]
    private let customers: [Identifier]
    private let services: [Identifier]
    private var ids: [Identifier] = []
    private var acknowledged = 0
    private let asking: Asking

    init(_ scratch: Scratch, _ work: Throughput.Work, prefilled: Int) async throws {
        self.work = work
        let (_, catalogEndpoints) = try await scratch.start(.catalog, in: "books")
        let tcp = try Endpoint(parsing: "tcp://127.0.0.1:\(try Ports.free(2))")
        let (_, endpoints) = try await scratch.start(.orders, in: "books", ["DAYBOOK_ORDERS_LISTEN": tcp.description])
        ways = [("ipc", [endpoints.requests]), ("tcp", [tcp])]
        let catalog = try Asking(catalogEndpoints)
        customers = try (0..<100).map { try catalog.ask(Put(Customer(name: "Customer \($0)"))).id }
        services = try (0..<10).map { try catalog.ask(Put(SoldService(name: "Service \($0)"))).id }
        asking = try Asking(endpoints)
        let replies = try PreparedLoad.run(try commands(prefilled), to: endpoints.requests, inFlight: 256)
        try check(replies, isCommand: true)
    }

    func measure() throws -> [Figure] {
        let figures = try Throughput.figures(work, ways, requests, { try check($0, isCommand: work == .command) })
        let position = try asking.ask(StatusRequest()).sequence
        guard position == acknowledged else {
            throw HarnessError("\(acknowledged) orders were acknowledged, and the log has \(position)")
        }
        return figures
    }

    private func requests(_ count: Int) throws -> [[[UInt8]]] {
        switch work {
        case .command: return try commands(count)
        case .get: return try (0..<count).map { try RawSocket.frames(Get<Order>(id: ids[$0 * 7919 % ids.count])) }
        case .list:
            return try (0..<count).map { number in
                let last = ids[50 + number * 7919 % (ids.count - 50)]
                let before = List<Order>(
                    filter: .range("id", from: nil, through: .id(last)),
                    sort: [SortKey("id", descending: true)],
                    limit: 50
                )
                return try RawSocket.frames(before, id: UInt64(number + 1))
            }
        }
    }

    private func commands(_ count: Int) throws -> [[[UInt8]]] {
        let day = try CalendarDay(year: 2026, month: 1, day: 1)
        return try (0..<count).map { _ in
            let number = ids.count
            let order = Order(
                date: try day.adding(days: number / 1000),
                customer: customers[number % customers.count],
                currency: .eur,
                rows: (0..<3).map {
                    OrderRow(service: services[(number + $0) % services.count], sum: Int64(100 * $0 + number % 97))
                },
                note: String(repeating: "c", count: 145)
            )
            ids.append(order.id)
            return try RawSocket.frames(Put(order), id: UInt64(number + 1))
        }
    }

    private func check(_ replies: PreparedLoad.Replies, isCommand: Bool) throws {
        for header in replies.headers {
            let status = try CBORDecoder(profile: .wire).decode(ReplyHeader.self, from: header).status
            guard status == .ok else { throw HarnessError("a request was answered with \(status)") }
        }
        if isCommand { acknowledged += replies.headers.count }
    }
}
