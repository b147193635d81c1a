import Messages
import Text

/// Customers, services and orders as a folder of CSV files has them, checked, with ids made from the files' own.
///
/// `customers.csv` has id, name, city, country; `services.csv` id, name, price_cents; `orders.csv` id, customer_id, date,
/// made, paid; `order_rows.csv` order_id, position, service_id, sum_cents.
struct OrdersCSV: Sendable {
    var customers: [ImportItem<Customer>] = []
    var services: [ImportItem<SoldService>] = []
    var orders: [ImportItem<Order>] = []
    var rowCount = 0
    /// Of all files and the currency: the same import has the same.
    var batch: Identifier
    /// What was passed over, for people.
    var notes: [String]

    var count: Int { customers.count + services.count + orders.count }

    /// Reads and checks everything.
    ///
    /// - Parameter currency: of all amounts; one with cents.
    /// - Throws: ``CLIError/failure(_:)`` that lists what is wrong with the files, and what reading them throws.
    static func read(_ folder: ImportFolder, currency: Currency) throws(CLIError) -> OrdersCSV {
        guard currency.decimals == 2 else {
            throw .usage("--currency is \(currency), which has no cents, and the files' amounts are in cents.")
        }
        var reader = OrdersCSVReader(folder: folder, currency: currency)
        try reader.readCustomers()
        try reader.readServices()
        try reader.readOrders()
        try reader.readRows()
        if let error = reader.folder.problems.error { throw error }
        var hash = reader.folder.hash
        hash.add(currency.code.utf8)
        return OrdersCSV(
            customers: reader.customers,
            services: reader.services,
            orders: reader.orders,
            rowCount: reader.rowCount,
            batch: hash.identifier,
            notes: reader.folder.notes
        )
    }
}

/// The reading, file by file: each refers to those before it.
private struct OrdersCSVReader {
    var folder: ImportFolder
    let currency: Currency
    var customers: [ImportItem<Customer>] = []
    var services: [ImportItem<SoldService>] = []
    var orders: [ImportItem<Order>] = []
    var rowCount = 0
    // nil where the file can't be read: then nobody is told that what refers to it is missing.
    private var customerKeys: Set<String>?
    private var serviceKeys: Set<String>?
    private var orderIndices: [String: Int]?

    init(folder: ImportFolder, currency: Currency) {
        self.folder = folder
        self.currency = currency
    }

    mutating func readCustomers() throws(CLIError) {
        guard let rows = try folder.rows(of: "customers.csv", columns: ["id", "name", "city", "country"]) else {
            return
        }
        var lines: [String: Int] = [:]
        for row in rows {
            guard let key = key(of: row, &lines), let name = name(of: row) else { continue }
            let address = [row["city"], row["country"]].filter { !$0.isEmpty }.joined(separator: ", ")
            let customer = Customer(
                id: .imported(Customer.entity, key),
                name: name,
                address: address.isEmpty ? nil : address,
                reference: key
            )
            customers.append(ImportItem(record: customer, line: row.line))
        }
        customerKeys = Set(lines.keys)
    }

    mutating func readServices() throws(CLIError) {
        guard let rows = try folder.rows(of: "services.csv", columns: ["id", "name", "price_cents"]) else { return }
        var lines: [String: Int] = [:]
        for row in rows {
            guard let key = key(of: row, &lines), let name = name(of: row) else { continue }
            let price = row["price_cents"].isEmpty ? nil : cents(row, "price_cents")
            let service = SoldService(
                id: .imported(SoldService.entity, key),
                name: name,
                price: price.map { Money(amount: $0, currency: currency) },
                reference: key
            )
            services.append(ImportItem(record: service, line: row.line))
        }
        serviceKeys = Set(lines.keys)
    }

    mutating func readOrders() throws(CLIError) {
        let columns = ["id", "customer_id", "date", "made", "paid"]
        guard let rows = try folder.rows(of: "orders.csv", columns: columns) else { return }
        var lines: [String: Int] = [:]
        var indices: [String: Int] = [:]
        for row in rows {
            guard let key = key(of: row, &lines) else { continue }
            let customer = reference(row, "customer_id", to: customerKeys, in: "customers.csv")
            let date = date(row)
            let (made, paid) = (flag(row, "made"), flag(row, "paid"))
            let order = Order(
                id: .imported(Order.entity, key),
                // Where there is no date, a problem was told and nothing is stored.
                date: date ?? .today(),
                customer: customer.map { .imported(Customer.entity, $0) },
                currency: currency,
                made: made,
                paid: paid,
                reference: key
            )
            indices[key] = orders.count
            orders.append(ImportItem(record: order, line: row.line))
        }
        orderIndices = indices
    }

