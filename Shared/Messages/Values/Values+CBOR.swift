public import CBOR

extension Instant: CBORShortcut {
    public func encode(into writer: inout CBORWriter) { writer.int(microseconds) }
    public init(from reader: inout CBORReader) throws(CBORError) { self.init(microseconds: try reader.int()) }
}

extension CalendarDay: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        withUTF8 { writer.text(utf8: $0) }
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        let date = try reader.withText { text -> CalendarDay? in
            guard text.count == 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return nil }
            func number(_ places: Range<Int>) -> Int? {
                var number = 0
                for place in places {
                    guard case UInt8(ascii: "0")...UInt8(ascii: "9") = text[place] else { return nil }
                    number = number * 10 + Int(text[place] - UInt8(ascii: "0"))
                }
                return number
            }
            guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else { return nil }
            return try? CalendarDay(year: year, month: month, day: day)
        }
        guard let date else { throw reader.givingUp() }
        self = date
    }
}

extension Currency: CBORShortcut {
    public func encode(into writer: inout CBORWriter) { withUnsafeBytes(of: letters) { writer.text(utf8: $0) } }

    public init(from reader: inout CBORReader) throws(CBORError) {
        guard let currency = try reader.withText({ Currency(utf8: $0) }) else { throw reader.givingUp() }
        self = currency
    }
}

extension Quantity: CBORShortcut {
    public func encode(into writer: inout CBORWriter) { writer.text(description) }

    public init(from reader: inout CBORReader) throws(CBORError) {
        guard let quantity = try? Quantity(parsing: try reader.text()) else { throw reader.givingUp() }
        self = quantity
    }
}

extension TaxRate: CBORShortcut {
    public func encode(into writer: inout CBORWriter) { writer.int(Int64(hundredths)) }

    public init(from reader: inout CBORReader) throws(CBORError) {
        guard let rate = TaxRate(hundredths: try reader.integer(as: Int.self)) else { throw reader.givingUp() }
        self = rate
    }
}

extension Money: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("amount", amount, &map)
        writer.required("currency", currency, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        let amount: Int64 = try reader.required("amount", &map)
        self.init(amount: amount, currency: try reader.required("currency", &map))
        try reader.close(map)
    }
}
