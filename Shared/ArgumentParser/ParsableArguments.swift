/// A set of arguments declared with `@Argument`, `@Option`, `@Flag` and `@OptionGroup`.
///
/// Declarations are found by reflection on one fresh instance, so every stored property needs a wrapper or a
/// default value. The spelling is that of the swift-argument-parser package, for the part of it that is here.
public protocol ParsableArguments: SendableMetatype {
    /// Creates the declarations. Values may be read only from an instance that parsing returned.
    init()

    /// Checks what single values can't show, after all of them were read.
    ///
    /// Groups are checked before the command that declares them, a parent command before its subcommand.
    /// - Throws: `ValidationError` for a usage error (exit code 2); any other error passes through unchanged.
    mutating func validate() throws
}

extension ParsableArguments {
    /// Accepts everything.
    public mutating func validate() throws {}

    /// Parses `arguments` as an instance of this very type.
    ///
    /// - Parameter arguments: without the program's name; `nil` reads the process's own.
    /// - Throws: `UsageError`, `CleanExit` for a request for help or the version, and what `validate()` threw.
    public static func parse(_ arguments: [String]? = nil) throws -> Self {
        var parser = try Parser(root: Self.self, arguments: arguments ?? validatedArguments())
        let parsed = try parser.parse()
        guard let typed = parsed as? Self else {
            // A subcommand was named where only this command's own arguments were asked for.
            throw CleanExit.helpRequest(nil)
        }
        return typed
    }

    /// The help page of this type, wrapped to `columns`.
    ///
    /// - Parameters:
    ///   - includeHidden: also lists what was declared hidden.
    ///   - columns: the width to wrap to, 80 when `nil`; less than 40 counts as 40.
    public static func helpMessage(includeHidden: Bool = false, columns: Int? = nil) -> String {
        HelpGenerator(CommandNode(Self.self), includeHidden: includeHidden, columns: columns).page()
    }
}
