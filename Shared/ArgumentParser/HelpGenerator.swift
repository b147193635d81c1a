/// Makes a command's help page.
struct HelpGenerator {
    let node: CommandNode
    let includeHidden: Bool
    let columns: Int

    /// - Parameter columns: 80 when `nil`, and at least 40.
    init(_ node: CommandNode, includeHidden: Bool = false, columns: Int? = nil) {
        self.node = node
        self.includeHidden = includeHidden
        self.columns = max(40, columns ?? 80)
    }

    /// A heading and its two columns.
    private struct Section {
        var title: String
        var rows: [(label: String, text: String)]
    }

    /// The whole page, without a line feed at its end.
    func page() -> String {
        let configuration = node.configuration
        var parts: [String] = []
        if !configuration.abstract.isEmpty { parts.append(wrapped(configuration.abstract, to: columns)) }
        if !configuration.discussion.isEmpty { parts.append(wrapped(configuration.discussion, to: columns)) }
        parts.append(usage())
        if !configuration.examples.isEmpty {
            parts.append("EXAMPLES:\n" + configuration.examples.map { "  \($0)" }.joined(separator: "\n"))
        }
        let sections = self.sections()
        let widest = sections.flatMap(\.rows).map(\.label.count).filter { $0 <= longestLabel }.max() ?? 0
        parts += sections.map { render($0, indent: widest + 4) }
        if !configuration.subcommands.isEmpty {
            parts.append("See '\(node.path[0]) help\(below) <subcommand>' for more on one of them.")
        }
        return parts.joined(separator: "\n\n")
    }

    /// Labels beyond this stand on a line of their own.
    private var longestLabel: Int { min(28, columns / 2 - 4) }

    private var below: String {
        node.path.dropFirst().map { " \($0)" }.joined()
    }

    private func usage() -> String {
        let start = "USAGE: "
        var words: [String] = []
        if let usage = node.configuration.usage {
            return start + usage
        }
        let own = node.own.filter(isListed)
        for definition in own where !definition.isPositional && definition.isRequired {
            words.append(synopsis(definition))
        }
        let optional = (own + node.inherited.filter(isListed)).filter { !$0.isPositional && !$0.isRequired }
        // Long lists of options hide what matters.
        words += optional.count > 6 ? ["[<options>]"] : optional.map(synopsis)
        words += own.filter(\.isPositional).map(synopsis)
        if !node.configuration.subcommands.isEmpty {
            words.append(node.configuration.defaultSubcommand == nil && own.isEmpty ? "<subcommand>" : "[<subcommand>]")
        }
        let indent = start.count + node.name.count + 1
        let lines = filled(words, to: max(20, columns - indent))
        return start + node.name + (lines.isEmpty ? "" : " ")
            + lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }

    private func synopsis(_ definition: ArgumentDefinition) -> String {
        var text = definition.spelled
        if definition.form == .positional(.postTerminator) { text = "-- " + text }
        if let inverse = definition.inverseNames.first { text += "|\(inverse)" }
        if definition.isRepeating { text += " ..." }
        return definition.isRequired ? text : "[\(text)]"
    }

    private func isListed(_ definition: ArgumentDefinition) -> Bool {
        switch definition.help.visibility {
        case .default: true
        case .hidden: includeHidden
        case .private: false
        }
    }

    private func sections() -> [Section] {
        let listed = node.own.filter(isListed)
        var result = [Section(title: "ARGUMENTS", rows: listed.filter(\.isPositional).map(row))]
        var options = Section(title: "OPTIONS", rows: [])
        var groups: [Section] = []
        func add(_ definition: ArgumentDefinition, to title: String) {
            if title.isEmpty {
                options.rows.append(row(definition))
            } else if let place = groups.firstIndex(where: { $0.title == title.uppercased() }) {
                groups[place].rows.append(row(definition))
            } else {
                groups.append(Section(title: title.uppercased(), rows: [row(definition)]))
            }
        }
        for definition in listed where !definition.isPositional { add(definition, to: definition.group ?? "") }
        for definition in node.inherited where isListed(definition) {
            add(definition, to: definition.group.flatMap { $0.isEmpty ? nil : $0 } ?? "Global options")
        }
        if !node.versionNames.isEmpty {
            options.rows.append((aligned(node.versionNames), "Show the version."))
        }
        if !node.helpNames.isEmpty { options.rows.append((aligned(node.helpNames), "Show this help.")) }
        result.append(options)
        result += groups
        result.append(Section(title: "SUBCOMMANDS", rows: commandRows()))
        return result.filter { !$0.rows.isEmpty }
    }

    private func commandRows() -> [(label: String, text: String)] {
        node.configuration.subcommands.filter { includeHidden || $0.configuration.shouldDisplay }.map { type in
            let configuration = type.configuration
            let label = ([type.commandName] + configuration.aliases).joined(separator: ", ")
            let isDefault = node.configuration.defaultSubcommand.map { $0 == type } ?? false
            return (label, joined([configuration.abstract, isDefault ? "(default)" : ""]))
        }
    }

    private func row(_ definition: ArgumentDefinition) -> (label: String, text: String) {
        var label = definition.isPositional ? definition.placeholder : aligned(definition.names)
        if let inverse = definition.inverseNames.first { label += " / \(inverse)" }
        if !definition.isPositional, definition.takesValue { label += " \(definition.placeholder)" }
        if definition.isRepeating { label += " ..." }
        var notes: [String] = []
        let allowed = definition.allowedValues
        if !allowed.isEmpty { notes.append("values: " + allowed.joined(separator: ", ")) }
        if let value = definition.defaultDescription, !value.isEmpty { notes.append("default: \(value)") }
        if definition.isDefault { notes.append("default") }
        let note = notes.isEmpty ? "" : "(\(notes.joined(separator: "; ")))"
        let text = joined([definition.help.abstract, note])
        let discussion = definition.help.discussion
        return (label, discussion.isEmpty ? text : text + "\n" + discussion)
    }

    /// Short names first; a long name alone stands below other long names.
    private func aligned(_ names: [String]) -> String {
        let short = names.filter { !$0.hasPrefix("--") }
        let long = names.filter { $0.hasPrefix("--") }
        return (short.isEmpty ? "    " : "") + (short + long).joined(separator: ", ")
    }

    private func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func render(_ section: Section, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        let rows = section.rows.map { label, text in
            guard !text.isEmpty else { return "  " + label }
            let lines = lines(of: text, width: columns - indent).joined(separator: "\n" + margin)
            let gap = indent - 2 - label.count
            return "  " + label + (gap < 2 ? "\n" + margin : String(repeating: " ", count: gap)) + lines
        }
        return section.title + ":\n" + rows.joined(separator: "\n")
    }

    private func wrapped(_ text: String, to width: Int) -> String {
        lines(of: text, width: width).joined(separator: "\n")
    }
}

/// Wraps every line of `text`; its own line ends and indents stay. A Character counts as one column.
private func lines(of text: String, width: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
        if line.count <= width { return [String(line)] }
        let indent = String(line.prefix { $0 == " " })
        let words = line.split(separator: " ").map(String.init)
        return filled(words, to: max(10, width - indent.count)).map { indent + $0 }
    }
}

/// Fills lines of at most `width` with whole words; a longer word has a line of its own.
private func filled(_ words: [String], to width: Int) -> [String] {
    var lines: [String] = []
    for word in words {
        if let last = lines.last, last.count + 1 + word.count <= width {
            lines[lines.count - 1] = "\(last) \(word)"
        } else {
            lines.append(word)
        }
    }
    return lines
}
