import Messages

extension Invocation {
    /// Shows an order's rows, and what changes in them.
    ///
    /// - Throws: as ``watch(partsOf:sort:as:_:)``.
    func watchRows(of order: Order, by sort: RowSort) async throws(CLIError) {
        let sort = sort == .position ? [SortKey("position")] : nil
        try await watch(partsOf: order, sort: sort, as: .orderRow) { (rows: [ListedPart<OrderRow>]) in
            // Numbers are those by the services' names, however the rows are sorted.
            var known = order
            known.currency = rows.first?.currency ?? order.currency
            known.rows = rows.sorted { $0.position < $1.position }.map(\.part)
            let lines = Dictionary(known.lines.map { ($0.id, $0) }) { first, _ in first }
            return rows.compactMap { lines[$0.id] }
        }
    }
}
