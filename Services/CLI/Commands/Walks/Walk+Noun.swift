import Measures
import Messages

extension Noun where Row == Walk {
    /// Walks as they are printed.
    static let walk = Noun(
        "walk",
        plural: "walks",
        summary: "A walk with dogs.",
        fields: [
            .id("id", "Id", "The walk's UUID.") { $0.id },
            .integer("number", "Number", "The running number, in the order entered.") { $0.number },
            .list(
                "dogs",
                "Dogs",
                "Who was walked.",
                of: [
                    .text("name", "Name", "The dog's name.") { (part: WalkDog) in part.dogName },
                    .id("id", "Id", "The dog's UUID.") { $0.dog },
                ],
                inTable: true
            ) { $0.dogs },
            .instant("start", "Start", "When it began.") { $0.start },
            .instant("end", "End", "When it ended, where that is known.", inTable: false) { $0.end },
            .integer("minutes", "Minutes", "How long it took, rounded down; absent where the end isn't known.") {
                $0.seconds.map { $0 / 60 }
            },
            .boolean("running", "Running", "Whether it goes on.", inTable: false) { $0.running ?? false },
            .text("note", "Note", "Anything about it.") { $0.note },
            .integer("version", "Version", "Raised by one with each change.", inTable: false) { Int64($0.version) },
        ],
        id: \.id,
        lines: .walks(.current, numbered: false)
    )
}

extension Walk {
    /// The dogs' names: `Frieda, Rex`.
    var dogNames: String { dogs.map { $0.dogName ?? "-- Unknown --" }.joined(separator: ", ") }

    /// How long it took, or that it goes on; nil where only its start is known.
    var lengthText: String? {
        if running == true { return "goes on" }
        guard let seconds else { return nil }
        return RecipeDuration(minutes: Int(seconds / 60))?.description ?? "\(seconds / 60) min"
    }
}

extension Lines where Row == Walk {
    /// Walks under their dogs' names, each the time it began at in the user's zone and locale, and how long it took.
    ///
    /// - Parameter numbered: whether the number by which a walk is edited and deleted stands behind it.
    static func walks(_ cells: CellText, numbered: Bool) -> Lines<Walk> {
        Lines(
            section: { $0.dogNames },
            line: { walk in
                let parts = [
                    cells.text(.instant(walk.start), idDigits: nil), walk.lengthText,
                    walk.note.map { cells.text(.text($0), idDigits: nil) }, numbered ? "#\(walk.number)" : nil,
                ]
                return parts.compactMap(\.self).map { "  \($0)" }.joined()
            }
        )
    }
}
