import CSV

extension FuzzTarget {
    /// A table: whole or in pieces it has the same records, and what is written of them is read back as the same.
    static let csv = FuzzTarget(
        name: "csv",
        seeds: ["name,city\r\nAnn,Oslo\n", "a;b\n\"1;\"\"2\"\"\n\";x\n", "\u{FEFF}x\ty\r'=1\t-2\r", "a|b\n\"\"|,\n"]
            .map { Array($0.utf8) }
    ) { (bytes) throws(Finding) in
        let delimiter = CSVDelimiter.detect(in: bytes) ?? .comma
        let (records, error) = read([bytes], delimiter)
        let third = bytes.count / 3
        let pieces = [Array(bytes[..<third]), Array(bytes[third..<(2 * third)]), Array(bytes[(2 * third)...])]
        let split = read(pieces, delimiter)
        try require(split.records == records, "other records in pieces: \(split.records), \(records)")
        try require(split.error == error, "another error in pieces: \(split.error ?? "none"), \(error ?? "none")")
        for isSafe in [false, true] {
            var writer = CSVWriter(delimiter: delimiter, lineEnd: .crlf, spreadsheetSafe: isSafe)
            for record in records { writer.write(record.map { .text($0) }) }
            var again = read([writer.take()], delimiter)
            try require(again.error == nil, "what was written can't be read: \(again.error ?? "")")
            if isSafe { again.records = again.records.map { $0.map(SpreadsheetText.unneutralised) } }
            try require(again.records == records, "\(records) is read back as \(again.records)")
        }
        _ = try? CSVRowReader.rows(of: bytes, delimiter: delimiter)
    }

    private static func read(
        _ pieces: [[UInt8]],
        _ delimiter: CSVDelimiter
    ) -> (records: [[String]], error: String?) {
        var reader = CSVReader(
            delimiter: delimiter,
            limits: CSVLimits(fieldBytes: 1000, recordBytes: 3000, columns: 50)
        )
        var records: [[String]] = []
        do throws(CSVError) {
            for piece in pieces {
                reader.append(piece)
                while let record = try reader.next() { records.append(Array(record)) }
            }
            reader.finish()
            while let record = try reader.next() { records.append(Array(record)) }
            return (records, nil)
        } catch {
            return (records, "\(error)")
        }
    }
}
