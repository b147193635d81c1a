/// The state machine under ``CSVReader``: where one is between two bytes. It owns no bytes and stops at any of them.
struct CSVScan: Sendable {
    private enum State {
        /// Between records, perhaps between the CR and the LF of one line end.
        case recordStart
        case fieldStart
        case plain
        case quoted
        /// After a quote that closes the field or is the first of two.
        case afterQuote
    }

    private let delimiter: UInt8
    private let limits: CSVLimits
    private var state = State.recordStart
    /// The next byte to look at.
    private var position = 0
    /// The line of that byte.
    private var line = 1
    private var fieldStart = 0
    private var isDoubled = false
    private var quoteLine = 1
    /// Whether the last byte was a CR, with which an LF makes one line end.
    private var isAfterReturn = false
    /// All bytes of the record, or-ed: below 0x80 it is ASCII and needs no look at its UTF-8.
    private var union = UInt8(0)
    private var fields: [CSVRecord.Field] = []
    private var expectedFields = 0

    /// Of the last complete record.
    private(set) var recordStart = 0
    private(set) var recordLine = 1

    init(delimiter: UInt8, limits: CSVLimits) {
        self.delimiter = delimiter
        self.limits = limits
    }

    /// How many bytes in front are done with.
    var consumed: Int { state == .recordStart ? position : recordStart }

    /// Follows the bytes when `count` of them are dropped in front.
    mutating func forget(_ count: Int) {
        position -= count
        recordStart -= count
        fieldStart -= count
    }

    /// Passes over bytes that are no part of a record.
    mutating func skip(_ count: Int) {
        position += count
    }

    /// The fields of the record that is complete, in its own coordinates.
    mutating func takeFields() -> [CSVRecord.Field] {
        expectedFields = fields.count
        defer { fields = [] }
        return fields
    }

    /// Goes on to the end of a record; `false` at the end of the bytes.
    mutating func advance(over bytes: Span<UInt8>, isLast: Bool) throws(CSVError) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            switch state {
            case .recordStart:
                if byte == lineFeed || byte == carriageReturn {
                    passLineEnd(byte)
                } else {
                    beginRecord()
                }
            case .fieldStart:
                fieldStart = position
                isDoubled = false
                if byte == quote {
                    quoteLine = line
                    isAfterReturn = false
                    position += 1
                    state = .quoted
                } else {
                    state = .plain
                }
            case .plain:
                passPlain(bytes)
                if position < bytes.count, try endField(before: bytes[position], bytes) { return true }
            case .quoted:
                passQuoted(bytes)
            case .afterQuote:
                if byte == quote {
                    isDoubled = true
                    isAfterReturn = false
                    position += 1
                    state = .quoted
                } else if byte == delimiter || byte == lineFeed || byte == carriageReturn {
                    if try endField(before: byte, bytes) { return true }
                } else {
                    throw .textAfterQuote(line: line, column: fields.count + 1)
                }
            }
        }
        if state == .plain || state == .quoted || state == .afterQuote { try checkLength() }
        return isLast ? try endLastRecord(bytes) : false
    }

    private mutating func beginRecord() {
        recordStart = position
        recordLine = line
        union = 0
        // Records are alike, so the last one tells how much to allocate.
        fields.reserveCapacity(expectedFields)
        state = .fieldStart
    }

    /// Counts a line, the LF after a CR not again.
    private mutating func passLineEnd(_ byte: UInt8) {
        if byte == carriageReturn || !isAfterReturn { line += 1 }
        isAfterReturn = byte == carriageReturn
        position += 1
    }

    /// Moves to the delimiter or line end after a field without quotes.
    private mutating func passPlain(_ bytes: Span<UInt8>) {
        var (position, union) = (position, union)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == delimiter || byte == lineFeed || byte == carriageReturn { break }
            union |= byte
            position += 1
        }
        self.position = position
        self.union = union
    }

    /// Moves past the next quote, counting lines.
    private mutating func passQuoted(_ bytes: Span<UInt8>) {
        var (position, union) = (position, union)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == quote {
                position += 1
                state = .afterQuote
                break
            }
            if byte == carriageReturn || byte == lineFeed && !isAfterReturn { line += 1 }
            isAfterReturn = byte == carriageReturn
            union |= byte
            position += 1
        }
        self.position = position
        self.union = union
    }

    /// Ends the field, and with a line end the record; says whether it did.
    private mutating func endField(before byte: UInt8, _ bytes: Span<UInt8>) throws(CSVError) -> Bool {
        try appendField()
        if byte == delimiter {
            position += 1
            state = .fieldStart
            return false
        }
        try checkText(bytes)
        isAfterReturn = false
        passLineEnd(byte)
        state = .recordStart
        return true
    }

    private mutating func endLastRecord(_ bytes: Span<UInt8>) throws(CSVError) -> Bool {
        switch state {
        case .recordStart: return false
        case .quoted: throw .unterminatedQuote(line: quoteLine, column: fields.count + 1)
        case .fieldStart: fieldStart = position
        case .plain, .afterQuote: break
        }
        try appendField()
        try checkText(bytes)
        state = .recordStart
        return true
    }

    private mutating func appendField() throws(CSVError) {
        try checkLength()
        guard fields.count < limits.columns else { throw .tooManyColumns(line: recordLine, limit: limits.columns) }
        let isQuoted = state == .afterQuote
        let quotes = isQuoted ? 1 : 0
        fields.append(
            CSVRecord.Field(
                start: UInt32(fieldStart - recordStart + quotes),
                end: UInt32(position - recordStart - quotes),
                isQuoted: isQuoted,
                isDoubled: isQuoted && isDoubled
            )
        )
    }

    private func checkLength() throws(CSVError) {
        guard position - fieldStart <= limits.fieldBytes else {
            throw .fieldTooLong(line: recordLine, column: fields.count + 1, limit: limits.fieldBytes)
        }
        guard position - recordStart <= limits.recordBytes else {
            throw .recordTooLong(line: recordLine, limit: limits.recordBytes)
        }
    }

    /// Looks at the UTF-8 of the whole record; its fields lie between ASCII bytes, so they are valid if it is.
    private func checkText(_ bytes: Span<UInt8>) throws(CSVError) {
        guard union >= 0x80 else { return }
        let record = bytes.extracting(recordStart..<position)
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: record)
        } catch {
            let offset = error.byteOffsets.lowerBound
            let column = fields.firstIndex { offset < $0.end } ?? 0
            var (line, isAfterReturn) = (recordLine, false)
            for index in 0..<offset {
                let byte = record[index]
                if byte == carriageReturn || byte == lineFeed && !isAfterReturn { line += 1 }
                isAfterReturn = byte == carriageReturn
            }
            throw .notUTF8(line: line, column: column + 1, byte: record[offset])
        }
    }
}
