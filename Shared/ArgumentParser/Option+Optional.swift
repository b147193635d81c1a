extension Option {
    /// An option that may be left out.
    public init<T: ExpressibleByArgument>(
        name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == T? {
        self.init(name, parsing.parsing, Declaration(optional: ValueReader(), help, completion))
    }

    /// An option that may be left out, with its `nil` written out.
    public init<T: ExpressibleByArgument>(
        wrappedValue: _OptionalNilComparisonType,
        name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == T? {
        self.init(name, parsing.parsing, Declaration(optional: ValueReader(), help, completion))
    }

    /// An option that may be left out, whose value `transform` reads.
    public init<T>(
        name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> T
    ) where Value == T? {
        self.init(name, parsing.parsing, Declaration(optional: ValueReader(transform: transform), help, completion))
    }

    /// An option that may be left out, with its `nil` written out, whose value `transform` reads.
    public init<T>(
        wrappedValue: _OptionalNilComparisonType,
        name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> T
    ) where Value == T? {
        self.init(name, parsing.parsing, Declaration(optional: ValueReader(transform: transform), help, completion))
    }
}
