public import CBOR

/// Where a row stands: its section and its place in it, from 0. On the wire `[section, item]`.
public struct ListPath: Hashable, Sendable, Comparable {
    public var section: Int
    public var item: Int

    public init(_ section: Int, _ item: Int) {
        self.section = section
        self.item = item
    }

    public static func < (left: ListPath, right: ListPath) -> Bool {
        left.section == right.section ? left.item < right.item : left.section < right.section
    }
}

extension ListPath: CBORDirect {
    public func encode(into writer: inout CBORWriter) {
        writer.arrayHead(2)
        writer.int(Int64(section))
        writer.int(Int64(item))
    }

    /// - Throws: `.invalidValue` for anything but two numbers from 0.
    public init(from reader: inout CBORReader) throws(CBORError) {
        let count = try reader.arrayHead()
        guard count == 2 else { throw .invalidValue(path: "", reason: "an index path has 2 numbers, found \(count)") }
        self.init(try reader.integer(as: Int.self), try reader.integer(as: Int.self))
        guard section >= 0, item >= 0 else { throw .invalidValue(path: "", reason: "an index path counts from 0") }
    }
}

extension ListPath: Codable {
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self.init(try container.decode(Int.self), try container.decode(Int.self))
        guard section >= 0, item >= 0 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "an index path counts from 0")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(section)
        try container.encode(item)
    }
}

/// One change of a live list, from one number to the next.
///
/// `from` is a path in the list before, the base; `to` is one in the result. To apply it, in this order:
/// 1. remove `delete` and the `from` of `move`, from the highest path down;
/// 2. remove `sections.delete`, from the highest index down;
/// 3. insert `sections.insert`, from the lowest index up;
/// 4. insert `insert` and the `to` of `move`, from the lowest path up;
/// 5. overwrite the `to` of `update`.
///
/// A row is named at most once; a row that only shifted isn't named. Absent arrays are empty.
public struct ListBatch: Codable, Hashable, Sendable {
    /// A larger batch isn't published: its ``asReset`` is, and the watchers open the list again.
    public static let mostBytes = 256 * 1024

    public struct Sections: Codable, Hashable, Sendable {
        /// Indices in the base, rising.
        public var delete: [Int]?
        /// Rising.
        public var insert: [SectionInsert]?

        public init(delete: [Int]? = nil, insert: [SectionInsert]? = nil) {
            self.delete = delete
            self.insert = insert
        }
    }

    public struct SectionInsert: Codable, Hashable, Sendable {
        /// The index in the result.
        public var at: Int
        public var key: EncodedCBOR

        public init(at: Int, key: EncodedCBOR) {
            self.at = at
            self.key = key
        }
    }

    public struct Insert: Codable, Hashable, Sendable {
        public var to: ListPath
        public var row: EncodedCBOR

        public init(to: ListPath, row: EncodedCBOR) {
            self.to = to
            self.row = row
        }
    }

    /// A move or an update: both carry the whole row.
    public struct Change: Codable, Hashable, Sendable {
        public var from: ListPath
        public var to: ListPath
        public var row: EncodedCBOR

        public init(from: ListPath, to: ListPath, row: EncodedCBOR) {
            self.from = from
            self.to = to
            self.row = row
        }
    }

    public var list: Identifier
    /// The number that it applies to: `number` − 1.
    public var base: Int64
    public var number: Int64
    /// What the result depends on.
    public var positions: Positions
    /// Of the result; see ``ListDigest``.
    public var digest: UInt64
    public var sections: Sections?
    /// Rising.
    public var delete: [ListPath]?
    /// Rising by `to`.
    public var insert: [Insert]?
    /// Rising by `to`.
    public var move: [Change]?
    /// Rising by `to`.
    public var update: [Change]?
    /// Present and true where the change was too large to tell: open the list again.
    public var reset: Bool?

    public init(list: Identifier, number: Int64, positions: Positions, digest: UInt64) {
        self.list = list
        base = number - 1
        self.number = number
        self.positions = positions
        self.digest = digest
    }

    /// The same step without its content.
    public var asReset: ListBatch {
        var batch = ListBatch(list: list, number: number, positions: positions, digest: digest)
        batch.reset = true
        return batch
    }
}
