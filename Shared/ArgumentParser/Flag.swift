/// A flag: a name without a value, such as `--json` or `-v`.
///
/// The value is a `Bool` (written once or often means the same), a `Bool?` or `Bool` with an inversion
/// (`--colour` and `--no-colour`), an `Int` (the number of times it was written), or an `EnumerableFlag`
/// (one flag for each case).
@propertyWrapper
public struct Flag<Value> {
    var slot: Slot<Value>
    let define: @Sendable (String, Slot<Value>) -> [ArgumentDefinition]

    init(_ initial: Value?, define: @escaping @Sendable (String, Slot<Value>) -> [ArgumentDefinition]) {
        slot = Slot(initial)
        self.define = define
    }

    // Without this the compiler looks for no initializer in extensions when a declaration has no parentheses.
    @available(*, unavailable, message: "A flag is a Bool with a default, a Bool?, an Int or an EnumerableFlag.")
    public init() { preconditionFailure("unavailable") }

    /// The flag's value.
    public var wrappedValue: Value {
        get { slot.read() }
        set { slot = Slot(newValue) }
    }
}

// Slots are written only while the parser alone holds the instance; after that a setter replaces the slot.
extension Flag: @unchecked Sendable where Value: Sendable {}

extension Flag: ArgumentDeclaring {
    func definitions(key: String) -> [ArgumentDefinition] { define(key, slot) }
}

/// How a flag is turned off.
public struct FlagInversion: Sendable, Hashable {
    let prefixes: [String]

    /// `--colour` and `--no-colour`.
    public static let prefixedNo = FlagInversion(prefixes: ["", "no-"])
    /// `--enable-colour` and `--disable-colour`.
    public static let prefixedEnableDisable = FlagInversion(prefixes: ["enable-", "disable-"])
}

/// What flags that contradict each other mean.
public enum FlagExclusivity: Sendable, Hashable {
    /// A usage error.
    case exclusive
    /// The first counts.
    case chooseFirst
    /// The last counts.
    case chooseLast
}

extension Flag where Value == Bool {
    /// A flag that makes its property `true`.
    public init(wrappedValue: Bool, name: NameSpecification = .long, help: ArgumentHelp? = nil) {
        self.init(wrappedValue) { key, slot in
            [ArgumentDefinition(flag: name.names(for: key), key, help, slot) { _ in slot.value = true }]
        }
    }

    /// A flag that can be turned off; required when there is no default.
    public init(
        name: NameSpecification = .long,
        inversion: FlagInversion,
        exclusivity: FlagExclusivity = .chooseLast,
        help: ArgumentHelp? = nil
    ) {
        self.init(nil) { key, slot in
            [.inverted(name, inversion, exclusivity, key, help, slot, isRequired: true) { slot.value = $0 }]
        }
    }

    /// A flag that can be turned off.
    public init(
        wrappedValue: Bool,
        name: NameSpecification = .long,
        inversion: FlagInversion,
        exclusivity: FlagExclusivity = .chooseLast,
        help: ArgumentHelp? = nil
    ) {
        self.init(wrappedValue) { key, slot in
            var definition = ArgumentDefinition.inverted(name, inversion, exclusivity, key, help, slot) {
                slot.value = $0
            }
            definition.defaultDescription = (wrappedValue ? definition.names : definition.inverseNames).last
            return [definition]
        }
    }
}

extension Flag where Value == Bool? {
    /// A flag that can be turned on, off, or left open.
    public init(
        name: NameSpecification = .long,
        inversion: FlagInversion,
        exclusivity: FlagExclusivity = .chooseLast,
        help: ArgumentHelp? = nil
    ) {
        self.init(.some(nil)) { key, slot in
            [.inverted(name, inversion, exclusivity, key, help, slot) { slot.value = .some($0) }]
        }
    }

    /// A flag that can be turned on, off, or left open, with its `nil` written out.
    public init(
        wrappedValue: _OptionalNilComparisonType,
        name: NameSpecification = .long,
        inversion: FlagInversion,
        exclusivity: FlagExclusivity = .chooseLast,
        help: ArgumentHelp? = nil
    ) {
        self.init(name: name, inversion: inversion, exclusivity: exclusivity, help: help)
    }
}

