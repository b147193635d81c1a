public import CBOR

/// Opens a live list: what it shows now, and the topic that its batches are published on.
///
/// The first body frame of the answer is a ``Reply``; a list that doesn't fit goes on in frames of ``ListPart``.
public struct OpenList: Request, Hashable {
    public static let operation = "list.open"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Hashable, Sendable {
        /// What to subscribe to.
        public var topic: String
        /// Minted when the list was built: another one means that its batches don't continue these rows.
        public var list: Identifier
        /// Raised by one with each batch.
        public var number: Int64
        /// See ``ListDigest``. Over all frames' rows.
        public var digest: UInt64
        public var positions: Positions
        public var sections: [ListSection]

        public init(
            topic: String,
            list: Identifier,
            number: Int64,
            digest: UInt64,
            positions: Positions,
            sections: [ListSection]
        ) {
            self.topic = topic
            self.list = list
            self.number = number
            self.digest = digest
            self.positions = positions
            self.sections = sections
        }

        /// Puts the rows of a further frame behind those of this one.
        public mutating func append(_ part: ListPart) {
            var added = part.sections[...]
            if let first = added.first, let last = sections.indices.last, sections[last].key == first.key {
                sections[last].rows += first.rows
                added = added.dropFirst()
            }
            sections += added
        }

        /// Cuts the reply where a frame would grow over `mostBytes`; a row larger than that has a frame of its own.
        public func split(mostBytes: Int = 1024 * 1024) -> (first: Reply, rest: [ListPart]) {
            let allowance = 512 + topic.utf8.count + positions.count * 64
            var parts: [ListPart] = [ListPart(sections: [])]
            var bytes = allowance
            for section in sections {
                var isNew = true
                for row in section.rows {
                    let cost = row.bytes.count + (isNew ? section.key.bytes.count + 24 : 0)
                    if bytes + cost > mostBytes, bytes > allowance {
                        parts.append(ListPart(sections: []))
                        (bytes, isNew) = (allowance, true)
                    }
                    if isNew { parts[parts.count - 1].sections.append(ListSection(key: section.key, rows: [])) }
                    let last = parts[parts.count - 1].sections.count - 1
                    parts[parts.count - 1].sections[last].rows.append(row)
                    bytes += cost
                    isNew = false
                }
            }
            var first = self
            first.sections = parts[0].sections
            return (first, Array(parts.dropFirst()))
        }
    }

    public var query: ListQuery

    public init(_ query: ListQuery) {
        self.query = query
    }
}

/// Rows that stand together under one key. Never empty in a reply.
public struct ListSection: Codable, Hashable, Sendable {
    /// Null where the query has no section key. No two sections of a list have equal keys.
    public var key: EncodedCBOR
    /// Each as its entity or report encodes it.
    public var rows: [EncodedCBOR]

    public init(key: EncodedCBOR, rows: [EncodedCBOR]) {
        self.key = key
        self.rows = rows
    }
}

/// A further frame of rows. Where its first section's key equals the last one before, it continues that section.
public struct ListPart: Codable, Hashable, Sendable {
    public var sections: [ListSection]

    public init(sections: [ListSection]) {
        self.sections = sections
    }
}
