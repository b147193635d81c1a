/// A value that one command-line argument can spell.
public protocol ExpressibleByArgument: SendableMetatype {
    /// Reads the value, or refuses with `nil`.
    init?(argument: String)

    /// How help shows this value as a default; empty: not at all.
    var defaultValueDescription: String { get }

    /// All spellings that are accepted, when they can be listed; otherwise empty.
    static var allValueStrings: [String] { get }

    /// What the shell offers for a value; the listed spellings when there are any.
    static var defaultCompletionKind: CompletionKind { get }
}

extension ExpressibleByArgument {
    /// What `String(describing:)` says.
    public var defaultValueDescription: String { "\(self)" }
    /// None.
    public static var allValueStrings: [String] { [] }
    /// The listed spellings, or nothing.
    public static var defaultCompletionKind: CompletionKind {
        allValueStrings.isEmpty ? .default : .list(allValueStrings)
    }
}

extension ExpressibleByArgument where Self: CaseIterable {
    /// The cases, as help would show them.
    public static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

extension ExpressibleByArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
    /// Reads the raw value.
    public init?(argument: String) {
        guard let raw = RawValue(argument: argument) else { return nil }
        self.init(rawValue: raw)
    }

    /// The raw value's description.
    public var defaultValueDescription: String { rawValue.defaultValueDescription }
}

extension String: ExpressibleByArgument {
    /// Takes the argument as it is.
    public init?(argument: String) {
        self = argument
    }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible {
    /// Reads what the type's own description would print.
    public init?(argument: String) {
        self.init(argument)
    }
}

extension Int: ExpressibleByArgument {}
extension Int64: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {}

extension Bool: ExpressibleByArgument {
    /// `true` and `false`.
    public static var allValueStrings: [String] { ["true", "false"] }
}
