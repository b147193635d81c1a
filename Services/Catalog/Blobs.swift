internal import Messages
internal import SHA2
internal import Service
internal import Store

/// The pictures and their thumbnails: uploaded in chunks, stored under the SHA-256 of their bytes.
///
/// A picture that a recipe named once is kept: the events that name it are. A thumbnail is used, and as recent, as any
/// picture that it belongs to, so that they are dropped together.
enum Blobs {
    /// Uploads that are not finished, and pictures that no recipe names, are dropped after this many microseconds.
    static let keptUnused: Int64 = 24 * 3600 * 1_000_000

    static let schema = """
        CREATE TABLE uploads (
            upload BLOB NOT NULL,
            "offset" INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            time INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (upload, "offset")
        ) STRICT;
        CREATE TABLE blobs (
            digest BLOB PRIMARY KEY,
            content_type TEXT NOT NULL,
            size INTEGER NOT NULL,
            thumbnail BLOB,
            time INTEGER NOT NULL,
            is_used INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE blob_chunks (
            digest BLOB NOT NULL,
            "offset" INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (digest, "offset")
        ) STRICT;

        """

    /// An archive reads the pictures themselves one by one, as anyone does.
    static let archived = [
        ArchivedTable(
            "blobs",
            key: "digest",
            columns: ["digest", "content_type", "size", "thumbnail", "time", "is_used"],
            read: .behindLog
        ),
        ArchivedTable("blob_chunks", key: "digest", columns: ["digest", "offset", "bytes"], read: .never),
    ]

