import JSON
import Support

/// What Daybook answered to questions, as `Tests/Releases/ask` prints it.
struct Answers {
    struct Answer {
        /// The command line, as `$ daybook customers list`.
        var question: String
        var lines: [String]
    }

    var all: [Answer] = []

    /// - Throws: ``HarnessError`` where it begins with something other than a question.
    init(_ text: String) throws(HarnessError) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("$ ") {
                all.append(Answer(question: line, lines: []))
            } else if !all.isEmpty {
                all[all.count - 1].lines.append(line)
            } else if !line.isEmpty {
                throw HarnessError("an answer without a question: \(line)")
            }
        }
    }

    /// The same for two runs of one day: ids by the order in which they come, and without the times of entry. Events are left
    /// out, since those of one transaction have no order.
    func withoutChance() throws -> Answers {
        var ids: [Substring: Int] = [:]
        let text = all.filter { !$0.question.hasPrefix("$ daybook events") }
            .flatMap { [$0.question] + $0.lines }.joined(separator: "\n")
        let id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
        let numbered = text.replacing(id) { match in
            let number = ids[match.output, default: ids.count]
            ids[match.output] = number
            return "#\(number)"
        }
        let entered = numbered.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/, with: "TIME")
        return try Answers(entered.replacing(/("printed",.*?"to":")\d+/) { "\($0.output.1)TIME" })
    }

    /// What differs from what was answered once, a sentence each. Fields that were added since do not.
    func differences(from earlier: Answers) -> [String] {
        guard all.map(\.question) == earlier.all.map(\.question) else { return ["other questions were asked"] }
        return zip(earlier.all, all).flatMap { then, now in
            let places = Self.values(then.lines).differences(in: Self.values(now.lines), at: "")
            return places.map { "\(then.question): \($0)" }
        }
    }

    /// JSON as it is; of what is no JSON each line is a text.
    private static func values(_ lines: [String]) -> JSONValue {
        let bytes = Array(lines.joined(separator: "\n").utf8)
        if let whole = try? JSONReader.value(of: bytes) { return whole }
        return .array(lines.map { (try? JSONReader.value(of: Array($0.utf8))) ?? .string($0) })
    }
}

extension JSONValue {
    /// Where `later` lacks what this has, or has something else; what it has beyond that is no difference.
    fileprivate func differences(in later: JSONValue, at place: String) -> [String] {
        switch (self, later) {
        case (.object(let members), .object):
            return members.flatMap { member in
                let place = "\(place).\(member.key)"
                guard let value = later[member.key] else { return ["\(place) is missing"] }
                return member.value.differences(in: value, at: place)
            }
        case (.array(let items), .array(let others)) where items.count == others.count:
            return zip(items, others).enumerated().flatMap { $1.0.differences(in: $1.1, at: "\(place)[\($0)]") }
        default: return self == later ? [] : ["\(place) was \(self), and is \(later)"]
        }
    }
}
