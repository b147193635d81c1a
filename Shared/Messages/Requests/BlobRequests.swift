/// Uploads a chunk of a picture or another large value. It becomes readable with its last chunk, and is
/// kept while a record, or an event that is kept, names its digest; otherwise it is dropped after a day.
public struct PutBlob: Request {
    public static let operation = "blob.put"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = .catalog

    /// A chunk's most bytes.
    public static let maximumChunkBytes = 512 * 1024
    /// A value's most bytes.
    public static let maximumBytes = 16 * 1024 * 1024

    public struct Reply: Codable, Sendable, Hashable {
        /// By the value's signature; present with the last chunk.
        public var contentType: String?

        public init(contentType: String? = nil) {
            self.contentType = contentType
        }
    }

    /// SHA-256 of the whole value.
    public var digest: [UInt8]
    /// The whole value's length in bytes.
    public var size: Int
    /// Where this chunk starts; the chunks of a value are `maximumChunkBytes` long but the last.
    public var offset: Int
    public var bytes: [UInt8]

    public init(digest: [UInt8], size: Int, offset: Int, bytes: [UInt8]) {
        self.digest = digest
        self.size = size
        self.offset = offset
        self.bytes = bytes
    }
}

/// Reads a chunk of a stored value.
public struct GetBlob: Request {
    public static let operation = "blob.get"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = .catalog

    public struct Reply: Codable, Sendable, Hashable {
        public var size: Int
        public var bytes: [UInt8]

        public init(size: Int, bytes: [UInt8]) {
            self.size = size
            self.bytes = bytes
        }
    }

    public var digest: [UInt8]
    /// A multiple of `PutBlob.maximumChunkBytes`.
    public var offset: Int

    public init(digest: [UInt8], offset: Int) {
        self.digest = digest
        self.offset = offset
    }
}
