/// A reply that may be larger than one frame: it travels in several, each a reply of its own with a part of the rows.
public protocol FramedReply: Codable, Sendable {
    /// The reply in parts of at most so many rows, which put together are the whole; at least one part.
    func frames(ofRows count: Int) -> [Self]
    /// Adds the next part.
    mutating func append(_ part: Self)
}

extension FramedReply {
    /// The parts of rows, where `make` puts the rows of one frame into a reply; the first has what is not rows.
    func parts<Row>(_ rows: [Row], of count: Int, _ make: (ArraySlice<Row>, _ isFirst: Bool) -> Self) -> [Self] {
        guard !rows.isEmpty else { return [self] }
        return stride(from: 0, to: rows.count, by: count).map { start in
            make(rows[start..<min(start + count, rows.count)], start == 0)
        }
    }
}
