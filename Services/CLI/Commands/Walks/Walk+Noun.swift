import Messages

extension Noun where Row == Walk {
    /// Walks as they are printed.
    static let walk = Noun(
        "walk",
        plural: "walks",
        summary: "A walk with a dog.",
        fields: [
            .id("id", "Id", "The walk's UUID.") { $0.id },
            .integer("number", "Number", "The running number, in the order entered.") { $0.number },
            .text("dog", "Dog", "The dog's name.") { $0.dogName },
            .id("dogId", "Dog's id", "The dog's UUID.", inTable: false) { $0.dog },
            .instant("time", "Time", "When it was.") { $0.time },
            .integer("version", "Version", "Raised by one with each change.", inTable: false) { Int64($0.version) },
        ],
        id: \.id,
        lines: .walks(.current, numbered: false)
    )
}

extension Lines where Row == Walk {
    /// Walks under their dog's name, each the time it was at in the user's zone and locale.
    ///
    /// - Parameter numbered: whether the number by which a walk is edited and deleted stands behind the time.
    static func walks(_ cells: CellText, numbered: Bool) -> Lines<Walk> {
        Lines(
            section: { $0.dogName ?? "-- Unknown --" },
            line: { walk in
                let time = cells.text(.instant(walk.time), idDigits: nil)
                return numbered ? "  \(time)  #\(walk.number)" : "  \(time)"
            }
        )
    }
}