extension Flag where Value == Int {
    /// A flag that counts how often it was written.
    public init(name: NameSpecification = .long, help: ArgumentHelp? = nil) {
        self.init(0) { key, slot in
            [
                ArgumentDefinition(flag: name.names(for: key), key, help, slot) { _ in
                    slot.value = (slot.value ?? 0) + 1
                }
            ]
        }
    }
}

/// An enumeration whose cases are flags.
public protocol EnumerableFlag: CaseIterable, Equatable, SendableMetatype {
    /// The names of a case's flag; `--` and the case's name by default.
    static func name(for value: Self) -> NameSpecification
    /// What help says about a case's flag; by default what the property's declaration says.
    static func help(for value: Self) -> ArgumentHelp?
}

extension EnumerableFlag {
    /// `--` and the case's name in kebab case.
    public static func name(for value: Self) -> NameSpecification { .long }
    /// Nothing of its own.
    public static func help(for value: Self) -> ArgumentHelp? { nil }

    static func definitions(
        _ exclusivity: FlagExclusivity,
        _ help: ArgumentHelp?,
        _ occurrences: Occurrences,
        default defaultPlace: Int? = nil,
        isRequired: Bool = false,
        set: @escaping (Self) -> Void
    ) -> [ArgumentDefinition] {
        allCases.enumerated().map { place, value in
            let key = "\(value)"
            let names = name(for: value).names(for: key)
            var definition = ArgumentDefinition(flag: names, key, self.help(for: value) ?? help, occurrences) { _ in
                set(value)
            }
            definition.exclusivity = exclusivity
            definition.isRequired = isRequired
            definition.isDefault = place == defaultPlace
            return definition
        }
    }
}

extension Flag where Value: EnumerableFlag {
    /// One of several flags; one is required.
    public init(exclusivity: FlagExclusivity = .exclusive, help: ArgumentHelp? = nil) {
        self.init(nil) { _, slot in
            Value.definitions(exclusivity, help, slot, isRequired: true) { slot.value = $0 }
        }
    }

    /// One of several flags, with a default.
    public init(wrappedValue: Value, exclusivity: FlagExclusivity = .exclusive, help: ArgumentHelp? = nil) {
        let place = Array(Value.allCases).firstIndex(of: wrappedValue)
        self.init(wrappedValue) { _, slot in
            Value.definitions(exclusivity, help, slot, default: place) { slot.value = $0 }
        }
    }
}

extension Flag {
    /// One of several flags, or none.
    public init<T: EnumerableFlag>(exclusivity: FlagExclusivity = .exclusive, help: ArgumentHelp? = nil)
    where Value == T? {
        self.init(.some(nil)) { _, slot in
            T.definitions(exclusivity, help, slot) { slot.value = .some($0) }
        }
    }
}

extension ArgumentDefinition {
    init(
        flag names: [String],
        _ key: String,
        _ help: ArgumentHelp?,
        _ occurrences: Occurrences,
        accept: @escaping (String) throws -> Void
    ) {
        self.init(
            form: .flag,
            names: names,
            valueName: key.kebabCased,
            help: help ?? ArgumentHelp(),
            occurrences: occurrences,
            accept: accept
        )
    }

    static func inverted(
        _ name: NameSpecification,
        _ inversion: FlagInversion,
        _ exclusivity: FlagExclusivity,
        _ key: String,
        _ help: ArgumentHelp?,
        _ occurrences: Occurrences,
        isRequired: Bool = false,
        set: @escaping (Bool) -> Void
    ) -> ArgumentDefinition {
        let names = name.names(for: key)
        // A short name has no counterpart that turns the flag off.
        let prefixed = inversion.prefixes.map { prefix in
            names.map { $0.hasPrefix("--") ? "--\(prefix)\($0.dropFirst(2))" : $0 }
        }
        let inverse = prefixed[1].filter { $0.hasPrefix("--") }
        var definition = ArgumentDefinition(flag: prefixed[0], key, help, occurrences) {
            set(!inverse.contains($0))
        }
        definition.inverseNames = inverse
        definition.exclusivity = exclusivity
        definition.isRequired = isRequired
        return definition
    }
}