    @Sendable static func put(
        _ request: PutBlob,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> PutBlob.Reply {
        try check(request)
        try dropUnused(&transaction)
        try transaction.execute(
            """
            INSERT INTO uploads (upload, "offset", revision, time, bytes) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (upload, "offset") DO UPDATE
            SET revision = excluded.revision, time = excluded.time, bytes = excluded.bytes
            """,
            .id(request.upload),
            .integer(Int64(request.offset)),
            .integer(try transaction.nextNumber("chunk")),
            .integer(transaction.time.microseconds),
            .blob(request.bytes)
        )
        guard request.offset + request.bytes.count == request.size else { return PutBlob.Reply() }
        return try finish(request, &transaction)
    }

    @Sendable static func get(_ request: GetBlob, _ reading: Reading) throws(ServiceError) -> GetBlob.Reply {
        let found = try reading.first(
            """
            SELECT b.size, c.bytes FROM blobs b JOIN blob_chunks c ON c.digest = b.digest
            WHERE b.digest = $1 AND c."offset" = $2
            """,
            .blob(request.digest),
            .integer(Int64(request.offset))
        ) { GetBlob.Reply(size: Int($0.integer(0)), bytes: $0.blob(1)) }
        guard let found else {
            throw .refused(
                .notFound,
                "there is no such picture, or it has no chunk at \(request.offset)",
                field: "digest"
            )
        }
        return found
    }

    /// Checks a recipe's image, tells what it is, and keeps its picture from now on.
    static func keep(_ image: inout RecipeImage, _ transaction: inout Transaction) throws(ServiceError) {
        image.contentType = nil
        image.size = nil
        image.thumbnail = nil
        guard let digest = image.digest else { return }
        let found = try transaction.first(
            "SELECT content_type, size, thumbnail FROM blobs WHERE digest = $1",
            .blob(digest)
        ) { ($0.text(0), Int($0.integer(1)), $0.isNull(2) ? nil : $0.blob(2)) }
        guard let (type, size, thumbnail) = found else {
            throw .invalid(field: "image", "the picture is not stored here: upload it first")
        }
        image.contentType = type
        image.size = size
        image.thumbnail = thumbnail
        for digest in [digest, thumbnail].compactMap({ $0 }) {
            try transaction.execute("UPDATE blobs SET is_used = 1 WHERE digest = $1 AND is_used = 0", .blob(digest))
        }
    }

    private static func check(_ request: PutBlob) throws(ServiceError) {
        guard (1...PutBlob.maximumBytes).contains(request.size) else {
            throw .invalid(
                field: "size",
                found: String(request.size),
                "a picture has 1 to \(PutBlob.maximumBytes) bytes, not \(request.size): make it smaller"
            )
        }
        guard (0..<request.size).contains(request.offset), request.offset % PutBlob.chunkBytes == 0,
            request.bytes.count == min(PutBlob.chunkBytes, request.size - request.offset)
        else {
            throw .invalid(
                field: "offset",
                found: "\(request.bytes.count) bytes at \(request.offset)",
                "chunks start at multiples of \(PutBlob.chunkBytes) and fill up to the next, or to the end"
            )
        }
        // Before all of it is sent.
        guard request.offset > 0 || PictureFormat(signature: request.bytes) != nil else { throw Upload.noPicture }
    }

    /// The last chunk is there: has the thumbnail made, and stores both.
    private static func finish(
        _ request: PutBlob,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> PutBlob.Reply {
        let revision = try checkUpload(request, transaction)
        let read = try transaction.computedAside { (reading) throws(ServiceError) in
            let upload = try Upload(request, reading)
            return { (allowance) throws(ServiceError) in try upload.read(allowance) }
        }
        guard read.revision == revision else {
            throw .invalid(field: "upload", "its chunks were changed meanwhile: send the picture again as a new upload")
        }
        let small = read.thumbnail
        try store(read.thumbnailDigest, small.format, small.bytes.count, thumbnail: nil, transaction)
        try transaction.execute(
            "INSERT INTO blob_chunks (digest, \"offset\", bytes) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING",
            .blob(read.thumbnailDigest),
            .blob(small.bytes)
        )
        try store(read.digest, read.format, request.size, thumbnail: read.thumbnailDigest, transaction)
        try transaction.execute(
            """
            INSERT INTO blob_chunks (digest, "offset", bytes)
            SELECT $1, "offset", bytes FROM uploads WHERE upload = $2 ON CONFLICT DO NOTHING
            """,
            .blob(read.digest),
            .id(request.upload)
        )
        try transaction.execute("DELETE FROM uploads WHERE upload = $1", .id(request.upload))
        return PutBlob.Reply(
            digest: read.digest,
            contentType: read.format.rawValue,
            thumbnail: read.thumbnailDigest
        )
    }

    /// Makes sure that all chunks before the last are there.
    ///
    /// - Returns: the revision of the one that was sent last; 0 where there is none.
    private static func checkUpload(_ request: PutBlob, _ transaction: Transaction) throws(ServiceError) -> Int64 {
        var missing = 0
        var revision: Int64 = 0
        try transaction.query(
            "SELECT \"offset\", revision FROM uploads WHERE upload = $1 AND \"offset\" < $2 ORDER BY \"offset\"",
            .id(request.upload),
            .integer(Int64(request.offset))
        ) { row in
            if row.integer(0) == missing { missing += PutBlob.chunkBytes }
            revision = max(revision, row.integer(1))
        }
        guard missing == request.offset else {
            throw .invalid(
                field: "offset",
                found: String(missing),
                "the chunk at \(missing) is missing: send it first"
            )
        }
        return revision
    }

    /// Makes a row of `blobs`, or renews it.
    private static func store(
        _ digest: [UInt8],
        _ format: PictureFormat,
        _ size: Int,
        thumbnail: [UInt8]?,
        _ transaction: Transaction
    ) throws(ServiceError) {
        // What is a thumbnail may be uploaded as a picture, too.
        try transaction.execute(
            """
            INSERT INTO blobs (digest, content_type, size, thumbnail, time, is_used) VALUES ($1, $2, $3, $4, $5, 0)
            ON CONFLICT (digest) DO UPDATE
            SET time = excluded.time, thumbnail = coalesce(excluded.thumbnail, blobs.thumbnail)
            """,
            .blob(digest),
            .text(format.rawValue),
            .integer(Int64(size)),
            thumbnail.map(Value.blob) ?? .null,
            .integer(transaction.time.microseconds)
        )
    }

    private static func dropUnused(_ transaction: inout Transaction) throws(ServiceError) {
        let limit = Value.integer(transaction.time.microseconds - keptUnused)
        try transaction.execute("DELETE FROM uploads WHERE time < $1", limit)
        try transaction.execute(
            "DELETE FROM blob_chunks WHERE digest IN (SELECT digest FROM blobs WHERE is_used = 0 AND time < $1)",
            limit
        )
        try transaction.execute("DELETE FROM blobs WHERE is_used = 0 AND time < $1", limit)
    }
}
