import ArgumentParser

@testable import CLI

extension FuzzTarget {
    /// The command line, an argument on each line: it is a command, or a sentence says what is wrong.
    static let commandLine = FuzzTarget(
        name: "command-line",
        seeds: [
            "orders\nadd\n--customer\nLind\n--row\nBath=2 x 40.00 @19", "report\ntotals\n--by=month\n--period\n2024-02",
            "customers\nlist\n--where\nname ~ li\n--limit\n3", "--demo\n--help", "walks\nadd\nFrieda\n--at\nmon",
            "export\n--all\n-", "orders\nset\n--paid\n--where=date<today", "recipes\nscale\nSoup\n--servings=6",
            "customers\n--hlep", "keys\nnew\nanna\n--role\nwriter", "completion\nbash", "dogs\nedit\n-\n--\n-x",
        ].map { Array($0.utf8) }
    ) { (bytes) throws(Finding) in
        let arguments = bytes.split(separator: 0x0A, maxSplits: 50, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        do {
            _ = try Daybook.parseAsRoot(arguments)
        } catch {
            let text = Daybook.fullMessage(for: error, columns: 80)
            try require(!text.isEmpty, "nothing is said of \(arguments)")
        }
    }
}
