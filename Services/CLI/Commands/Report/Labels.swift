import Messages

/// What people read for customers and services: the name, and where two share it, what tells them apart.
///
///     Kim Berg (8775)
///     IT (VALON)
struct Labels: Sendable {
    private let shared: Set<String>
    private let digits: Int

    /// - Parameter all: every one that is shown, perhaps more than once.
    init(_ all: [(id: Identifier?, name: String?, reference: String?)]) {
        var ids: [String: Set<Identifier>] = [:]
        for one in all {
            if let id = one.id, let name = one.name { ids[name, default: []].insert(id) }
        }
        let several = ids.filter { $0.value.count > 1 }
        shared = Set(several.keys)
        digits = CellText.idDigits(several.values.flatMap(\.self))
    }

    func label(_ id: Identifier?, _ name: String?, _ reference: String?) -> String {
        guard let name else { return Order.unknown }
        guard let id, shared.contains(name) else { return name }
        return "\(name) (\(reference ?? id.tail(digits)))"
    }
}
