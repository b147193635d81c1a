import Messages
import Support
import Testing

@testable import Pictures

struct ThumbnailTests {
    @Test(arguments: 1...8) func standsUprightUnderEachOrientation(value: Int) throws {
        let thumbnail = try made("orientation-\(value).jpg")
        #expect(thumbnail.size == [64, 32])
        #expect(thumbnail.quarters == Colors.quarters)
    }

    @Test(arguments: ["orientation-6.png", "orientation-6.webp"]) func respectsExifInEveryFormat(name: String) throws {
        let thumbnail = try made(name)
        #expect(thumbnail.size == [64, 32])
        #expect(thumbnail.quarters == Colors.quarters)
    }

    @Test(
        arguments: [
            "cmyk.jpg", "progressive.jpg", "palette.png", "sixteen-bit.png", "interlaced.png", "lossy.webp",
            "lossless.webp", "animated.webp",
        ]
    )
    func readsEachKind(name: String) throws {
        let file = try Thumbnail.make(of: sample(name))
        #expect(PictureFormat(signature: file) == .jpeg)
        #expect(try made(name).quarters == Colors.quarters)
    }

    @Test(arguments: ["grey.jpg", "one-bit.png"]) func readsPicturesWithoutColor(name: String) throws {
        let thumbnail = try made(name)
        #expect(thumbnail.size == [64, 32])
        #expect(thumbnail.color(56, 24) == .white)
    }

    @Test(
        arguments: ["transparent.png", "transparent.webp", "transparent-palette.png", "transparent-color.png"]
    )
    func whatIsTransparentStaysSo(name: String) throws {
        let file = try Thumbnail.make(of: sample(name))
        #expect(PictureFormat(signature: file) == .png)
        #expect(try made(name).quarters == [.red, .green, .blue, .clear])
    }

    @Test(
        arguments: [
            ("pixel.png", [1, 1]), ("line.png", [256, 1]), ("line.jpg", [1, 256]), ("palette.png", [64, 32]),
        ]
    )
    func holdsTheLongerSideAndEnlargesNothing(name: String, size: [Int]) throws {
        let thumbnail = try made(name)
        #expect(thumbnail.size == size)
    }

    @Test(arguments: [(512, 512, 256, 256), (1000, 500, 256, 128), (301, 1000, 77, 256), (257, 256, 256, 255)])
    func keepsTheAspect(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int) throws {
        let large = try Raster(width: width, height: height)
        for y in 0..<height { for x in 0..<width { large[x, y] = x < width / 2 ? 0xFF_0000 : 0x00_00FF } }
        let thumbnail = try decoded(Thumbnail.make(of: large.png()))
        #expect([thumbnail.width, thumbnail.height] == [expectedWidth, expectedHeight])
        #expect(Colors(thumbnail[4, expectedHeight / 2]) == .red)
        #expect(Colors(thumbnail[expectedWidth - 5, expectedHeight / 2]) == .blue)
    }

    @Test func theLargestThumbnailFitsIntoAChunk() throws {
        let noise = try Raster(width: 256, height: 256)
        var generator = SeededGenerator(seed: 1)
        for y in 0..<256 { for x in 0..<256 { noise[x, y] = UInt32.random(in: 0...0x7FFF_FFFF, using: &generator) } }
        let thumbnail = try Thumbnail.make(of: noise.png())
        #expect(PictureFormat(signature: thumbnail) == .png)
        #expect(thumbnail.count < 300 * 1024)
    }

