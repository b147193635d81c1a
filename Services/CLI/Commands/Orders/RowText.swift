import Messages

/// A row as it is written on the command line.
///
///     10.00                    just a sum
///     Bath=10.00               a service and its sum
///     Bath=2 x 40.00 @19       two at 40.00 each, with 19 % of tax
///     Bath=2x                  two at the service's own price
///     Bath                     one at the service's own price; the name begins with a letter
///     Bath "Rex"=10.00         with a text; without a service: "a tip"=2.00
struct RowText: Sendable, Hashable {
    /// What the service is called; nil for none.
    var service: String?
    /// What the row is for, from between quotes.
    var label: String?
    private var text: String
    private var value: String
    private var hasEquals: Bool { text.utf8.contains(UInt8(ascii: "=")) }

    /// What a row's value says.
    struct Values: Hashable {
        var quantity: Quantity?
        /// nil where there is a quantity: the service's own price.
        var price: Int64?
        /// Where there is no quantity.
        var sum: Int64?
        var tax: Tax
    }

    enum Tax: Hashable {
        /// Nothing was said: what the configuration has.
        case usual
        case rate(TaxRate?)
    }

    static let form =
        "A row is SERVICE=SUM or SERVICE=QUANTITY x PRICE, perhaps with @TAX behind, or just a sum, or just a service."

    /// Splits at the last equals sign, so that a name may hold some.
    init(_ text: String) {
        // By bytes: an equals sign before a combining mark is a Character of its own.
        let bytes = text.utf8
        let equals = bytes.lastIndex(of: UInt8(ascii: "="))
        self.text = text
        let isName = equals == nil && text.unicodeScalars.first?.properties.isAlphabetic == true
        value = isName ? "1x" : equals.map { String(text[bytes.index(after: $0)...]) } ?? text
        var name = isName ? text[...] : equals.map { text[..<$0] } ?? ""
        let quote = UInt8(ascii: "\"")
        let trimmed = Self.trimmed(name)
        if trimmed.utf8.last == quote, let first = trimmed.utf8.firstIndex(of: quote),
            let last = trimmed.utf8.lastIndex(of: quote), first < last
        {
            label = String(trimmed[trimmed.utf8.index(after: first)..<last])
            name = trimmed[..<first]
        }
        let service = label == nil ? name : Self.trimmed(name)
        self.service = service.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : String(service)
    }

    /// Whether it takes the service's own price, as `Bath=2x` and `Bath`.
    var takesOwnPrice: Bool {
        let end = value.utf8.lastIndex(of: UInt8(ascii: "@")) ?? value.endIndex
        return Self.trimmed(value[..<end]).unicodeScalars.last.map { "xX*×".unicodeScalars.contains($0) } ?? false
    }

