/// One declared argument as the parser, help and completions see it, whatever its type.
struct ArgumentDefinition {
    enum Form: Equatable {
        case flag
        case option(ValueParsing)
        case positional(PositionalParsing)
    }

    /// Which arguments an option takes as its value.
    enum ValueParsing {
        case next
        case unconditional
        case upToNextOption
        case remaining
    }

    /// Which arguments a positional argument takes.
    enum PositionalParsing {
        case inOrder
        case allUnrecognized
        case postTerminator
        case captureForPassthrough
    }

    var form: Form
    /// With their dashes; empty for positional arguments.
    var names: [String] = []
    /// The names that turn a flag off.
    var inverseNames: [String] = []
    var valueName: String
    var help: ArgumentHelp
    var isRepeating = false
    var isRequired = false
    var exclusivity: FlagExclusivity?
    var allowedValues: [String] = []
    var defaultDescription: String?
    /// Whether a flag sets what its property is anyway.
    var isDefault = false
    var completion: CompletionKind = .default
    /// The title of the group that it belongs to; empty: of a group without a title; `nil`: of the command itself.
    var group: String?
    /// Shared by definitions that set the same property.
    let occurrences: Occurrences
    /// Takes a value, or for flags the name as it was written.
    let accept: (String) throws -> Void

    var isPositional: Bool { names.isEmpty }
    var takesValue: Bool { form != .flag }
    var allNames: [String] { names + inverseNames }
    /// The name that errors use: the first long one.
    var preferredName: String { names.first { $0.hasPrefix("--") } ?? names.first ?? placeholder }
    /// `<value>`.
    var placeholder: String { "<\(valueName)>" }
    /// `--date <date>`, `--json`, `<customer>`.
    var spelled: String {
        isPositional || !takesValue ? preferredName : "\(preferredName) \(placeholder)"
    }
}

/// A property wrapper that declares arguments.
protocol ArgumentDeclaring {
    /// The arguments of a property called `key`.
    func definitions(key: String) -> [ArgumentDefinition]
}
