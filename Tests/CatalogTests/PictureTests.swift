import CBOR
import Glibc
import Messages
import Store
import Support
import Testing
import ZeroMQ

@testable import Catalog
@testable import Pictures
@testable import Service

/// What the catalog keeps of pictures: by the engine alone, with the real program for thumbnails.
struct PictureTests {
    private let folder: ScratchFolder
    let engine: Engine

    init() throws {
        folder = try ScratchFolder()
        engine = try Engine(Catalog.definition, storePath: "\(folder.path)/catalog.db")
    }

    @Test func aRecipeShowsWhatBelongsToItsPicture() throws {
        let bytes = try sample("orientation-6.jpg")
        let reply = try upload(bytes)
        let digest = try #require(reply.digest)
        let thumbnail = try #require(reply.thumbnail)
        // What a client claims of it doesn't count.
        let claimed = RecipeImage(name: "loaf.jpg", digest: digest, contentType: "text/html", size: 1, thumbnail: [1])
        let recipe = try send(Put(Recipe(name: "Rye loaf", image: claimed)))
        let size = bytes.count
        let image = RecipeImage(
            name: "loaf.jpg",
            digest: digest,
            contentType: "image/jpeg",
            size: size,
            thumbnail: thumbnail
        )
        #expect(recipe.image == image)
        #expect(try send(GetBlob(digest: digest, offset: 0)).bytes == bytes)
        let small = try send(GetBlob(digest: thumbnail, offset: 0))
        #expect(small.size == small.bytes.count && PictureFormat(signature: small.bytes) == .jpeg)
    }

    @Test func aNameAloneHasNoPicture() throws {
        let image = RecipeImage(name: "loaf.jpg", contentType: "image/jpeg", size: 1, thumbnail: [1])
        #expect(try send(Put(Recipe(name: "Rye loaf", image: image))).image == RecipeImage(name: "loaf.jpg"))
    }

    @Test(arguments: [-1, 1, PutBlob.chunkBytes, .max, .min])
    func chunksLieWhereTheyBelong(offset: Int) throws {
        let request = PutBlob(upload: .make(), size: 4, offset: offset, bytes: [1, 2, 3, 4])
        #expect(try refusal(request).field == "offset")
        #expect(try count("SELECT count(*) FROM uploads") == 0)
    }

    @Test func theSamePictureTwiceIsStoredOnce() throws {
        let bytes = try noise()
        #expect(try upload(bytes) == upload(bytes))
        #expect(try count("SELECT count(*) FROM blobs") == 2)
        // Two chunks of the picture, one of its thumbnail.
        #expect(try count("SELECT count(*) FROM blob_chunks") == 3)
        #expect(try count("SELECT count(*) FROM uploads") == 0)
    }

    @Test func whatNobodyUsesIsDroppedAfterADayWithItsThumbnail() throws {
        _ = try upload(sample("orientation-1.jpg"))
        let kept = try upload(sample("palette.png"))
        _ = try send(Put(Recipe(name: "Rye loaf", image: RecipeImage(name: "a.png", digest: kept.digest))))
        try age()
        let new = try upload(sample("lossy.webp"))
        let left = try digests()
        #expect(left == Set([kept, new].flatMap { [$0.digest, $0.thumbnail] }.compactMap { $0 }))
        #expect(try count("SELECT count(DISTINCT digest) FROM blob_chunks") == 4)
    }

    /// A thumbnail may be another recipe's picture: each is kept for whichever of them is used.
    @Test func aThumbnailThatIsAPictureTooIsKeptForEither() throws {
        let first = try upload(sample("orientation-1.jpg"))
        let thumbnail = try #require(first.thumbnail)
        let second = try upload(try send(GetBlob(digest: thumbnail, offset: 0)).bytes)
        #expect(second.digest == thumbnail)
        _ = try send(Put(Recipe(name: "Rye loaf", image: RecipeImage(name: "a.jpg", digest: thumbnail))))
        try age()
        let third = try upload(sample("palette.png"))
        let left = try digests()
        #expect(left == Set([second, third].flatMap { [$0.digest, $0.thumbnail] }.compactMap { $0 }))
        let again = try upload(sample("orientation-1.jpg"))
        #expect(again == first)
        _ = try send(Put(Recipe(name: "Rolls", image: RecipeImage(name: "b.jpg", digest: first.digest))))
        try age()
        _ = try upload(sample("lossy.webp"))
        #expect(try digests().isSuperset(of: [first.digest, first.thumbnail].compactMap { $0 }))
    }

    @Test func aCutPictureIsRefusedAndStoresNothing() throws {
        for name in ["orientation-6.jpg", "palette.png", "lossy.webp"] {
            let bytes = try sample(name)
            let error = try refusal(chunks(of: Array(bytes.dropLast(20)))[0])
            #expect(error.field == "bytes")
            #expect(error.message.hasPrefix("the picture can't be read, it is damaged or cut short"))
        }
        #expect(try count("SELECT (SELECT count(*) FROM blobs) + (SELECT count(*) FROM uploads)") == 0)
        #expect(try count("SELECT count(*) FROM event") == 0)
    }

