public import CBOR

/// Opens a live list: what it shows now, and the topic that its batches are published on.
///
/// A list too large for one frame comes in several, each a ``Reply`` with a part of the rows.
public struct OpenList: Request, Hashable {
    public static let operation = "list.open"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = nil

    public struct Reply: FramedReply, Hashable {
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

        /// Puts the rows of a further frame behind those of this one. Where its first section's key equals the last
        /// one here, it continues that section.
        public mutating func append(_ part: Reply) {
            var added = part.sections[...]
            if let first = added.first, let last = sections.indices.last, sections[last].key == first.key {
                sections[last].rows += first.rows
                added = added.dropFirst()
            }
            sections += added
        }

        /// The reply in parts that encode to at most so many bytes; a row too large for that has a part of its own.
        public func frames(ofBytes mostBytes: Int) -> [Reply] {
            let envelope = 160 + topic.utf8.count + positions.reduce(0) { $0 + $1.key.utf8.count + 40 }
            var bytes = envelope
            return cut { row, section, opens in
                bytes += row + (opens ? section : 0)
                if bytes <= mostBytes { return false }
                bytes = envelope + section + row
                return true
            }
        }

        public func frames(ofRows count: Int) -> [Reply] {
            var rows = 0
            return cut { _, _, _ in
                rows += 1
                if rows <= count { return false }
                rows = 1
                return true
            }
        }

        /// - Parameter beginsPart: told the bytes of each row, those of its section without rows, and whether it opens
        ///   the section; says whether the row is the first of a new part.
        private func cut(where beginsPart: (_ row: Int, _ section: Int, _ opens: Bool) -> Bool) -> [Reply] {
            var part = self
            part.sections = []
            var parts: [Reply] = []
            for section in sections {
                var open = ListSection(key: section.key, rows: [])
                for row in section.rows {
                    let isFirst = part.sections.isEmpty && open.rows.isEmpty
                    if beginsPart(row.bytes.count, section.key.bytes.count + 20, open.rows.isEmpty), !isFirst {
                        if !open.rows.isEmpty { part.sections.append(open) }
                        parts.append(part)
                        part.sections = []
                        open.rows = []
                    }
                    open.rows.append(row)
                }
                if !open.rows.isEmpty { part.sections.append(open) }
            }
            return parts + [part]
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
