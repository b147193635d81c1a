import CBOR
import Glibc
import Messages
import Support
import Testing

/// What stands on the wire, to the byte: `bytes.txt` has a line for each message, named by its rule of `daybook.cddl`.
///
/// A line changes only with the protocol. The Python peer holds the same lines against the CDDL.
struct GoldenTests {
    @Test(arguments: Golden.messages)
    func encodesAsEver(_ message: Golden) throws {
        let golden = Self.lines[message.rule]
        let bytes = try message.encode()
        #expect(bytes == golden, "\(message.rule) \(hexadecimal(bytes))")
    }

    @Test(arguments: Golden.messages)
    func decodesWithoutLoss(_ message: Golden) throws {
        let golden = try #require(Self.lines[message.rule], "no line '\(message.rule)'")
        #expect(try message.recode(golden) == golden)
    }

    @Test func everyLineIsAMessage() {
        #expect(Set(Self.lines.keys) == Set(Golden.messages.map(\.rule)))
    }

    /// What clients of a release send is read, and so is what its services answer and publish: without loss, so that it is
    /// written in the same bytes again.
    @Test(arguments: KeptRelease.all)
    func messagesOfReleasesAreReadWithoutLoss(_ release: KeptRelease) throws {
        let messages = Dictionary(uniqueKeysWithValues: Golden.messages.map { ($0.rule, $0) })
        let lines = try release.goldenBytes()
        #expect(lines.count > 100)
        for (rule, bytes) in lines {
            let message = try #require(messages[rule], "\(release.version) has \(rule), which is no message any more")
            #expect(throws: Never.self, "\(rule) \(hexadecimal(bytes))") {
                let recoded = try message.recode(bytes)
                #expect(recoded == bytes, "\(rule) \(hexadecimal(recoded))")
            }
        }
    }

    /// A key that a later version added, and another order, are no obstacle.
    @Test func readersAcceptUnknownKeysInAnyOrder() throws {
        var writer = CBORWriter()
        writer.mapHead(3)
        writer.text("limit")
        writer.int(5)
        writer.text("colour")
        writer.text("red")
        writer.text("sequence")
        writer.int(3)
        let read = try CBORDecoder(profile: .wire).decode(ReadEvents.self, from: writer.bytes)
        #expect(read == ReadEvents(sequence: 3, limit: 5))
    }

    private static let lines: [String: [UInt8]] = {
        let path = #filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.startIndex) + "/bytes.txt"
        let text = read(String(path))
        var lines: [String: [UInt8]] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            if words.count == 2 { lines[String(words[0])] = bytes(words[1]) }
        }
        return lines
    }()

    private static func read(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var text: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while case let count = fread(&block, 1, block.count, file), count > 0 { text += block.prefix(count) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(_ digits: Substring) -> [UInt8] {
        let digits = Array(digits.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }
}

func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