    @Test func whatIsNoPictureIsRefusedWithItsFirstChunk() throws {
        let film = Array("no picture at all".utf8) + [UInt8](repeating: 0, count: 3 * PutBlob.chunkBytes)
        #expect(try refusal(chunks(of: film)[0]).message.hasPrefix("this is no JPEG, PNG or WebP picture"))
    }

    @Test func aMissingChunkIsNamed() throws {
        let parts = chunks(of: try noise())
        let error = try refusal(parts[1])
        #expect(error.message == "the chunk at 0 is missing: send it first" && error.found == "0")
    }

    /// Between reading and storing others' requests are decided: also one that sends a chunk of it anew.
    @Test func aChunkThatIsSentAnewMeanwhileIsNoticed() throws {
        let parts = chunks(of: try noise())
        _ = try send(parts[0])
        var last = try incoming(parts[1])
        last.aside = try compute(last)
        _ = try send(parts[0])
        guard case .answer(let answer) = try engine.decide([last]).outcomes[0] else { throw Unexpected() }
        #expect(answer.status == .invalid)
        #expect(try count("SELECT count(*) FROM blobs") == 0)
        // As it is now, it can be finished.
        #expect(try send(parts[1]).digest != nil)
    }

    // MARK: Asking

    private struct Unexpected: Error {}

    private func incoming<R: Request>(_ request: R, key: Identifier = .make()) throws -> Incoming {
        let header = RequestHeader(id: 1, operation: R.operation, key: R.kind == .command ? key : nil)
        return Incoming(header: header, body: try CBOREncoder().encode(request))
    }

    private func answer(_ request: some Request) throws -> Answer {
        var request = try incoming(request)
        var outcome = try engine.decide([request]).outcomes[0]
        if case .aside = outcome {
            request.aside = try compute(request)
            outcome = try engine.decide([request]).outcomes[0]
        }
        guard case .answer(let answer) = outcome else { throw Unexpected() }
        return answer
    }

    /// What the request wants to have computed.
    private func compute(_ request: Incoming) throws -> AsideQueue.Result {
        guard case .aside(let work) = try engine.decide([request]).outcomes[0] else { throw Unexpected() }
        let reading = Reading(
            session: try Store.reader(path: engine.store.path),
            registry: engine.definition.routes.registry,
            epoch: engine.log.epoch,
            principal: nil
        )
        let allowance = Allowance(deadline: ServiceLoop.now + 60_000, stopping: try WakeUp())
        return Result { () throws(ServiceError) in try work.read(reading)(allowance) }
    }

    private func send<R: Request>(_ request: R) throws -> R.Reply {
        let answer = try answer(request)
        try #require(answer.status == .ok, "\(String(decoding: answer.body, as: UTF8.self))")
        return try CBORDecoder().decode(R.Reply.self, from: answer.body)
    }

    private func refusal(_ request: some Request) throws -> ErrorBody {
        let answer = try answer(request)
        try #require(answer.status == .invalid)
        return try CBORDecoder().decode(ErrorBody.self, from: answer.body)
    }

    private func upload(_ picture: [UInt8]) throws -> PutBlob.Reply {
        try chunks(of: picture).reduce(PutBlob.Reply()) { _, chunk in try send(chunk) }
    }

    // MARK: The store

    private func count(_ sql: String) throws -> Int64 { try #require(try engine.session.first(sql) { $0.integer(0) }) }

    private func digests() throws -> Set<[UInt8]> {
        var digests: Set<[UInt8]> = []
        try engine.session.query("SELECT digest FROM blobs") { row in digests.insert(row.blob(0)) }
        return digests
    }

    /// Lets more than a day pass.
    private func age() throws {
        try engine.session.execute("UPDATE blobs SET time = time - 90000000000")
    }

    private func sample(_ name: String) throws -> [UInt8] {
        try #require(File.read("\(Environment.checkout)/Tests/PicturesTests/Samples/\(name)"))
    }

    /// A picture of two chunks.
    private func noise() throws -> [UInt8] {
        let picture = try Raster(width: 500, height: 500)
        var generator = SeededGenerator(seed: 3)
        for y in 0..<500 {
            for x in 0..<500 { picture[x, y] = UInt32.random(in: 0...0xFF_FFFF, using: &generator) }
        }
        return try picture.png()
    }
}

/// The requests that upload a picture.
private func chunks(of picture: [UInt8]) -> [PutBlob] {
    let upload = Identifier.make()
    return stride(from: 0, to: picture.count, by: PutBlob.chunkBytes).map { offset in
        let bytes = Array(picture[offset..<min(offset + PutBlob.chunkBytes, picture.count)])
        return PutBlob(upload: upload, size: picture.count, offset: offset, bytes: bytes)
    }
}
