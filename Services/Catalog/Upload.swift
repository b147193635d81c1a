internal import Glibc
internal import Messages
internal import SHA2
internal import Service
internal import Store

/// An upload that has all its chunks, to be read aside: its digest, and a thumbnail.
struct Upload: Sendable {
    /// What was read of an upload.
    struct Result: Sendable {
        var format: PictureFormat
        /// SHA-256 of the picture.
        var digest: [UInt8]
        var thumbnail: (bytes: [UInt8], format: PictureFormat)
        var thumbnailDigest: [UInt8]
        /// The highest revision of the chunks before the last.
        var revision: Int64
    }

    private let format: PictureFormat
    private let picture: [UInt8]
    private let revision: Int64

    /// Thumbnails are smaller.
    private static let mostThumbnailBytes = PutBlob.chunkBytes

    /// Joins the stored chunks and the last, which the request brings.
    ///
    /// - Throws: `invalid` for what is no picture.
    init(_ request: PutBlob, _ reading: Reading) throws(ServiceError) {
        var picture: [UInt8] = []
        var revision: Int64 = 0
        picture.reserveCapacity(request.size)
        try reading.query(
            "SELECT bytes, revision FROM uploads WHERE upload = $1 AND \"offset\" < $2 ORDER BY \"offset\"",
            .id(request.upload),
            .integer(Int64(request.offset))
        ) { row in
            picture += row.blob(0)
            revision = max(revision, row.integer(1))
        }
        picture += request.bytes
        guard let format = PictureFormat(signature: picture) else {
            throw Upload.noPicture
        }
        self.format = format
        self.picture = picture
        self.revision = revision
    }

    /// Takes the digest, and has the thumbnail made by `daybook-thumbnail`, a process of its own.
    ///
    /// - Throws: `invalid` where the picture can't be read; `unavailable` where the program is missing or was ended from
    ///   outside; what the allowance's end throws.
    func read(_ allowance: Allowance) throws(ServiceError) -> Result {
        let program = ChildProgram(besideThis: "daybook-thumbnail")
        let output = try program.run(picture, mostBytes: Upload.mostThumbnailBytes, allowance: allowance)
        // Libraries may have said something before.
        let sentence = output.message.split(separator: "\n").last.map(String.init) ?? "it does not say why"
        switch output.ending {
        case .exited(0): break
        case .exited(1): throw Upload.unreadable(sentence)
        case .exited:
            throw .unavailable(
                "\(program.path) can't run, install what it needs (deploy/packages): \(sentence)",
                retryAfter: 60_000
            )
        case .signalled(SIGKILL), .signalled(SIGTERM), .signalled(SIGINT), .signalled(SIGHUP):
            throw .unavailable("the reading of the picture was ended from outside: try again", retryAfter: 1000)
        case .signalled(let signal):
            throw Upload.unreadable("the picture can't be read, its decoder failed on it (signal \(signal))")
        }
        guard let thumbnailFormat = PictureFormat(signature: output.bytes) else {
            throw .store(.fault("\(program.path) gave \(output.bytes.count) bytes that are no picture"))
        }
        return Result(
            format: format,
            digest: SHA256.hash(picture),
            thumbnail: (output.bytes, thumbnailFormat),
            thumbnailDigest: SHA256.hash(output.bytes),
            revision: revision
        )
    }

    static let noPicture = unreadable("this is no JPEG, PNG or WebP picture: convert it to one of them")

    private static func unreadable(_ sentence: String) -> ServiceError {
        .invalid(field: "bytes", sentence)
    }
}
