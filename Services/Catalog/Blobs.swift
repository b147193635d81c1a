internal import Messages
internal import SHA2
internal import Service
internal import Store

/// The pictures: uploaded in chunks, stored under the SHA-256 of their bytes.
///
/// A picture that a recipe named once is kept: the events that name it are.
enum Blobs {
    /// Uploads that are not finished, and pictures that no recipe names, are dropped after this many microseconds.
    static let keptUnused: Int64 = 24 * 3600 * 1_000_000

    static let schema = """
        CREATE TABLE uploads (
            upload BLOB NOT NULL,
            "offset" INTEGER NOT NULL,
            time INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (upload, "offset")
        ) STRICT;
        CREATE TABLE blobs (
            digest BLOB PRIMARY KEY,
            content_type TEXT NOT NULL,
            size INTEGER NOT NULL,
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

    @Sendable static func put(
        _ request: PutBlob,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> PutBlob.Reply {
        try check(request)
        try dropUnused(&transaction)
        try transaction.execute(
            """
            INSERT INTO uploads (upload, "offset", time, bytes) VALUES ($1, $2, $3, $4)
            ON CONFLICT (upload, "offset") DO UPDATE SET time = excluded.time, bytes = excluded.bytes
            """,
            .id(request.upload),
            .integer(Int64(request.offset)),
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
        guard let digest = image.digest else { return }
        let found = try transaction.first(
            "SELECT content_type, size FROM blobs WHERE digest = $1",
            .blob(digest)
        ) { ($0.text(0), Int($0.integer(1))) }
        guard let (type, size) = found else {
            throw .invalid(field: "image", "the picture is not stored here: upload it first")
        }
        image.contentType = type
        image.size = size
        try transaction.execute("UPDATE blobs SET is_used = 1 WHERE digest = $1 AND is_used = 0", .blob(digest))
    }

    private static func check(_ request: PutBlob) throws(ServiceError) {
        guard (1...PutBlob.maximumBytes).contains(request.size) else {
            throw .invalid(
                field: "size",
                found: String(request.size),
                "a picture has 1 to \(PutBlob.maximumBytes) bytes, not \(request.size): make it smaller"
            )
        }
        let expected = min(PutBlob.chunkBytes, request.size - request.offset)
        guard (0..<request.size).contains(request.offset), request.offset % PutBlob.chunkBytes == 0,
            request.bytes.count == expected
        else {
            throw .invalid(
                field: "offset",
                found: "\(request.bytes.count) bytes at \(request.offset)",
                "chunks start at multiples of \(PutBlob.chunkBytes) and fill up to the next, or to the end"
            )
        }
    }

    private static func finish(
        _ request: PutBlob,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> PutBlob.Reply {
        var hash = SHA256()
        var start: [UInt8] = []
        let offsets = stride(from: 0, to: request.size, by: PutBlob.chunkBytes)
        for offset in offsets {
            let bytes = try transaction.first(
                "SELECT bytes FROM uploads WHERE upload = $1 AND \"offset\" = $2",
                .id(request.upload),
                .integer(Int64(offset))
            ) { $0.blob(0) }
            guard let bytes else {
                throw .invalid(
                    field: "offset",
                    found: String(offset),
                    "the chunk at \(offset) is missing: send it first"
                )
            }
            if offset == 0 { start = Array(bytes.prefix(16)) }
            hash.add(bytes)
        }
        guard let type = contentType(start) else {
            throw .invalid(field: "bytes", "this is no JPEG, PNG or WebP picture: convert it to one of them")
        }
        let digest = hash.finish()
        try transaction.execute(
            """
            INSERT INTO blobs (digest, content_type, size, time, is_used) VALUES ($1, $2, $3, $4, 0)
            ON CONFLICT (digest) DO UPDATE SET time = excluded.time
            """,
            .blob(digest),
            .text(type),
            .integer(Int64(request.size)),
            .integer(transaction.time.microseconds)
        )
        try transaction.execute(
            """
            INSERT INTO blob_chunks (digest, "offset", bytes)
            SELECT $1, "offset", bytes FROM uploads WHERE upload = $2 ON CONFLICT (digest, "offset") DO NOTHING
            """,
            .blob(digest),
            .id(request.upload)
        )
        try transaction.execute("DELETE FROM uploads WHERE upload = $1", .id(request.upload))
        return PutBlob.Reply(digest: digest, contentType: type)
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

    /// The content type by the picture's first bytes: JPEG (ISO 10918-1), PNG (RFC 2083), WebP (RIFF container).
    static func contentType(_ start: [UInt8]) -> String? {
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        let isWebP =
            start.count >= 12 && start.starts(with: Array("RIFF".utf8)) && start[8..<12].elementsEqual("WEBP".utf8)
        return isWebP ? "image/webp" : nil
    }
}
