extension Option {
    /// An option that takes one or more values.
    public init<T: ExpressibleByArgument>(
        name: NameSpecification = .long,
        parsing: ArrayParsingStrategy = .singleValue,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == [T] {
        self.init(name, parsing.parsing, Declaration(array: ValueReader(), default: nil, help, completion))
    }

    /// An option that takes any number of values, which replace the default.
    public init<T: ExpressibleByArgument>(
        wrappedValue: [T],
        name: NameSpecification = .long,
        parsing: ArrayParsingStrategy = .singleValue,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil
    ) where Value == [T] {
        self.init(name, parsing.parsing, Declaration(array: ValueReader(), default: wrappedValue, help, completion))
    }

    /// An option that takes one or more values, each read by `transform`.
    public init<T>(
        name: NameSpecification = .long,
        parsing: ArrayParsingStrategy = .singleValue,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> T
    ) where Value == [T] {
        self.init(
            name,
            parsing.parsing,
            Declaration(array: ValueReader(transform: transform), default: nil, help, completion)
        )
    }

    /// An option that takes any number of values, each read by `transform`, which replace the default.
    public init<T>(
        wrappedValue: [T],
        name: NameSpecification = .long,
        parsing: ArrayParsingStrategy = .singleValue,
        help: ArgumentHelp? = nil,
        completion: CompletionKind? = nil,
        transform: @escaping @Sendable (String) throws -> T
    ) where Value == [T] {
        self.init(
            name,
            parsing.parsing,
            Declaration(array: ValueReader(transform: transform), default: wrappedValue, help, completion)
        )
    }
}