    mutating func readRows() throws(CLIError) {
        let columns = ["order_id", "position", "service_id", "sum_cents"]
        guard let rows = try folder.rows(of: "order_rows.csv", columns: columns) else { return }
        var rowsOfOrders: [String: [(position: Int64, row: OrderRow)]] = [:]
        var lines: [String: [Int64: Int]] = [:]
        for row in rows {
            let key = row["order_id"]
            if key.isEmpty {
                folder.problems.add(row, "order_id", "It is blank: give the id of an order.")
            } else if let orderIndices, orderIndices[key] == nil {
                folder.problems.add(row, "order_id", "There is no such id in orders.csv.")
            }
            guard let position = Int64(row["position"]), position >= 0 else {
                folder.problems.add(row, "position", "It must be a whole number.")
                continue
            }
            if let first = lines[key, default: [:]].updateValue(row.line, forKey: position) {
                folder.problems.add(row, "position", "The order has this position on line \(first) already.")
            }
            let service = reference(row, "service_id", to: serviceKeys, in: "services.csv")
            let orderRow = OrderRow(
                id: .imported("order-row", key, String(position)),
                service: service.map { .imported(SoldService.entity, $0) },
                sum: cents(row, "sum_cents") ?? 0
            )
            rowsOfOrders[key, default: []].append((position, orderRow))
        }
        rowCount = rows.count
        for (key, rows) in rowsOfOrders {
            guard let index = orderIndices?[key] else { continue }
            orders[index].record.rows = rows.sorted { $0.position < $1.position }.map(\.row)
        }
        checkTotals()
    }

    private mutating func checkTotals() {
        for order in orders {
            let sums = order.record.rows.map { Money(amount: $0.sum, currency: currency) }
            guard (try? Money.sum(sums, currency: currency)) == nil else { continue }
            folder.problems.add(
                file: "orders.csv",
                line: order.line,
                ", line \(order.line): the order's rows add up to more than an amount can be."
            )
        }
    }

    // MARK: Fields

    /// What the record is called; nil where that is a problem.
    private mutating func key(of row: ImportRow, _ lines: inout [String: Int]) -> String? {
        let key = row["id"]
        if let reason = Self.fault(ofName: key) {
            folder.problems.add(row, "id", reason)
            return nil
        }
        if let first = lines[key] {
            folder.problems.add(row, "id", "Line \(first) has this id already.")
            return nil
        }
        lines[key] = row.line
        return key
    }

    private mutating func name(of row: ImportRow) -> String? {
        guard let reason = Self.fault(ofName: row["name"]) else { return row["name"] }
        folder.problems.add(row, "name", reason)
        return nil
    }

    /// The rules that the services have for names and references.
    private static func fault(ofName text: String) -> String? {
        if TextNormalizer.isBlank(text) { return "It is blank: give it at least one visible character." }
        if text.utf8.contains(0) { return "It has a NUL character: remove it." }
        return text.count > 200 ? "It has \(text.count) characters: at most 200 are taken." : nil
    }

    /// What another file's id is; nil for none, and where it is a problem.
    private mutating func reference(
        _ row: ImportRow,
        _ column: String,
        to keys: Set<String>?,
        in file: String
    ) -> String? {
        let key = row[column]
        if key.isEmpty { return nil }
        if let keys, !keys.contains(key) {
            folder.problems.add(row, column, "There is no such id in \(file).")
            return nil
        }
        return key
    }

    private mutating func cents(_ row: ImportRow, _ column: String) -> Int64? {
        do throws(AmountError) {
            return try DecimalText.minorUnits(row[column], decimals: 0)
        } catch {
            switch error {
            case .empty: folder.problems.add(row, column, "It is blank: write whole cents, like 1250.")
            case .outOfRange: folder.problems.add(row, column, "It is beyond the largest amount that can be kept.")
            default: folder.problems.add(row, column, "It must be whole cents, like 1250 or -50.")
            }
            return nil
        }
    }

    private mutating func date(_ row: ImportRow) -> CalendarDay? {
        do throws(DateError) {
            return try CalendarDay(parsing: row["date"])
        } catch {
            folder.problems.add(row, "date", error.description)
            return nil
        }
    }

    private mutating func flag(_ row: ImportRow, _ column: String) -> Bool {
        switch row[column].lowercased() {
        case "1", "true": return true
        case "0", "false": return false
        default:
            folder.problems.add(row, column, "Write 1 or 0.")
            return false
        }
    }
}
