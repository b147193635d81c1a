import Glibc
public import Testing

/// What a release left in `Tests/Releases/<version>`: the stores after a day's work, what it answered to questions, and its
/// messages. `deploy/release` makes it; it never changes.
public struct KeptRelease: Sendable, Hashable, CustomTestStringConvertible {
    public let version: String

    public static let folder = "\(Environment.checkout)/Tests/Releases"

    /// All of them, the oldest first.
    public static let all: [KeptRelease] = File.names(in: folder).compactMap { name in
        numbers(of: name).map { (KeptRelease(version: name), $0) }
    }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)

    /// `[0, 1, 0]` of `0.1.0`; nil where it is no version of a release.
    private static func numbers(of name: String) -> [Int]? {
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        let known = numbers.compactMap { $0 }
        return known.count == 3 && numbers.count == 3 ? known : nil
    }

    public var testDescription: String { version }
    private var folder: String { "\(Self.folder)/\(version)" }

    /// The questions, each a line `$ daybook …`, and below each what was answered.
    public var answersFile: String { "\(folder)/answers.txt" }

    /// The messages' bytes, by their rule of `daybook.cddl`, as `Golden/bytes.txt` had them.
    public func goldenBytes() throws(HarnessError) -> [(rule: String, bytes: [UInt8])] {
        try File.text("\(folder)/golden.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            line throws(HarnessError) in
            let words = line.split(separator: " ")
            guard words.count == 2, let bytes = bytes(ofHexadecimal: words[1]) else {
                throw HarnessError("\(folder)/golden.txt has a line '\(line.prefix(40))'")
            }
            return (String(words[0]), bytes)
        }
    }

    /// Puts the stores, `catalog.db` and so on, into a folder, which is made where it isn't there.
    public func unpack(into target: String) async throws {
        if mkdir(target, 0o700) != 0, errno != EEXIST { throw HarnessError("can't make \(target)") }
        var launch = ChildProcess.Launch(program: "/bin/tar")
        let arguments = ["-xzf", "\(folder)/stores.tar.gz", "-C", target]
        launch.arguments = arguments.map { Array($0.utf8) }
        launch.environment = ["PATH": "/usr/bin:/bin"]
        guard await (try ChildProcess.start(launch)).ended() == .exited(0) else {
            throw HarnessError("can't unpack the stores of \(version)")
        }
    }

    private func bytes(ofHexadecimal digits: Substring) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        return bytes.count * 2 == digits.count ? bytes : nil
    }
}
