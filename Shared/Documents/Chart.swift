/// Numbers to be looked at: bars beside their names, or a line over time.
public struct Chart: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Hashable, Sendable {
        /// One horizontal bar for each point: for names, of any length.
        case bars
        /// A line from left to right: for what goes on in time.
        case line
    }

    public struct Point: Codable, Hashable, Sendable {
        /// What it is the number of: a name, a month.
        public var label: String
        /// The number in the smallest unit, such as cents; may be negative.
        public var value: Int64
        /// The number as people write it.
        public var text: String

        public init(label: String, value: Int64, text: String) {
            self.label = label
            self.value = value
            self.text = text
        }
    }

    /// What the numbers are, with their unit: `Unpaid, EUR`.
    public var title: String
    public var kind: Kind
    /// In the order in which they are shown.
    public var points: [Point]

    public init(title: String, kind: Kind, points: [Point]) {
        self.title = title
        self.kind = kind
        self.points = points
    }
}