    /// - Throws: ``CLIError/usage(_:)``.
    func values(in currency: Currency) throws(CLIError) -> Values {
        do throws(AmountError) {
            var rest = value[...]
            var tax = Tax.usual
            if let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) {
                let rate = Self.trimmed(rest[rest.utf8.index(after: at)...])
                tax = .rate(rate == "none" ? nil : try TaxRate(parsing: rate))
                rest = Self.trimmed(rest[..<at], onlyEnd: true)
            }
            guard let times = rest.unicodeScalars.firstIndex(where: { "xX*×".unicodeScalars.contains($0) }) else {
                let sum = try DecimalText.minorUnits(rest, decimals: currency.decimals)
                return Values(sum: sum, tax: tax)
            }
            let quantity = try Quantity(parsing: Self.trimmed(rest[..<times]))
            let price = Self.trimmed(rest[rest.unicodeScalars.index(after: times)...])
            return Values(
                quantity: quantity,
                price: price.isEmpty ? nil : try DecimalText.minorUnits(price, decimals: currency.decimals),
                tax: tax
            )
        } catch {
            // Perhaps a name that begins with a digit.
            let isName = !hasEquals && text.unicodeScalars.contains(where: \.properties.isAlphabetic)
            let form = isName ? " \(Self.form)" : ""
            throw .usage("Row \(quoted(text)): \(error.description)\(form)")
        }
    }

    /// The row that it says.
    ///
    /// - Throws: ``CLIError/usage(_:)``, also where the service's price is wanted and there is none in `currency`.
    func row(
        id: Identifier,
        of service: SoldService?,
        in currency: Currency,
        usualTax: TaxRate?
    ) throws(CLIError) -> OrderRow {
        let values = try values(in: currency)
        var row = OrderRow(
            id: id,
            service: service?.id,
            text: label.flatMap(EnteredText.optional),
            quantity: values.quantity,
            sum: values.sum ?? 0
        )
        row.taxRate =
            switch values.tax {
            case .usual: usualTax
            case .rate(let rate): rate
            }
        guard values.quantity != nil else { return row }
        if let price = values.price {
            row.unitPrice = price
        } else {
            row.unitPrice = try ownPrice(of: service, in: currency)
        }
        do throws(AmountError) {
            try row.settle(currency)
        } catch {
            throw .usage("Row \(quoted(text)): \(error.description)")
        }
        return row
    }

    /// Where a price goes that the service doesn't have.
    private var advice: String {
        hasEquals ? "a price behind the x" : "the sum behind it, as in \(quoted("\(text)=9.50"))"
    }

    private func ownPrice(of service: SoldService?, in currency: Currency) throws(CLIError) -> Int64 {
        guard let service else { throw .usage("Row \(quoted(text)): there is no service to take the price from.") }
        guard let price = service.price else {
            throw .usage(
                "Row \(quoted(text)): the service \(quoted(service.name)) has no price; write \(advice)."
            )
        }
        guard price.currency == currency else {
            throw .usage(
                "Row \(quoted(text)): the service's price is \(price), and the order is in \(currency); write \(advice)."
            )
        }
        return price.amount
    }

    private static func trimmed(_ text: Substring, onlyEnd: Bool = false) -> Substring {
        var text = text
        while text.unicodeScalars.last?.properties.isWhitespace == true { text.unicodeScalars.removeLast() }
        while !onlyEnd, text.unicodeScalars.first?.properties.isWhitespace == true { text.unicodeScalars.removeFirst() }
        return text
    }
}

/// Rows as they are written, with the services that they name and the ids that they get.
struct WrittenRows: Sendable {
    private var rows: [(id: Identifier, text: RowText, serviceID: Identifier?, service: SoldService?)]
    private var usualTax: TaxRate?

    /// Finds the services, each once.
    ///
    /// - Parameters:
    ///   - key: what the rows' ids are made from, where it is given.
    ///   - index: of the first row among what the command makes.
    /// - Throws: what finding throws.
    init(_ texts: [String], key: Identifier?, from index: Int, by daybook: Invocation) async throws(CLIError) {
        let texts = texts.map(RowText.init)
        var services: [String: SoldService] = [:]
        var rows: [(Identifier, RowText, Identifier?, SoldService?)] = []
        for (offset, text) in texts.enumerated() {
            var serviceID: Identifier?
            if let name = text.service {
                if let id = daybook.wholeID(name), !text.takesOwnPrice {
                    serviceID = id
                } else if services[name] == nil {
                    services[name] = try await daybook.lookedUp(SoldService.self, name)
                }
            }
            let service = text.service.flatMap { services[$0] }
            rows.append((.made(by: key, index + offset), text, serviceID ?? service?.id, service))
        }
        self.rows = rows
        usualTax = daybook.configuration.taxRate
    }

    /// Puts the rows behind the order's; one that is there already is changed.
    ///
    /// - Throws: ``CLIError/usage(_:)`` for a sum that is none in the order's currency.
    func add(to order: inout Order) throws(CLIError) {
        for (id, text, serviceID, service) in rows {
            var row = try text.row(id: id, of: service, in: order.currency, usualTax: usualTax)
            row.service = serviceID
            if let known = order.rows.firstIndex(where: { $0.id == id }) {
                row.serviceName = order.rows[known].serviceName
                order.rows[known] = row
            } else {
                order.rows.append(row)
            }
        }
    }
}

extension Invocation {
    /// The currency of this code; without one the configuration's.
    ///
    /// - Throws: ``CLIError/usage(_:)``.
    func currency(_ code: String?) throws(CLIError) -> Currency {
        guard let code else { return configuration.currency }
        do throws(AmountError) {
            return try Currency(code: code)
        } catch {
            throw .usage("--currency: \(error.description)")
        }
    }
}
