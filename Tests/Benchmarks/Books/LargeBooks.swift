import CBOR
import Client
import Glibc
import Messages
import Service
import Store
import Support

/// Three years of a busy trade in the services' stores, and the same rows in a bare table: 1,000,000 rows of 100,000
/// orders, 1,000 customers, 100 services.
final class LargeBooks {
    static let orders = 100_000
    static let rowsOfOrder = 10
    static let customers = 1000
    static let services = 100

    /// One row, as the bare table has it: what a report needs stands in it, so that nothing has to be joined.
    static let bareSchema = """
        CREATE TABLE rows (
            "order" BLOB NOT NULL, position INTEGER NOT NULL, customer BLOB, service BLOB, date TEXT NOT NULL,
            currency TEXT NOT NULL, made INTEGER NOT NULL, paid INTEGER NOT NULL, sum INTEGER NOT NULL
        ) STRICT;

        """
    static let bareInsert = "INSERT INTO rows VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"

    let reporting: Asking
    let reportingProcess: pid_t
    let bare: Session
    let customer: Identifier
    let service: Identifier
    /// The orders' log.
    let head: Int64
    /// What the same rows take: Orders to import them, Reporting to make its tables from the log, and bare SQLite to
    /// insert them; in nanoseconds.
    private(set) var times: (imported: UInt64, built: UInt64, inserted: UInt64) = (0, 0, 0)
    private let store: Store
    private let scratch: Scratch

    init(_ scratch: Scratch, _ name: String) async throws {
        self.scratch = scratch
        let (_, catalogEndpoints) = try await scratch.start(.catalog, in: name)
        let (_, ordersEndpoints) = try await scratch.start(.orders, in: name)
        // Without walks; Reporting is live once it has read that there are none.
        _ = try await scratch.start(.walks, in: name)
        let (catalog, orders) = (try Asking(catalogEndpoints), try Asking(ordersEndpoints))
        (customer, service) = (Self.id(1, 7), Self.id(2, 7))
        try Self.take(
            (0..<Self.customers).map { Customer(id: Self.id(1, $0), name: "Customer \($0)", reference: "\($0)") },
            catalog
        )
        try Self.take((0..<Self.services).map { SoldService(id: Self.id(2, $0), name: "Service \($0)") }, catalog)
        let size = 2000
        let imported = try timed {
            for start in stride(from: 0, to: Self.orders, by: size) {
                try Self.take((start..<start + size).map(Self.order), orders)
            }
        }
        head = try orders.ask(StatusRequest()).sequence
        let endpoints: ServiceEndpoints
        let start = now()
        (reportingProcess, endpoints) = try await scratch.start(.reporting, in: name)
        reporting = try Asking(endpoints)
        try Self.follow(reporting, head)
        let built = now() - start
        store = try Store(
            path: "\(scratch.folder)/\(name)/bare.db",
            name: "bare",
            migrations: [Migration(Self.meta + Self.bareSchema)]
        )
        bare = try store.writer()
        let session = bare
        times = (imported, built, try timed { try Self.insertRows(session) })
    }

    /// What a store has of its own.
    static let meta = "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;\n"

    /// Writes all rows into the bare table, in as many commits as Reporting makes of them.
    static func insertRows(_ session: Session) throws {
        for start in stride(from: 0, to: Self.orders, by: 1000) {
            try session.begin()
            for number in start..<start + 1000 {
                let order = try order(number)
                for (position, row) in order.rows.enumerated() {
                    try session.execute(
                        bareInsert,
                        .id(order.id),
                        .integer(Int64(position)),
                        order.customer.map(Value.id) ?? .null,
                        row.service.map(Value.id) ?? .null,
                        .text(order.date.description),
                        .text(order.currency.code),
                        .boolean(order.made),
                        .boolean(order.paid),
                        .integer(row.sum)
                    )
                }
            }
            try session.commit()
        }
    }

    /// Waits until Reporting has all of the logs.
    private static func follow(_ reporting: Asking, _ head: Int64) throws {
        while true {
            let sources = try reporting.ask(StatusRequest()).sources
            if sources.allSatisfy({ $0.state == .live }), sources.contains(where: { $0.sequence >= head }) { return }
            usleep(10_000)
        }
    }

    /// The most memory that Reporting ever had, in bytes (`VmHWM`).
    func peakBytes() -> Double {
        let status = File.text("/proc/\(reportingProcess)/status")
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line?.split(separator: " ").compactMap { Double($0) }.first
        return (kilobytes ?? 0) * 1024
    }

    /// The same ids in each run.
    private static func id(_ kind: UInt64, _ number: Int) -> Identifier {
        Identifier(high: 0x0180_0000_0000_7000 | kind, low: 0x8000_0000_0000_0000 | UInt64(number))
    }

    private static func order(_ number: Int) throws -> Order {
        let first = try CalendarDay(year: 2022, month: 1, day: 1)
        var order = Order(
            id: id(3, number),
            date: try first.adding(days: number * 1095 / orders),
            customer: id(1, number * 7919 % customers),
            currency: .eur,
            rows: (0..<rowsOfOrder).map { row in
                OrderRow(
                    id: id(4, number * rowsOfOrder + row),
                    service: id(2, (number * 31 + row * 17) % services),
                    sum: Int64(number % 97 * 100 + row + 1)
                )
            }
        )
        order.made = number % 20 != 0
        order.paid = number % 25 != 1
        return order
    }

    /// Imports records in one transaction.
    private static func take<R: Record>(_ records: [R], _ asking: Asking) throws {
        let batch = Identifier.make()
        let size = 700
        var chunks = 0
        for start in stride(from: 0, to: records.count, by: size) {
            let items = try records[start..<min(start + size, records.count)].map { record in
                try EncodedCBOR(encoding: ImportItem(record: record, line: 1))
            }
            _ = try asking.ask(ImportStage(batch: batch, chunk: chunks, entity: R.entity, items: items))
            chunks += 1
        }
        _ = try asking.ask(ImportCommit(batch: batch, chunks: chunks))
    }
}
