/// A running number as people write it: `17`, `#17` or `2024-17`.
struct RunningNumber: Sendable, Hashable {
    var number: Int64
    var year: Int?

    init?(_ text: String) {
        let text = text.hasPrefix("#") ? text.dropFirst() : text[...]
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
            let number = Int64(parts[parts.count - 1])
        else { return nil }
        self.number = number
        guard parts.count == 2 else { return }
        guard parts[0].utf8.count == 4, let year = Int(parts[0]) else { return nil }
        self.year = year
    }
}
