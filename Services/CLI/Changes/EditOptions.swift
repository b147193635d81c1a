import ArgumentParser

/// Options of commands that edit records with fields that may be absent.
struct EditOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Clear this field; may be repeated.", valueName: "field"))
    var clear: [String] = []

    @OptionGroup var base: BaseOptions

    /// The version that was seen; nil for the one that is read.
    var basedOn: Int? { base.basedOn }
}

/// The option of every command that edits.
struct BaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The version that was seen: a field that somebody else changed since is not overwritten.",
            valueName: "version"
        )
    )
    var basedOn: Int?

    mutating func validate() throws {
        if let basedOn, basedOn < 1 { throw ValidationError("--based-on is \(basedOn): versions start at 1.") }
    }
}

/// The option of deletes that others' references may stand in the way of.
struct ForceOptions: ParsableArguments {
    @Flag(help: "Delete also what orders refer to; they show '-- Unknown --' then.")
    var force = false
}
