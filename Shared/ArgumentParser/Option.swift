/// An option: a name and a value, such as `--date 2026-11-30`, `--date=2026-11-30`, `-d 2026-11-30` or
/// `-d2026-11-30`.
///
/// Without a default it is required; an optional property is `nil` when the option is not given; an array
/// collects every value. A single-valued option that is given twice is a usage error.
@propertyWrapper
public struct Option<Value> {
    var slot: Slot<Value>
    let declaration: Declaration<Value>
    let name: NameSpecification
    let parsing: ArgumentDefinition.ValueParsing

    init(_ name: NameSpecification, _ parsing: ArgumentDefinition.ValueParsing, _ declaration: Declaration<Value>) {
        slot = Slot(declaration.initial)
        self.declaration = declaration
        self.name = name
        self.parsing = parsing
    }

    // Without this the compiler looks for no initializer in extensions when a declaration has no parentheses.
    @available(*, unavailable, message: "The value is no ExpressibleByArgument: give a transform.")
    public init() { preconditionFailure("unavailable") }

    /// The option's value.
    public var wrappedValue: Value {
        get { slot.read() }
        set { slot = Slot(newValue) }
    }
}

// Slots are written only while the parser alone holds the instance; after that a setter replaces the slot.
extension Option: @unchecked Sendable where Value: Sendable {}

extension Option: ArgumentDeclaring {
    func definitions(key: String) -> [ArgumentDefinition] {
        let names = name.names(for: key)
        let long = names.first { $0.hasPrefix("--") }
        return [
            ArgumentDefinition(
                form: .option(parsing),
                names: names,
                valueName: declaration.help.valueName ?? long.map { String($0.dropFirst(2)) } ?? key.kebabCased,
                help: declaration.help,
                isRepeating: declaration.isRepeating,
                isRequired: declaration.isRequired,
                allowedValues: declaration.allowedValues,
                defaultDescription: declaration.defaultDescription,
                completion: declaration.completion,
                occurrences: slot
            ) { [accept = declaration.accept, slot] in try accept($0, slot) }
        ]
    }
}

/// Which argument a single-valued option takes as its value.
public enum SingleValueParsingStrategy: Sendable, Hashable {
    /// The next one, unless it looks like an option. A negative number doesn't.
    case next
    /// The next one, whatever it looks like.
    case unconditional

    var parsing: ArgumentDefinition.ValueParsing {
        switch self {
        case .next: .next
        case .unconditional: .unconditional
        }
    }
}

/// Which arguments an array option takes as its values.
public enum ArrayParsingStrategy: Sendable, Hashable {
    /// One for each time that the option is given, unless it looks like an option.
    case singleValue
    /// One for each time that the option is given, whatever it looks like.
    case unconditionalSingleValue
    /// All up to the next one that looks like an option; at least one.
    case upToNextOption
    /// All the rest.
    case remaining

    var parsing: ArgumentDefinition.ValueParsing {
        switch self {
        case .singleValue: .next
        case .unconditionalSingleValue: .unconditional
        case .upToNextOption: .upToNextOption
        case .remaining: .remaining
        }
    }
}

extension Option where Value: ExpressibleByArgument {
    /// A required option.
    public init(
        name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) {
        self.init(name, parsing.parsing, Declaration(ValueReader(), default: nil, help, completion))
    }

    /// An option with a default.
    public init(
        wrappedValue: Value,
        name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) {
        self.init(name, parsing.parsing, Declaration(ValueReader(), default: wrappedValue, help, completion))
    }
}

extension Option {
    /// A required option whose value `transform` reads.
    public init(
        name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> Value
    ) {
        self.init(
            name,
            parsing.parsing,
            Declaration(ValueReader(transform: transform), default: nil, help, completion)
        )
    }

    /// An option with a default, whose value `transform` reads.
    public init(
        wrappedValue: Value,
        name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> Value
    ) {
        self.init(
            name,
            parsing.parsing,
            Declaration(ValueReader(transform: transform), default: wrappedValue, help, completion)
        )
    }
}
