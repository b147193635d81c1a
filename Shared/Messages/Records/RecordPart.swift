public import CBOR

/// What stands within a record and has an id of its own: a row of an order.
public protocol RecordPart: Codable, Hashable, Sendable {
    /// What lists name the parts by: `order-row`.
    static var entity: String { get }
    /// The record's entity, and the field of `ListedPart` that refers to it.
    static var owner: String { get }
    /// The service that keeps the record.
    static var service: ServiceName { get }
    var id: Identifier { get }
}

/// A part of a record as lists have it.
///
///     {"id": …, "order": …, "position": 0, "currency": "EUR", "part": {"id": …, "sum": 1250}}
public struct ListedPart<Part: RecordPart>: Listed {
    public static var entity: String { Part.entity }
    public static var service: ServiceName { Part.service }

    /// The record that it is a part of; on the wire by the name of its entity.
    public var owner: Identifier
    /// Its place among the record's parts, from 0.
    public var position: Int
    /// What the part's amounts are in, where the record says it.
    public var currency: Currency?
    public var part: Part

    /// The part's.
    public var id: Identifier { part.id }

    public init(owner: Identifier, position: Int, currency: Currency? = nil, part: Part) {
        self.owner = owner
        self.position = position
        self.currency = currency
        self.part = part
    }
}

extension ListedPart: Codable {
    private struct Key: CodingKey {
        static var id: Key { Key(stringValue: "id") }
        static var owner: Key { Key(stringValue: Part.owner) }
        static var position: Key { Key(stringValue: "position") }
        static var currency: Key { Key(stringValue: "currency") }
        static var part: Key { Key(stringValue: "part") }

        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        owner = try container.decode(Identifier.self, forKey: .owner)
        position = try container.decode(Int.self, forKey: .position)
        currency = try container.decodeIfPresent(Currency.self, forKey: .currency)
        part = try container.decode(Part.self, forKey: .part)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(owner, forKey: .owner)
        try container.encode(position, forKey: .position)
        try container.encodeIfPresent(currency, forKey: .currency)
        try container.encode(part, forKey: .part)
    }
}

extension ListedPart: CBORDirect, CBORShortcut where Part: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        writer.mapHead(currency == nil ? 4 : 5)
        writer.text("id")
        id.encode(into: &writer)
        writer.text(Part.owner)
        owner.encode(into: &writer)
        writer.text("position")
        position.encode(into: &writer)
        if let currency {
            writer.text("currency")
            currency.encode(into: &writer)
        }
        writer.text("part")
        part.encode(into: &writer)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        let id: Identifier = try reader.required("id", &map)
        guard try reader.text() == Part.owner else { throw reader.givingUp() }
        owner = try Identifier(from: &reader)
        map.passed()
        position = try reader.required("position", &map)
        currency = try reader.optional("currency", &map)
        part = try reader.required("part", &map)
        try reader.close(map)
        guard part.id == id else { throw reader.givingUp() }
    }
}

extension OrderRow: RecordPart {
    public static let entity = "order-row"
    public static let owner = Order.entity
    public static let service = Order.service
}

extension Payment: RecordPart {
    public static let entity = "payment"
    public static let owner = Order.entity
    public static let service = Order.service
}

extension Ingredient: RecordPart {
    public static let entity = "ingredient"
    public static let owner = Recipe.entity
    public static let service = Recipe.service
}

extension RecipeStep: RecordPart {
    public static let entity = "step"
    public static let owner = Recipe.entity
    public static let service = Recipe.service
}

extension WalkDog: RecordPart {
    public static let entity = "walk-dog"
    public static let owner = Walk.entity
    public static let service = Walk.service
}
