internal import JSON

/// JSON-LD as files hold it: recipes lie somewhere in it, and refer to other nodes by their ids.
struct LinkedData {
    /// A node, and where it is.
    struct Found {
        var node: JSONValue
        var path: String
        /// From 1; of the block it is in; nil where the file is one block.
        var line: Int?
    }

    /// A block of JSON, and the line where it begins in a page; nil where the file is one block.
    struct Block {
        var value: JSONValue
        var line: Int?
    }

    /// How deeply values may lie in each other.
    static let levels = 64

    /// The recipes, in their order; those without any content are not among them.
    private(set) var recipes: [Found] = []
    /// By `@id`, those that are more than a reference.
    private(set) var nodes: [String: JSONValue] = [:]

    init(_ blocks: [Block]) {
        for block in blocks {
            gather(block.value)
            search(block.value, "$", block.line)
        }
    }

    /// Reads JSON that others wrote: what is certain is tolerated.
    static func value(of bytes: [UInt8]) throws(JSONReader.Problem) -> JSONValue {
        try JSONReader.value(of: bytes, tolerating: .all, levels: levels)
    }

    /// Reads a `<script>`: JSON in which comments may hide it from old browsers, or a semicolon may end it.
    static func value(ofScript text: String) throws(JSONReader.Problem) -> JSONValue {
        var text = text[...]
        trim(&text)
        for wrapper in ["<!--", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/", "/* <![CDATA[ */", "<![CDATA["]
        where text.hasPrefix(wrapper) {
            text = text.dropFirst(wrapper.count)
            trim(&text)
        }
        for wrapper in ["//-->", "-->", "//]]>", "// ]]>", "/*]]>*/", "/* ]]> */", "]]>", ";"]
        where text.hasSuffix(wrapper) {
            text = text.dropLast(wrapper.count)
            trim(&text)
        }
        return try value(of: Array(text.utf8))
    }

    private static func trim(_ text: inout Substring) {
        while let first = text.unicodeScalars.first, first.properties.isWhitespace || first == "\u{FEFF}" {
            text.unicodeScalars.removeFirst()
        }
        while let last = text.unicodeScalars.last, last.properties.isWhitespace { text.unicodeScalars.removeLast() }
    }

    // MARK: Nodes

    /// What a value refers to, where it is nothing but a reference; otherwise the value.
    func resolved(_ value: JSONValue) -> JSONValue {
        guard Self.isReference(value), case .string(let id)? = value["@id"] else { return value }
        return nodes[id] ?? value
    }

    private static func isReference(_ value: JSONValue) -> Bool {
        guard case .object(let members) = value else { return false }
        return members.contains { $0.key == "@id" } && members.allSatisfy { $0.key == "@id" || $0.key == "@type" }
    }

    private mutating func gather(_ value: JSONValue) {
        switch value {
        case .array(let values): for value in values { gather(value) }
        case .object(let members):
            if case .string(let id)? = value["@id"], nodes[id] == nil, !Self.isReference(value) { nodes[id] = value }
            for member in members { gather(member.value) }
        case .null, .boolean, .number, .string: break
        }
    }

    /// Where a recipe may lie: what only mentions another, such as a review, is not followed.
    private static let ways = [
        "@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item", "hasPart", "about",
    ]

    private mutating func search(_ value: JSONValue, _ path: String, _ line: Int?) {
        switch value {
        case .array(let values):
            for (index, value) in values.enumerated() { search(value, "\(path)[\(index)]", line) }
        case .object:
            if Schema.isA(value, "recipe") {
                if Self.hasContent(value) { recipes.append(Found(node: value, path: path, line: line)) }
                return
            }
            for way in Self.ways {
                guard let next = Schema.member(value, way) else { continue }
                search(next, way.hasPrefix("@") ? "\(path)['\(way)']" : "\(path).\(way)", line)
            }
        case .null, .boolean, .number, .string: break
        }
    }

    /// Whether there is more than type, id and context: sites leave empty nodes behind, and references.
    private static func hasContent(_ value: JSONValue) -> Bool {
        guard case .object(let members) = value else { return false }
        return members.contains { member in
            switch member.value {
            case .null, .boolean: false
            case .string(let text): !member.key.hasPrefix("@") && DraftText.line(text) != nil
            case .array(let values): !member.key.hasPrefix("@") && !values.isEmpty
            case .number, .object: !member.key.hasPrefix("@")
            }
        }
    }
}

/// schema.org's names, as they are written in the wild.
enum Schema {
    /// The member of an object, with or without a prefix, and in whatever case; nil for null too.
    static func member(_ node: JSONValue, _ name: String) -> JSONValue? {
        guard case .object(let members) = node else { return nil }
        let exact = members.first { $0.key == name }
        let lowercased = name.lowercased()
        let found = exact ?? members.first { localName($0.key) == lowercased }
        if case .null? = found?.value { return nil }
        return found?.value
    }

    /// Whether a node is of this type, given in lower case.
    static func isA(_ node: JSONValue, _ type: String) -> Bool {
        switch node["@type"] ?? node["type"] {
        case .string(let text): localName(text) == type
        case .array(let values):
            values.contains { if case .string(let text) = $0 { localName(text) == type } else { false } }
        default: false
        }
    }

    /// `https://schema.org/Recipe`, `schema:Recipe` and `Recipe` in lower case, without what is in front.
    private static func localName(_ name: String) -> String {
        let schemes = [
            "https://schema.org/", "http://schema.org/", "https://www.schema.org/", "http://www.schema.org/", "schema:",
        ]
        let prefix = schemes.first { name.hasPrefix($0) } ?? ""
        return name.dropFirst(prefix.count).lowercased()
    }
}
