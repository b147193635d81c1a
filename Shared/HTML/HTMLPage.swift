internal import CXML2

/// Reads what is wanted of an HTML page, by libxml2's parser: nothing is fetched, no script runs, and faults of the
/// mark-up are passed over as browsers do.
public enum HTMLPage {
    /// A page of more bytes is refused; the parser keeps a tree of several times its size.
    public static let maximumBytes = 32 << 20

    /// A `<script>` of the page.
    public struct Script: Sendable, Hashable {
        /// Where it begins, from 1; 0 beyond line 65,535, where the parser stops counting.
        public var line: Int
        /// As it stands there, in UTF-8.
        public var text: String
    }

    /// The scripts of one content type, in the page's order.
    ///
    /// - Parameters:
    ///   - type: the media type, in lower case; the page's case and parameters (`; charset=utf-8`) are disregarded.
    ///   - page: in UTF-8, or in the encoding that a byte order mark or its `meta` element names.
    /// - Returns: nil for a page that is too large, or in which the parser finds no document.
    public static func scripts(ofType type: String, in page: [UInt8]) -> [Script]? {
        guard page.count <= maximumBytes else { return nil }
        let isUTF8 = String(validating: page, as: UTF8.self) != nil
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOBLANKS.rawValue
        let document = unsafe page.withUnsafeBytes { bytes in
            unsafe htmlReadMemory(
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count),
                nil,
                isUTF8 ? "UTF-8" : nil,
                Int32(options)
            )
        }
        guard let document = unsafe document else { return nil }
        defer { unsafe xmlFreeDoc(document) }
        return unsafe scripts(ofType: type, below: xmlDocGetRootElement(document))
    }

    /// Walks the tree without calling itself: pages may be nested as deeply as they are long.
    private static func scripts(ofType type: String, below root: xmlNodePtr?) -> [Script] {
        var found: [Script] = []
        var next = unsafe root
        while let node = unsafe next {
            if unsafe isScript(node, ofType: type), let content = unsafe xmlNodeGetContent(node) {
                let text = unsafe String(cString: content)
                unsafe daybook_xml_free(content)
                let line = unsafe xmlGetLineNo(node)
                found.append(Script(line: line > 0 && line < 65535 ? line : 0, text: text))
            }
            unsafe next = successor(of: node, in: root)
        }
        return found
    }

    /// The first child, or the next sibling of the node or of the nearest ancestor that has one.
    private static func successor(of node: xmlNodePtr, in root: xmlNodePtr?) -> xmlNodePtr? {
        if unsafe node.pointee.type == XML_ELEMENT_NODE, let child = unsafe node.pointee.children {
            return unsafe child
        }
        var current: xmlNodePtr? = unsafe node
        while let candidate = unsafe current, unsafe candidate != root {
            if let sibling = unsafe candidate.pointee.next { return unsafe sibling }
            unsafe current = candidate.pointee.parent
        }
        return nil
    }

    private static func isScript(_ node: xmlNodePtr, ofType type: String) -> Bool {
        guard unsafe node.pointee.type == XML_ELEMENT_NODE, let name = unsafe node.pointee.name,
            unsafe String(cString: name).lowercased() == "script", let value = unsafe xmlGetNoNsProp(node, "type")
        else { return false }
        defer { unsafe daybook_xml_free(value) }
        let given = unsafe String(cString: value).unicodeScalars.prefix { $0 != ";" }
        return String(String.UnicodeScalarView(given.filter { !$0.properties.isWhitespace })).lowercased() == type
    }
}
