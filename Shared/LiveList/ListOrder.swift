internal import CBOR
public import Messages

/// A sort and a section key made ready for many rows.
public struct ListOrder: Sendable {
    /// Where there is no column, the id.
    private let keys: [(column: Int?, kind: ListSchema.Kind, isDescending: Bool)]
    private let section: (column: Int, kind: ListSchema.Kind, by: ListQuery.Section.Form?, isDescending: Bool)?

    /// - Parameter fallback: the order where the query tells none.
    /// - Throws: `ListError.unanswerable` for an unknown field, more than 8 keys, or a form that the field doesn't have.
    public init(
        sort: [SortKey]?,
        otherwise fallback: [SortKey] = [],
        section: ListQuery.Section? = nil,
        _ schema: ListSchema
    ) throws(ListError) {
        let sort = sort ?? []
        guard sort.count <= 8 else {
            throw .unanswerable(field: "sort", found: "\(sort.count) keys", reason: "a sort has at most 8 keys")
        }
        var keys: [(Int?, ListSchema.Kind, Bool)] = []
        for key in sort.isEmpty ? fallback : sort {
            let column = key.field == "id" ? nil : try schema.column(key.field, for: "sort")
            keys.append((column?.index, column?.kind ?? .id, key.descending ?? false))
        }
        self.keys = keys
        self.section = try section.map { (section) throws(ListError) in
            let column = try schema.column(section.field, for: "section")
            switch (section.by, column.kind) {
            case (nil, _), (.month, .day), (.year, .day), (.letter, .text): break
            case (let form?, _):
                throw .unanswerable(
                    field: "section",
                    found: section.field,
                    reason: "'\(section.field)' has no \(form.rawValue): days have months and years, text has letters"
                )
            }
            return (column.index, column.kind, section.by, section.descending ?? false)
        }
    }

    /// The row's place in its section.
    public func key(_ row: RowValues) -> OrderKey {
        var order = OrderKey()
        for key in keys {
            guard let column = key.column else {
                order.add(row.id, descending: key.isDescending)
                continue
            }
            order.add(row[column], key.kind, descending: key.isDescending)
        }
        return order
    }

    /// The row's section: its value as it is, or `2024-03`, `2024`, `A`; null where the field is absent.
    public func section(_ row: RowValues) -> SectionKey {
        guard let section else { return .none }
        let value = row[section.column]
        var order = OrderKey()
        switch (section.by, value) {
        case (.month, .day(let day)):
            order.add(Int64(day.year * 12 + day.month), descending: section.isDescending)
            return SectionKey(order: order, value: text(String(day.description.prefix(7))))
        case (.year, .day(let day)):
            order.add(Int64(day.year), descending: section.isDescending)
            return SectionKey(order: order, value: text(String(day.description.prefix(4))))
        case (.letter, .text(_, _, let folded)):
            let letter = folded.unicodeScalars.first
            order.add(letter.map { Int64($0.value) }, descending: section.isDescending)
            let value = letter.map { text(String($0).uppercased()) } ?? SectionKey.none.value
            return SectionKey(order: order, value: value)
        case (.some, _):
            order.add(nil as Int64?, descending: section.isDescending)
            return SectionKey(order: order, value: SectionKey.none.value)
        case (nil, _):
            order.add(value, section.kind, descending: section.isDescending)
            return SectionKey(order: order, value: shown(value))
        }
    }

    private func shown(_ value: FieldValue) -> EncodedCBOR {
        switch value {
        case .absent: SectionKey.none.value
        case .text(let value, _, _): text(value)
        case .integer(let value): EncodedCBOR(trusted: value.encoded())
        case .boolean(let value): EncodedCBOR(trusted: value.encoded())
        case .day(let value): text(value.description)
        case .id(let value): EncodedCBOR(trusted: value.encoded())
        }
    }

    private func text(_ value: String) -> EncodedCBOR { EncodedCBOR(trusted: value.encoded()) }
}

extension OrderKey {
    /// Adds a field's value the way the store orders it: an absent text as an empty collation key.
    fileprivate mutating func add(_ value: FieldValue, _ kind: ListSchema.Kind, descending: Bool) {
        switch kind {
        case .text:
            if case .text(_, let key, _) = value {
                add(collationKey: key, descending: descending)
            } else {
                add(collationKey: [], descending: descending)
            }
        case .integer:
            if case .integer(let value) = value {
                add(value, descending: descending)
            } else {
                add(nil as Int64?, descending: descending)
            }
        case .boolean: add(value == .boolean(true), descending: descending)
        case .day:
            if case .day(let day) = value {
                add(day, descending: descending)
            } else {
                add(nil as CalendarDay?, descending: descending)
            }
        case .id:
            if case .id(let id) = value {
                add(id, descending: descending)
            } else {
                add(nil as Identifier?, descending: descending)
            }
        }
    }
}