    @Test(
        arguments: [
            "progressive.jpg", "cmyk.jpg", "orientation-1.jpg", "palette.png", "interlaced.png", "sixteen-bit.png",
            "lossy.webp", "lossless.webp", "animated.webp",
        ]
    )
    func refusesWhatIsCutShortAnywhere(name: String) throws {
        let whole = try sample(name)
        for length in 1..<whole.count where length < 64 || length % 7 == 0 || length > whole.count - 16 {
            #expect(throws: PictureError.self, "the first \(length) of \(whole.count) bytes") {
                try Thumbnail.make(of: Array(whole.prefix(length)))
            }
        }
    }

    @Test func refusesADamagedPictureAndSaysWhatTheDecoderSays() throws {
        var damaged = try sample("palette.png")
        damaged[damaged.count - 20] ^= 0xFF
        let error = #expect(throws: PictureError.self) { try Thumbnail.make(of: damaged) }
        #expect(error?.description.hasPrefix("the picture can't be read, it is damaged or cut short (") == true)
    }

    @Test func takesTheSmallFaultsThatCamerasMake() throws {
        let whole = try sample("orientation-1.jpg")
        let padded = whole.dropLast(2) + [0x11, 0x22, 0x33] + whole.suffix(2)
        #expect(try quarters(of: decoded(Thumbnail.make(of: Array(padded)))) == Colors.quarters)
        // What follows the end of the picture is another's.
        let followed = whole + [UInt8](repeating: 7, count: 1000)
        #expect(try quarters(of: decoded(Thumbnail.make(of: followed))) == Colors.quarters)
        // The same fault, and cut short.
        #expect(throws: PictureError.self) { try Thumbnail.make(of: Array(padded.dropLast(2))) }
    }

    @Test func refusesMorePixelsThanAnyCameraMakes() throws {
        let error = #expect(throws: PictureError.self) { try Thumbnail.make(of: sample("bomb.png")) }
        #expect(error == .tooManyPixels(width: 15_000, height: 15_000))
    }

    @Test(arguments: ["", "GIF89a", "RIFF1234WAVE", "plain text"]) func refusesWhatIsNoPicture(text: String) {
        #expect(throws: PictureError.noPicture) { try Thumbnail.make(of: Array(text.utf8)) }
    }

    @Test func survivesAnyChangedByte() throws {
        var generator = SeededGenerator(seed: 7)
        for name in ["orientation-6.jpg", "orientation-6.png", "orientation-6.webp", "animated.webp"] {
            let whole = try sample(name)
            for _ in 0..<300 {
                var changed = whole
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: 0..<changed.count, using: &generator)
                    changed[place] = .random(in: 0...255, using: &generator)
                }
                // Read or refused: either way it comes back.
                _ = try? Thumbnail.make(of: changed)
            }
        }
    }

    @Test func equalPicturesHaveEqualThumbnails() throws {
        let picture = try sample("lossy.webp")
        #expect(try Thumbnail.make(of: picture) == Thumbnail.make(of: picture))
    }
}

/// A colour, as far as a lossy format keeps it.
private enum Colors: Hashable {
    case red, green, blue, white, clear, other

    static let quarters: [Colors] = [.red, .green, .blue, .white]

    init(_ color: UInt32) {
        let parts = [16, 8, 0].map { color >> UInt32($0) & 0xFF }
        let bits = parts.map { $0 > 180 ? 1 : $0 < 80 ? 0 : 2 }
        self =
            switch bits {
            case _ where color >> 24 > 100: .clear
            case [1, 0, 0]: .red
            case [0, 1, 0]: .green
            case [0, 0, 1]: .blue
            case [1, 1, 1]: .white
            default: .other
            }
    }
}

/// What a thumbnail shows.
private struct Shown {
    let raster: Raster

    var size: [Int] { [raster.width, raster.height] }

    func color(_ x: Int, _ y: Int) -> Colors { Colors(raster[x, y]) }

    /// The colours amid its quarters: above left and right, below left and right.
    var quarters: [Colors] {
        let (width, height) = (raster.width, raster.height)
        return [(1, 1), (3, 1), (1, 3), (3, 3)].map { color(width * $0.0 / 4, height * $0.1 / 4) }
    }
}

private func quarters(of raster: Raster) -> [Colors] { Shown(raster: raster).quarters }

private func made(_ name: String) throws -> Shown {
    Shown(raster: try decoded(Thumbnail.make(of: sample(name))))
}

private func decoded(_ file: [UInt8]) throws -> Raster {
    try Raster.decode(PictureFile(file), file)
}

private func sample(_ name: String) throws -> [UInt8] {
    let folder = String(#filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.startIndex))
    return try #require(File.read("\(folder)/Samples/\(name)"))
}
