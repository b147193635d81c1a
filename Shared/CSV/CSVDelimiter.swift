/// The byte between two fields.
public enum CSVDelimiter: UInt8, Sendable, CaseIterable {
    case comma = 0x2c
    case semicolon = 0x3b
    case tab = 0x09
    case pipe = 0x7c

    /// The delimiter that `bytes` were probably written with; `nil` when the first line has one column by any of them.
    ///
    /// Each delimiter is tried on the beginning, up to 64 KiB and 50 records. Those that give the same number of
    /// columns throughout come first, and then those that give the most columns to the first line. Commas in a text or
    /// a sum further down don't count, nor does anything within quotes.
    public static func detect(in bytes: some Collection<UInt8>) -> CSVDelimiter? {
        let beginning = [UInt8](bytes.prefix(65_536))
        let isWhole = beginning.count == bytes.count
        var best: (delimiter: CSVDelimiter, isEven: Bool, columns: Int)?
        for delimiter in allCases {
            guard let (columns, isEven) = delimiter.trial(on: beginning, isWhole: isWhole), columns > 1 else {
                continue
            }
            if let best, (best.isEven ? 1 : 0, best.columns) >= (isEven ? 1 : 0, columns) { continue }
            best = (delimiter, isEven, columns)
        }
        return best?.delimiter
    }

    /// The columns of the first record, and whether the others have as many; `nil` where it can't be CSV.
    private func trial(on bytes: [UInt8], isWhole: Bool) -> (columns: Int, isEven: Bool)? {
        var reader = CSVReader(delimiter: self)
        reader.append(bytes)
        if isWhole { reader.finish() }
        var (columns, isEven) = (0, true)
        do throws(CSVError) {
            for _ in 0..<50 {
                guard let record = try reader.next() else { break }
                if columns == 0 { columns = record.count }
                isEven = isEven && record.count == columns
            }
        } catch {
            // Quotes out of place tell that the delimiter is another; other faults are for the real reading to tell.
            if case .textAfterQuote = error { return nil }
            if columns == 0 { return nil }
        }
        return (columns, isEven)
    }
}
