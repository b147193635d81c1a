import Messages

extension ListOptions {
    /// The sort that was asked for, with fields that lists on the wire call otherwise.
    ///
    /// - Parameter names: the wire's name of a printed field: `["dog": "dog.name"]`.
    func sortKeys(_ names: [String: String]) -> [SortKey]? {
        sortKeys?.map { SortKey(names[$0.field] ?? $0.field, descending: $0.descending) }
    }
}
