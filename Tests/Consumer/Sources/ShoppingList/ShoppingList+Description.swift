import LiveList
import Messages

extension ShoppingList: CustomStringConvertible {
    var description: String {
        items.sections.map { $0.rows.map(\.name).joined(separator: ", ") }.joined(separator: " | ")
    }
}

extension ListBatch {
    /// Each step in a few signs: `-0.1 +1.0 0.2>1.0 *0.0`, and sections `-0 +1`.
    var described: String {
        var steps = (sections?.delete ?? []).map { "-\($0)" }
        steps += (sections?.insert ?? []).map { "+\($0.at)" }
        steps += (delete ?? []).map { "-\($0.described)" }
        steps += (insert ?? []).map { "+\($0.to.described)" }
        steps += (move ?? []).map { "\($0.from.described)>\($0.to.described)" }
        steps += (update ?? []).map { "*\($0.to.described)" }
        return steps.joined(separator: " ")
    }
}

extension ListPath {
    fileprivate var described: String { "\(section).\(item)" }
}
