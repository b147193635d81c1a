/// A piece of a query's text.
struct QueryToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case word(String)
        case quoted(String)
        case sign(Query.Sign)
        case opening
        case closing
        case end
    }

    var kind: Kind
    /// From 1, in characters.
    var place: Int

    /// - Throws: ``Query/Problem`` for quotes that don't end.
    static func tokens(of text: String) throws(Query.Problem) -> [QueryToken] {
        // By scalars: no combining mark hides a quote or a sign.
        let scalars = Array(text.unicodeScalars)
        var tokens: [QueryToken] = []
        var index = 0
        while index < scalars.count {
            let (start, scalar) = (index, scalars[index])
            index += 1
            switch scalar {
            case _ where scalar.properties.isWhitespace: continue
            case "(": tokens.append(QueryToken(kind: .opening, place: start + 1))
            case ")": tokens.append(QueryToken(kind: .closing, place: start + 1))
            case "\"", "'":
                var value = String.UnicodeScalarView()
                while index < scalars.count, scalars[index] != scalar {
                    // A backslash keeps a quote or another backslash from meaning anything.
                    if scalars[index] == "\\", index + 1 < scalars.count, [scalar, "\\"].contains(scalars[index + 1]) {
                        index += 1
                    }
                    value.append(scalars[index])
                    index += 1
                }
                guard index < scalars.count else {
                    throw Query.Problem(place: start + 1, reason: "this quote doesn't end")
                }
                index += 1
                tokens.append(QueryToken(kind: .quoted(String(value)), place: start + 1))
            default:
                if let (sign, count) = sign(scalars[start...]) {
                    index = start + count
                    tokens.append(QueryToken(kind: .sign(sign), place: start + 1))
                    continue
                }
                while index < scalars.count, !ends(scalars[index]), sign(scalars[index...]) == nil { index += 1 }
                var word = String.UnicodeScalarView()
                word.append(contentsOf: scalars[start..<index])
                tokens.append(QueryToken(kind: .word(String(word)), place: start + 1))
            }
        }
        return tokens + [QueryToken(kind: .end, place: scalars.count + 1)]
    }

    private static func ends(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar == "(" || scalar == ")"
    }

    private static func sign(_ scalars: ArraySlice<Unicode.Scalar>) -> (sign: Query.Sign, count: Int)? {
        for count in [2, 1] where scalars.count >= count {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars.prefix(count))
            if let sign = Query.Sign(rawValue: String(text)) { return (sign, count) }
        }
        return nil
    }
}

/// Reads tokens by the grammar
///
///     query      = all ("or" all)*
///     all        = one ("and" one)*
///     one        = "not" one / "(" query ")" / field / field sign value
///     value      = quoted / word+           up to "and", "or", a parenthesis, or the end
struct QueryParser {
    private let tokens: [QueryToken]
    private var position = 0
    private var depth = 0

    init(_ tokens: [QueryToken]) {
        self.tokens = tokens
    }

    mutating func query() throws(Query.Problem) -> Query {
        let query = try alternatives()
        guard case .end = next.kind else { throw problem("here should be 'and', 'or' or the end") }
        return query
    }

    private var next: QueryToken { tokens[position] }

    private func problem(_ reason: String) -> Query.Problem { Query.Problem(place: next.place, reason: reason) }

    private mutating func take(_ keyword: String) -> Bool {
        guard case .word(let word) = next.kind, word.lowercased() == keyword else { return false }
        position += 1
        return true
    }

    private mutating func alternatives() throws(Query.Problem) -> Query {
        var parts = [try conjunction()]
        while take("or") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func conjunction() throws(Query.Problem) -> Query {
        var parts = [try one()]
        while take("and") { parts.append(try one()) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func one() throws(Query.Problem) -> Query {
        guard depth < Query.deepest else { throw problem("this is nested too deep: at most \(Query.deepest) levels") }
        depth += 1
        defer { depth -= 1 }
        if take("not") { return .not(try one()) }
        if case .opening = next.kind {
            position += 1
            let inner = try alternatives()
            guard case .closing = next.kind else { throw problem("here should be a closing parenthesis") }
            position += 1
            return inner
        }
        guard case .word(let name) = next.kind, !Self.keywords.contains(name.lowercased()) else {
            throw problem("here should be a field, like customer = Lind")
        }
        let field = Query.Field(name: name, place: next.place)
        position += 1
        guard case .sign(let sign) = next.kind else { return .flag(field) }
        position += 1
        return .comparison(try value(of: field, sign))
    }

    private static let keywords: Set = ["and", "or", "not"]

    private mutating func value(of field: Query.Field, _ sign: Query.Sign) throws(Query.Problem) -> Query.Comparison {
        let place = next.place
        if case .quoted(let value) = next.kind {
            position += 1
            return Query.Comparison(field: field, sign: sign, value: value, isQuoted: true, place: place)
        }
        var words: [String] = []
        while case .word(let word) = next.kind, !["and", "or"].contains(word.lowercased()) {
            words.append(word)
            position += 1
        }
        guard !words.isEmpty else { throw problem("here should be a value, like Lind or \"Kim and Co\"") }
        let value = words.joined(separator: " ")
        return Query.Comparison(field: field, sign: sign, value: value, isQuoted: false, place: place)
    }
}
