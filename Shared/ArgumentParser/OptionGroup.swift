/// Includes the arguments of another type.
///
/// Options and flags of a group are accepted at the command that declares it *and after every subcommand below
/// it* (`daybook orders list --json`), where a subcommand's own option of the same name comes first. A subcommand
/// that wants to read them declares the same group type: both properties then have the same value, wherever on
/// the line it was written. swift-argument-parser needs that second declaration also for accepting.
@propertyWrapper
public struct OptionGroup<Value: ParsableArguments> {
    var slot: Slot<Value>
    let title: String
    let visibility: ArgumentVisibility

    /// Includes `Value`'s arguments.
    ///
    /// - Parameter title: the heading in help; empty: the arguments stand among the command's own.
    public init(title: String = "", visibility: ArgumentVisibility = .default) {
        slot = Slot(Value())
        self.title = title
        self.visibility = visibility
    }

    /// The group's values.
    public var wrappedValue: Value {
        get { slot.read() }
        set { slot = Slot(newValue) }
    }
}

// Slots are written only while the parser alone holds the instance; after that a setter replaces the slot.
extension OptionGroup: @unchecked Sendable where Value: Sendable {}

/// A group as the parser sees it.
protocol ArgumentGrouping {
    /// Tells this group from others of its type.
    var identity: ObjectIdentifier { get }
    var title: String { get }
    var visibility: ArgumentVisibility { get }
    var groupType: ObjectIdentifier { get }
    /// The group's current value, whose properties hold the declarations.
    var content: any ParsableArguments { get }
    /// Makes this group's value that of `leader`, a group of the same type.
    func follow(_ leader: any ArgumentGrouping)
    /// Lets the group check its values.
    func validate() throws
}

extension OptionGroup: ArgumentGrouping {
    var identity: ObjectIdentifier { ObjectIdentifier(slot) }
    var groupType: ObjectIdentifier { ObjectIdentifier(Value.self) }
    var content: any ParsableArguments { slot.read() }

    func follow(_ leader: any ArgumentGrouping) {
        slot.value = leader.content as? Value
    }

    func validate() throws {
        var value = slot.read()
        try value.validate()
        slot.value = value
    }
}
