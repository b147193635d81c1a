internal import CBOR

extension List {
    /// Reads a list's request as it is usually written: without a moment, and with a filter that joins no others. Lists are many.
    ///
    /// - Returns: nil for any other form; `CBORDecoder` reads them all.
    public init?(quickly bytes: [UInt8]) {
        let list = CBORReader.quickly(bytes) { (reader) throws(CBORError) -> List in
            var list = List()
            var map = try reader.openMap()
            if try reader.begins("filter", &map) { list.filter = try Filter(quickly: &reader) }
            if try reader.begins("sort", &map) {
                list.sort = []
                for _ in 0..<(try reader.arrayHead()) { list.sort?.append(try SortKey(quickly: &reader)) }
            }
            if try reader.begins("after", &map) { list.after = try reader.byteString() }
            if try reader.begins("limit", &map) { list.limit = try reader.integer(as: Int.self) }
            try reader.close(map)
            return list
        }
        guard let list else { return nil }
        self = list
    }
}

extension CBORReader {
    /// Whether the next pair has this key; then its value comes next.
    fileprivate mutating func begins(_ key: StaticString, _ map: inout OpenMap) throws(CBORError) -> Bool {
        guard try takes(key) else { return false }
        map.passed()
        return true
    }
}

extension SortKey {
    fileprivate init(quickly reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        self.init(try reader.required("field", &map), descending: try reader.optional("descending", &map))
        try reader.close(map)
    }
}

extension Filter {
    fileprivate init(quickly reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        let operation: String = try reader.required("op", &map)
        switch operation {
        case "=":
            let field: String = try reader.required("field", &map)
            self = .equal(field, try FilterValue.optional("value", &reader, &map))
        case "range":
            let field: String = try reader.required("field", &map)
            let from = try FilterValue.optional("from", &reader, &map)
            self = .range(field, from: from, through: try FilterValue.optional("through", &reader, &map))
        case "contains":
            self = .contains(try reader.required("field", &map), try reader.required("value", &map))
        case "starts-with":
            self = .startsWith(try reader.required("field", &map), try reader.required("value", &map))
        case "search":
            self = .search(try reader.optional("field", &map), try reader.required("value", &map))
        default: throw reader.givingUp()
        }
        try reader.close(map)
    }
}

extension FilterValue {
    fileprivate static func optional(
        _ key: StaticString,
        _ reader: inout CBORReader,
        _ map: inout CBORReader.OpenMap
    ) throws(CBORError) -> FilterValue? {
        guard try reader.begins(key, &map) else { return nil }
        switch reader.majorType {
        case 0, 1: return .integer(try reader.int())
        case 2: return .id(try Identifier(from: &reader))
        case 3: return .text(try reader.text())
        default: return .boolean(try reader.bool())
        }
    }
}
