/// Uploads a chunk of a picture. It becomes readable with its last chunk, and is kept while a record, or an event that
/// is kept, names its digest; what no record names is dropped after a day. A picture that can't be read is refused with its
/// last chunk; one that can has a thumbnail, which is stored, kept and dropped with it.
public struct PutBlob: Request {
    public static let operation = "blob.put"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = .catalog

    /// The length of each chunk but the last, in bytes.
    public static let chunkBytes = 512 * 1024
    /// A picture's most bytes.
    public static let maximumBytes = 16 * 1024 * 1024

    public struct Reply: Codable, Sendable, Hashable {
        /// SHA-256 of the whole; with the last chunk.
        public var digest: [UInt8]?
        /// The content type by the picture's signature; with the last chunk.
        public var contentType: String?
        /// SHA-256 of the thumbnail's bytes, under which it is read as the picture is; with the last chunk.
        public var thumbnail: [UInt8]?

        public init(digest: [UInt8]? = nil, contentType: String? = nil, thumbnail: [UInt8]? = nil) {
            self.digest = digest
            self.contentType = contentType
            self.thumbnail = thumbnail
        }
    }

    /// Chosen by the caller: one for each picture. A chunk that is sent again replaces itself.
    public var upload: Identifier
    /// The whole picture's length in bytes.
    public var size: Int
    /// Where this chunk starts; a multiple of `chunkBytes`. Chunks come in order.
    public var offset: Int
    public var bytes: [UInt8]

    public init(upload: Identifier, size: Int, offset: Int, bytes: [UInt8]) {
        self.upload = upload
        self.size = size
        self.offset = offset
        self.bytes = bytes
    }
}

/// Reads a chunk of a stored picture, or of a thumbnail, which is a single one.
public struct GetBlob: Request {
    public static let operation = "blob.get"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = .catalog

    public struct Reply: Codable, Sendable, Hashable {
        /// The whole picture's length in bytes.
        public var size: Int
        public var bytes: [UInt8]

        public init(size: Int, bytes: [UInt8]) {
            self.size = size
            self.bytes = bytes
        }
    }

    public var digest: [UInt8]
    /// A multiple of `PutBlob.chunkBytes`.
    public var offset: Int

    public init(digest: [UInt8], offset: Int) {
        self.digest = digest
        self.offset = offset
    }
}
