/// How much of foreign bytes is taken. What is beyond is refused before memory is spent on it.
public struct CSVLimits: Hashable, Sendable {
    /// The most bytes of one field as written, its quotes included.
    public let fieldBytes: Int
    /// The most bytes of one record, without its line end; at most 1 GiB.
    public let recordBytes: Int
    /// The most fields of one record.
    public let columns: Int

    /// 1 MiB in a field, 4 MiB in a record, 1,000 columns, unless said otherwise. Each is held to 1...2^30.
    public init(fieldBytes: Int = 1 << 20, recordBytes: Int = 1 << 22, columns: Int = 1000) {
        self.fieldBytes = min(max(fieldBytes, 1), 1 << 30)
        self.recordBytes = min(max(recordBytes, 1), 1 << 30)
        self.columns = min(max(columns, 1), 1 << 30)
    }
}
