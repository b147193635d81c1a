public import Messages
public import ZeroMQ

/// A key as it lies in a file, in the form of CZMQ's and pyzmq's certificates (ZPL, RFC 4), so that these read it too.
///
///     # Daybook: the public half of a key. It may be shown to anybody.
///     metadata
///         name = "anna"
///         role = "writer"
///     curve
///         public-key = "<40 characters of Z85>"
///
/// The file of the secret half has a line `secret-key` more.
public struct KeyFile: Hashable, Sendable {
    /// Whose: a service's, or that of a person or program.
    public var name: String
    /// What the key may do.
    public var role: Role
    /// 40 characters of Z85.
    public var publicKey: String
    /// Both halves; nil in the file of the public one.
    public var pair: CurveKeyPair?

    /// A file is at most this many bytes.
    static let maximumBytes = 4096
    /// A name has at most this many characters.
    static let longestName = 64

    /// The file of the public half.
    public init(name: String, role: Role, publicKey: String) {
        self.name = name
        self.role = role
        self.publicKey = publicKey
    }

    /// The file of both halves.
    public init(name: String, role: Role, pair: CurveKeyPair) {
        self.init(name: name, role: role, publicKey: pair.publicKey)
        self.pair = pair
    }

    /// Whether a key can have this name: ASCII letters, digits, `.`, `_`, `@` and `-`, the first a letter or digit.
    public static func isName(_ text: String) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true  // 0-9 A-Z a-z
            default: false
            }
        }
        guard (1...longestName).contains(text.utf8.count), let first = text.utf8.first, isPlain(first) else {
            return false
        }
        return text.utf8.allSatisfy { isPlain($0) || ".-_@".utf8.contains($0) }
    }

    /// Reads a file's text. Lines that it doesn't know are passed over.
    ///
    /// - Throws: `malformed` with the reason, which never has a part of the text.
    init(parsing text: String, path: String) throws(KeyError) {
        var values: [Substring: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard let equals = line.firstIndex(of: "="), line.first(where: { !$0.isWhitespace }) != "#" else {
                continue
            }
            let name = line[..<equals].trimmed
            let value = line[line.index(after: equals)...].trimmed
            let isQuoted = value.utf8.count >= 2 && value.first == "\"" && value.last == "\""
            values[name] = String(isQuoted ? value.dropFirst().dropLast() : value)
        }
        func value(_ name: Substring) throws(KeyError) -> String {
            guard let value = values[name] else { throw .malformed(path, "it has no line '\(name) = …'") }
            return value
        }
        name = try value("name")
        guard Self.isName(name) else { throw .malformed(path, "its name is none that a key can have") }
        guard let role = Role(rawValue: try value("role")) else {
            let roles = Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw .malformed(path, "its role is none of \(roles)")
        }
        self.role = role
        publicKey = try value("public-key")
        guard CurveKeyPair.isKey(publicKey) else { throw .malformed(path, "its public-key is no key") }
        guard let secret = values["secret-key"] else { return }
        do throws(ZeroMQError) {
            pair = try CurveKeyPair(publicKey: publicKey, secretKey: secret)
        } catch {
            throw .malformed(path, "its two halves are no pair of keys")
        }
    }

    /// The file's content.
    public var text: String {
        let what =
            pair == nil
            ? "the public half of a key. It may be shown to anybody." : "both halves of a key. Keep it secret."
        let secret = pair.map { "    secret-key = \"\($0.secretKey)\"\n" } ?? ""
        return """
            # Daybook: \(what)
            metadata
                name = "\(name)"
                role = "\(role.rawValue)"
            curve
                public-key = "\(publicKey)"
            \(secret)
            """
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}
