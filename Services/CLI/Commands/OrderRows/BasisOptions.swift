import ArgumentParser

/// The version that a change of an order's rows is based on.
struct BasisOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The version that was seen: a row that somebody else changed since is not overwritten.",
            valueName: "version"
        )
    )
    var basedOn: Int?

    mutating func validate() throws {
        if let basedOn, basedOn < 1 { throw ValidationError("--based-on is \(basedOn): versions start at 1.") }
    }
}
