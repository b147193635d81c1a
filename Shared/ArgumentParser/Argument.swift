/// A positional argument, recognised by its place.
///
/// Without a default it is required; an optional property is `nil` when the argument is not given; an array
/// takes all that follow, so it comes last.
@propertyWrapper
public struct Argument<Value> {
    var slot: Slot<Value>
    let declaration: Declaration<Value>
    let parsing: ArgumentDefinition.PositionalParsing

    init(_ declaration: Declaration<Value>, _ parsing: ArgumentDefinition.PositionalParsing = .inOrder) {
        slot = Slot(declaration.initial)
        self.declaration = declaration
        self.parsing = parsing
    }

    // Without this the compiler looks for no initializer in extensions when a declaration has no parentheses.
    @available(*, unavailable, message: "The value is no ExpressibleByArgument: give a transform.")
    public init() { preconditionFailure("unavailable") }

    /// The argument's value.
    public var wrappedValue: Value {
        get { slot.read() }
        set { slot = Slot(newValue) }
    }
}

// Slots are written only while the parser alone holds the instance; after that a setter replaces the slot.
extension Argument: @unchecked Sendable where Value: Sendable {}

extension Argument: ArgumentDeclaring {
    func definitions(key: String) -> [ArgumentDefinition] {
        [
            ArgumentDefinition(
                form: .positional(parsing),
                valueName: declaration.help.valueName ?? key.kebabCased,
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

/// Which arguments a positional array takes.
public enum ArgumentArrayParsingStrategy: Sendable, Hashable {
    /// All words that are no options and no options' values, and all after `--`.
    case remaining
    /// As `remaining`, and options that nothing else declares.
    case allUnrecognized
    /// Only what follows `--`.
    case postTerminator
    /// Everything from the first word or undeclared option on, as it stands, including `--` and declared options.
    case captureForPassthrough

    var parsing: ArgumentDefinition.PositionalParsing {
        switch self {
        case .remaining: .inOrder
        case .allUnrecognized: .allUnrecognized
        case .postTerminator: .postTerminator
        case .captureForPassthrough: .captureForPassthrough
        }
    }
}

extension Argument where Value: ExpressibleByArgument {
    /// A required argument.
    public init(help: ArgumentHelp? = nil, completion: CompletionKind? = nil) {
        self.init(Declaration(ValueReader(), default: nil, help, completion))
    }

    /// An argument with a default.
    public init(wrappedValue: Value, help: ArgumentHelp? = nil, completion: CompletionKind? = nil) {
        self.init(Declaration(ValueReader(), default: wrappedValue, help, completion))
    }
}

extension Argument {
    /// A required argument that `transform` reads.
    public init(
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> Value
    ) {
        self.init(Declaration(ValueReader(transform: transform), default: nil, help, completion))
    }

    /// An argument with a default, which `transform` reads.
    public init(
        wrappedValue: Value,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> Value
    ) {
        self.init(Declaration(ValueReader(transform: transform), default: wrappedValue, help, completion))
    }

    /// An argument that may be left out.
    public init<T: ExpressibleByArgument>(help: ArgumentHelp? = nil, completion: CompletionKind? = nil)
    where Value == T? {
        self.init(Declaration(optional: ValueReader(), help, completion))
    }

    /// An argument that may be left out, with its `nil` written out.
    public init<T: ExpressibleByArgument>(
        wrappedValue: _OptionalNilComparisonType,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == T? {
        self.init(Declaration(optional: ValueReader(), help, completion))
    }

    /// An argument that may be left out and that `transform` reads.
    public init<T>(
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> T
    ) where Value == T? {
        self.init(Declaration(optional: ValueReader(transform: transform), help, completion))
    }

    /// An argument that may be left out, with its `nil` written out, which `transform` reads.
    public init<T>(
        wrappedValue: _OptionalNilComparisonType,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> T
    ) where Value == T? {
        self.init(Declaration(optional: ValueReader(transform: transform), help, completion))
    }
}

extension Argument {
    /// One or more arguments.
    public init<T: ExpressibleByArgument>(
        parsing: ArgumentArrayParsingStrategy = .remaining,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == [T] {
        self.init(Declaration(array: ValueReader(), default: nil, help, completion), parsing.parsing)
    }

    /// Any number of arguments, which replace the default.
    public init<T: ExpressibleByArgument>(
        wrappedValue: [T],
        parsing: ArgumentArrayParsingStrategy = .remaining,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == [T] {
        self.init(Declaration(array: ValueReader(), default: wrappedValue, help, completion), parsing.parsing)
    }

    /// One or more arguments, each read by `transform`.
    public init<T>(
        parsing: ArgumentArrayParsingStrategy = .remaining,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> T
    ) where Value == [T] {
        self.init(
            Declaration(array: ValueReader(transform: transform), default: nil, help, completion),
            parsing.parsing
        )
    }

    /// Any number of arguments, each read by `transform`, which replace the default.
    public init<T>(
        wrappedValue: [T],
        parsing: ArgumentArrayParsingStrategy = .remaining,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> T
    ) where Value == [T] {
        self.init(
            Declaration(array: ValueReader(transform: transform), default: wrappedValue, help, completion),
            parsing.parsing
        )
    }
}
