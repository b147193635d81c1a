/// What help says about one argument. A string literal serves.
public struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
    /// One line.
    public var abstract: String
    /// More, shown below the abstract.
    public var discussion: String
    /// The word between `<` and `>`; `nil` takes the property's name (or the option's long name).
    public var valueName: String?
    /// Whether help and completions list the argument. It is accepted in any case.
    public var visibility: ArgumentVisibility

    /// Creates a help text; every part may be left out.
    public init(
        _ abstract: String = "",
        discussion: String = "",
        valueName: String? = nil,
        visibility: ArgumentVisibility = .default
    ) {
        self.abstract = abstract
        self.discussion = discussion
        self.valueName = valueName
        self.visibility = visibility
    }

    /// An abstract alone.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

/// Where an argument is listed.
public enum ArgumentVisibility: Sendable, Hashable {
    /// In help and completions.
    case `default`
    /// Only in help that was asked to include hidden arguments.
    case hidden
    /// Nowhere.
    case `private`
}
