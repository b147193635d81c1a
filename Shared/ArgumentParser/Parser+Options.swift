/// Options and flags.
extension Parser {
    /// Whether `argument` can't be a value unless that is said explicitly: it begins with a dash, is more than
    /// that, and is neither a negative number nor a dash and a blank (as in a list typed by hand).
    func looksLikeOption(_ argument: String) -> Bool {
        let scalars = argument.unicodeScalars
        guard scalars.first == "-", let second = scalars.dropFirst().first else { return false }
        if second.properties.isWhitespace { return false }
        let digits = second == "." || second == "," ? scalars.dropFirst(2).first : second
        guard let digits, ("0"..."9").contains(digits) else { return true }
        return level.named["-\(second)"] != nil
    }

    mutating func readLong(_ argument: String) throws {
        // By bytes: an equals sign before a combining mark is a Character of its own.
        let bytes = argument.utf8
        let equals = bytes.firstIndex(of: UInt8(ascii: "="))
        let name = String(argument[..<(equals ?? bytes.endIndex)])
        let value = equals.map { String(argument[bytes.index(after: $0)...]) }
        if let definition = level.named[name] {
            if definition.takesValue {
                try readValues(of: definition, as: name, joined: value)
            } else if value != nil {
                throw failure(.unexpectedValue(flag: name, found: argument))
            } else {
                try setFlag(definition, as: name)
            }
        } else if try value != nil || !readBuiltIn(name) {
            try readUnknown(argument, name: name)
        }
    }

    mutating func readShort(_ argument: String) throws {
        // By scalars, for the same reason.
        var rest = argument.unicodeScalars.dropFirst()
        while let scalar = rest.popFirst() {
            let name = "-\(scalar)"
            guard let definition = level.named[name] else {
                if try readBuiltIn(name) { continue }
                // In a group of flags only the one that is not known; else the whole word, perhaps `-date`.
                let isFirst = rest.count == argument.unicodeScalars.count - 2
                return try readUnknown(argument, name: isFirst ? argument : name)
            }
            if definition.takesValue {
                if rest.isEmpty { return try readValues(of: definition, as: name, joined: nil) }
                return try readValues(
                    of: definition,
                    as: name,
                    joined: String(rest.first == "=" ? rest.dropFirst() : rest)
                )
            }
            if rest.first == "=" { throw failure(.unexpectedValue(flag: name, found: argument)) }
            try setFlag(definition, as: name)
        }
    }

    /// Follows a request for help (noted, until it is known for which command), the version or a completion
    /// script; `false` when `name` is no such thing.
    ///
    /// - Throws: `CleanExit` with what was asked for.
    private mutating func readBuiltIn(_ name: String) throws -> Bool {
        if node.helpNames.contains(name) {
            isHelpRequested = true
        } else if node.versionNames.contains(name) {
            throw CleanExit.message(node.configuration.version)
        } else if name == "--generate-completion-script", levels.count == 1,
            let root = node.type as? any ParsableCommand.Type
        {
            let shells = CompletionShell.allValueStrings.joined(by: "or")
            guard index < arguments.count else {
                throw failure(.missingValue(option: name, placeholder: "<shell>", next: nil))
            }
            guard let shell = CompletionShell(rawValue: arguments[index]) else {
                throw failure(.invalidValue(arguments[index], argument: name, reason: "expected \(shells)"))
            }
            throw CleanExit.message(root.completionScript(for: shell))
        } else {
            return false
        }
        return true
    }

    private mutating func readUnknown(_ argument: String, name: String) throws {
        if level.filled < level.positionals.count {
            switch level.positionals[level.filled].form {
            case .positional(.captureForPassthrough), .positional(.allUnrecognized): return try readPositional(argument)
            default: break
            }
        }
        if let type = node.configuration.defaultSubcommand, level.takesSubcommand {
            enter(type, isDefault: true)
            index -= 1
            return
        }
        let visible = node.named.filter { $0.help.visibility == .default }.flatMap(\.allNames)
        let known = visible + node.helpNames + node.versionNames
        throw failure(.unknownOption(name, suggestion: suggestion(for: name, among: known)))
    }

    private mutating func readValues(of definition: ArgumentDefinition, as name: String, joined: String?) throws {
        if let joined { return try accept(joined, for: definition, as: name) }
        guard case .option(let parsing) = definition.form else { return }
        let next = index < arguments.count ? arguments[index] : nil
        guard let next, parsing == .unconditional || parsing == .remaining || isValue(next) else {
            throw failure(
                .missingValue(option: name, placeholder: definition.placeholder, next: next == "--" ? nil : next)
            )
        }
        repeat {
            try accept(arguments[index], for: definition, as: name)
            index += 1
            guard index < arguments.count else { return }
        } while parsing == .remaining || parsing == .upToNextOption && isValue(arguments[index])
    }

    private func isValue(_ argument: String) -> Bool {
        !looksLikeOption(argument)
    }

    private func setFlag(_ definition: ArgumentDefinition, as name: String) throws {
        let occurrences = definition.occurrences
        // `-j` and `--json` are the same flag.
        let isInverse = definition.inverseNames.contains(name)
        let flag = isInverse ? definition.inverseNames[0] : definition.preferredName
        if let first = occurrences.given.first, let exclusivity = definition.exclusivity, first != flag {
            switch exclusivity {
            case .exclusive: throw failure(.conflictingFlags(first, flag))
            case .chooseFirst: return
            case .chooseLast: break
            }
        }
        try definition.accept(name)
        occurrences.given.append(flag)
    }

    func accept(_ value: String, for definition: ArgumentDefinition, as name: String) throws {
        let occurrences = definition.occurrences
        if let first = occurrences.given.first, !definition.isRepeating {
            throw failure(.repeatedOption(name, first: first, second: value))
        }
        do {
            try definition.accept(value)
        } catch let error as UnreadableValue {
            throw failure(.invalidValue(value, argument: definition.spelled, reason: error.reason))
        }
        occurrences.given.append(value)
    }
}
