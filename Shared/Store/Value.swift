public import Messages

/// A value that is bound to a statement's parameter.
public enum Value: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// Stored as 16 bytes.
    case id(Identifier)

    /// NULL for nil.
    public static func optional(_ text: String?) -> Value {
        text.map(Value.text) ?? .null
    }

    /// NULL for nil.
    public static func optional(_ integer: Int64?) -> Value {
        integer.map(Value.integer) ?? .null
    }

    /// NULL for nil.
    public static func optional(_ id: Identifier?) -> Value {
        id.map(Value.id) ?? .null
    }

    /// As `2024-03-31`; NULL for nil.
    public static func day(_ value: CalendarDay?) -> Value {
        value.map { .text($0.description) } ?? .null
    }

    /// 1 or 0.
    public static func boolean(_ value: Bool) -> Value {
        .integer(value ? 1 : 0)
    }

    /// The bits of an unsigned number: the store's integers are signed.
    public static func bits(_ value: UInt64) -> Value {
        .integer(Int64(bitPattern: value))
    }
}
