import Messages

/// A row as it is written on the command line: `Bath=10.00`, `=10.00` or `10.00`.
struct RowText: Sendable, Hashable {
    /// What the service is called; nil for just a sum.
    var service: String?
    private var text: String
    private var amount: String

    /// Splits at the last equals sign, so that a name may hold some.
    init(_ text: String) {
        // By bytes: an equals sign before a combining mark is a Character of its own.
        let bytes = text.utf8
        let equals = bytes.lastIndex(of: UInt8(ascii: "="))
        let name = equals.map { String(text[..<$0]) } ?? ""
        self.text = text
        amount = equals.map { String(text[bytes.index(after: $0)...]) } ?? text
        service = name.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : name
    }

    /// The sum in minor units.
    ///
    /// - Throws: ``CLIError/usage(_:)``.
    func sum(in currency: Currency) throws(CLIError) -> Int64 {
        do throws(AmountError) {
            return try DecimalText.minorUnits(amount, decimals: currency.decimals)
        } catch {
            var form = ""
            // No number at all: perhaps a service without its sum.
            if case .unexpected = error, amount == text { form = " A row is SERVICE=SUM, or just a sum." }
            throw .usage("Row \(quoted(text)): \(error.description)\(form)")
        }
    }
}

/// Rows as they are written, with the services that they name and the ids that they get.
struct WrittenRows: Sendable {
    private var rows: [(id: Identifier, text: RowText, service: Identifier?)]

    /// Finds the services, each once.
    ///
    /// - Parameters:
    ///   - key: what the rows' ids are made from, where it is given.
    ///   - index: of the first row among what the command makes.
    /// - Throws: what finding throws.
    init(_ texts: [String], key: Identifier?, from index: Int, by daybook: Invocation) async throws(CLIError) {
        let texts = texts.map(RowText.init)
        var services: [String: Identifier] = [:]
        for name in texts.compactMap(\.service) where services[name] == nil {
            services[name] = try await daybook.resolver.record(SoldService.self, name).id
        }
        rows = texts.enumerated().map { offset, text in
            (.made(by: key, index + offset), text, text.service.flatMap { services[$0] })
        }
    }

    /// Puts the rows behind the order's; one that is there already is changed.
    ///
    /// - Throws: ``CLIError/usage(_:)`` for a sum that is none in the order's currency.
    func add(to order: inout Order) throws(CLIError) {
        for (id, text, service) in rows {
            let sum = try text.sum(in: order.currency)
            if let known = order.rows.firstIndex(where: { $0.id == id }) {
                order.rows[known].service = service
                order.rows[known].sum = sum
            } else {
                order.rows.append(OrderRow(id: id, service: service, sum: sum))
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
