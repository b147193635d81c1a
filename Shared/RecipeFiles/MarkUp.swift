internal import HTML

/// Takes HTML's mark-up out of text in which it may or may not be.
///
/// Texts in the web's recipes are meant to be plain, but many have tags, and entities up to three deep. What isn't mark-up
/// for certain stays: `AT&T`, `a < b`, `&copy` without a semicolon. Whatever comes out is not changed by a second time.
enum MarkUp {
    /// Mark-up may itself be written in entities; deeper than this nobody is.
    private static let mostRounds = 16

    /// The text without mark-up; paragraphs, list items and line breaks end with LF.
    static func removed(from text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) else { return text }
        var bytes = Array(text.utf8)
        for _ in 0..<mostRounds {
            var round = MarkUpRound(bytes)
            let next = round.run()
            if next == bytes { break }
            bytes = next
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// One pass: entities become characters, tags and comments go. What they make is looked at in the next one.
private struct MarkUpRound {
    private let bytes: [UInt8]
    private var position = 0
    private var result: [UInt8] = []
    /// What was looked for to the end and is not there is not looked for again.
    private var absent: Set<String> = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func run() -> [UInt8] {
        while position < bytes.count {
            let byte = bytes[position]
            let isTaken =
                switch byte {
                case UInt8(ascii: "&"): takeEntity()
                case UInt8(ascii: "<"): takeComment() || takeTag()
                default: false
                }
            if !isTaken {
                result.append(byte)
                position += 1
            }
        }
        return result
    }

    // MARK: Entities

    private mutating func takeEntity() -> Bool {
        var end = position + 1
        while end < bytes.count, end - position < 34, Self.isNamePart(bytes[end]) { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: ";"), end > position + 1 else { return false }
        let name = String(decoding: bytes[position + 1..<end], as: UTF8.self)
        guard let scalar = Self.scalar(name) else { return false }
        position = end + 1
        if scalar == "&" {
            // `&amp;amp;amp;` at once, however deep.
            while bytes[position...].starts(with: "amp;".utf8) { position += 4 }
        }
        result += String(Character(scalar)).utf8
        return true
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "#")
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return HTMLEntity.character(named: name) }
        let digits = name.dropFirst()
        let number = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(HTMLEntity.character(numbered:))
    }

    // MARK: Tags

    private mutating func takeComment() -> Bool {
        guard bytes[position...].starts(with: "<!--".utf8), let end = end(of: "-->", from: position + 4) else {
            return false
        }
        position = end
        return true
    }

    private mutating func takeTag() -> Bool {
        var place = position + 1
        let isClosing = place < bytes.count && bytes[place] == UInt8(ascii: "/")
        if isClosing { place += 1 }
        let start = place
        while place < bytes.count, Self.isLetter(bytes[place]) || Self.isDigit(bytes[place]) { place += 1 }
        let name = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
        guard let element = Self.elements[name], let end = endOfTag(from: place) else { return false }
        position = end
        if element == .hidden, !isClosing, let behind = self.end(of: "</\(name)>", from: end) { position = behind }
        switch element {
        case .block: result.append(UInt8(ascii: "\n"))
        case .cell: result.append(UInt8(ascii: " "))
        // 1<sup>1</sup>⁄<sub>4</sub> is one and a quarter.
        case .raised:
            if !isClosing, Self.isDigit(result.last ?? 0), Self.isDigit(end < bytes.count ? bytes[end] : 0) {
                result.append(UInt8(ascii: " "))
            }
        case .inline, .hidden: break
        }
        return true
    }

    /// Behind the `>`; nil where what follows the name is no tag: an attribute needs its value.
    private func endOfTag(from start: Int) -> Int? {
        var place = start
        while place < bytes.count {
            let blanks = skip(from: place) { Self.isBlank($0) }
            guard blanks < bytes.count else { return nil }
            if bytes[blanks] == UInt8(ascii: ">") { return blanks + 1 }
            if bytes[blanks...].starts(with: "/>".utf8) { return blanks + 2 }
            guard blanks > place else { return nil }
            let name = skip(from: blanks) {
                Self.isLetter($0) || Self.isDigit($0) || $0 == 0x2D || $0 == 0x3A || $0 == 0x5F
            }
            let equals = skip(from: name) { Self.isBlank($0) }
            guard name > blanks, equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else { return nil }
            let value = skip(from: equals + 1) { Self.isBlank($0) }
            guard value < bytes.count else { return nil }
            let quote = bytes[value]
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                let close = skip(from: value + 1) { $0 != quote }
                guard close < bytes.count else { return nil }
                place = close + 1
            } else {
                place = skip(from: value) { !Self.isBlank($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
                guard place > value else { return nil }
            }
        }
        return nil
    }

    private func skip(from start: Int, while condition: (UInt8) -> Bool) -> Int {
        var place = start
        while place < bytes.count, condition(bytes[place]) { place += 1 }
        return place
    }

    /// Behind the next `text`, in lower case.
    private mutating func end(of text: String, from start: Int) -> Int? {
        guard !absent.contains(text) else { return nil }
        let sought = Array(text.utf8)
        var place = start
        while place + sought.count <= bytes.count {
            if zip(bytes[place...], sought).allSatisfy({ Self.lowercased($0) == $1 }) { return place + sought.count }
            place += 1
        }
        absent.insert(text)
        return nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte + 0x20 : byte }
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= lowercased(byte) }

    private enum Element { case block, cell, inline, raised, hidden }

    private static let elements: [String: Element] = {
        var elements: [String: Element] = [
            "sup": .raised, "td": .cell, "th": .cell, "script": .hidden, "style": .hidden,
        ]
        for name in [
            "address", "article", "aside", "blockquote", "body", "br", "center", "dd", "details", "dl", "dt", "div",
            "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr",
            "html",
            "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
        ] { elements[name] = .block }
        for name in [
            "a", "abbr", "b", "bdi", "bdo", "big", "button", "cite", "code", "data", "del", "dfn", "em", "font", "i",
            "iframe", "img", "input", "ins", "kbd", "label", "link", "mark", "meta", "noscript", "picture", "q", "s",
            "samp", "small", "source", "span", "strike", "strong", "sub", "svg", "time", "tt", "u", "var", "video",
            "wbr",
        ] { elements[name] = .inline }
        return elements
    }()
}
