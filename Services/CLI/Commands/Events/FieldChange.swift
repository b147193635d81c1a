import CBOR
import Messages

/// What an event did to one field.
struct FieldChange: Sendable, Hashable {
    var field: String
    /// nil where there was nothing.
    var from: CBORValue?
    /// nil where there is nothing any more.
    var to: CBORValue?

    /// All of an event, in the order of the record's fields; its id and version are left out.
    static func all(of event: Event) -> [FieldChange] {
        let before = pairs(event.before)
        let after = pairs(event.data)
        if event.before == nil { return after.map { FieldChange(field: $0.key, from: nil, to: $0.value) } }
        return before.map { old in
            FieldChange(
                field: old.key,
                from: old.value == .null ? nil : old.value,
                to: after.first { $0.key == old.key }?.value
            )
        }
    }

    private static func pairs(_ encoded: EncodedCBOR?) -> [(key: String, value: CBORValue)] {
        guard let encoded, case .map(let pairs)? = try? encoded.decode(CBORValue.self) else { return [] }
        return pairs.compactMap { pair in
            guard case .text(let key) = pair.key, key != "id", key != "version" else { return nil }
            return (key, pair.value)
        }
    }

    /// `paid: false → true`, safe for a terminal and cut to a readable length; what was not there is `–`.
    var text: String { "\(CellText.escaped(field)): \(Self.short(from)) → \(Self.short(to))" }

    /// A value as people read it: text and amounts plainly, all else as JSON.
    static func plain(_ value: CBORValue) -> String {
        switch value {
        case .text(let text): text
        case .map(let pairs) where pairs.count == 2:
            (try? CBORDecoder().decode(Money.self, from: value.encoded()))?.description ?? GenericJSON.text(value)
        case .bytes(let bytes): Identifier(bytes: bytes)?.description ?? GenericJSON.text(value)
        default: GenericJSON.text(value)
        }
    }

    private static let longest = 60

    private static func short(_ value: CBORValue?) -> String {
        guard let value else { return "–" }
        let text = plain(value)
        return CellText.escaped(text.count > longest ? text.prefix(longest - 1) + "…" : text)
    }
}
