import ArgumentParser

/// The keys of those who reach the services from elsewhere.
struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make, list, and revoke the keys of those who reach the services over a network.",
        discussion: "They lie in the folder 'keys' of the home, or in DAYBOOK_KEYS. On one machine none are needed.",
        subcommands: [KeysNew.self, KeysList.self, KeysRevoke.self, KeysRotate.self]
    )
}
