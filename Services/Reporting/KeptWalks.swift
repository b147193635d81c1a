internal import Messages
internal import Service
internal import Store

/// Sums of walks by the day of UTC on which they began, of all and of each dog, kept as the events arrive.
///
/// Days and weeks of a zone begin within days of UTC: what lies whole in them comes from here, the edges from the walks.
enum KeptWalks {
    static let schema = """
        CREATE TABLE kept_walks (
            dog BLOB NOT NULL,
            day INTEGER NOT NULL,
            walks INTEGER NOT NULL,
            untimed INTEGER NOT NULL,
            seconds_high INTEGER NOT NULL,
            seconds_low INTEGER NOT NULL,
            PRIMARY KEY (dog, day)
        ) STRICT, WITHOUT ROWID;

        """

    /// The dog's id; empty for all walks, each once.
    static func key(_ dog: Identifier?) -> Value { dog.map(Value.id) ?? .blob([]) }

    /// What the events of a batch change.
    final class Changes {
        private struct Cell: Hashable {
            var dog: Identifier?
            var day: Int64
        }

        private var cells: [Cell: WalkSums] = [:]

        /// Those of the open batch.
        static func gathered(_ transaction: inout Transaction) -> Changes {
            if let changes = transaction.gathered as? Changes { return changes }
            let changes = Changes()
            transaction.gathered = changes
            return changes
        }

        /// Adds the walk, or takes it away with -1 times.
        func count(_ walk: WalkFact, times: Int64) {
            for dog in [nil] + walk.dogs.map(Optional.some) {
                cells[Cell(dog: dog, day: walk.day), default: WalkSums()].add(walk.seconds, times: times)
            }
        }

        /// Writes each sum that was changed, once; one of no walks is no more.
        func write(_ transaction: inout Transaction) throws(ServiceError) {
            for (cell, change) in cells where change != WalkSums() {
                try transaction.execute(
                    """
                    INSERT INTO kept_walks (dog, day, walks, untimed, seconds_high, seconds_low)
                    VALUES ($1, $2, $3, $4, $5, $6)
                    ON CONFLICT (dog, day) DO UPDATE SET
                        walks = kept_walks.walks + excluded.walks,
                        untimed = kept_walks.untimed + excluded.untimed,
                        seconds_high = kept_walks.seconds_high + excluded.seconds_high,
                        seconds_low = kept_walks.seconds_low + excluded.seconds_low
                    """,
                    KeptWalks.key(cell.dog),
                    .integer(cell.day),
                    .integer(change.walks),
                    .integer(change.untimed),
                    .integer(change.seconds.high),
                    .integer(change.seconds.low)
                )
                guard change.walks < 0 else { continue }
                try transaction.execute(
                    "DELETE FROM kept_walks WHERE dog = $1 AND day = $2 AND walks = 0",
                    KeptWalks.key(cell.dog),
                    .integer(cell.day)
                )
            }
            cells = [:]
        }
    }
}

/// Sums of walks.
struct WalkSums: Equatable {
    var walks: Int64 = 0
    /// Of them, those whose length isn't known.
    var untimed: Int64 = 0
    var seconds = KeptSums.Halves()

    /// Adds a walk of so many seconds, or takes it away with -1 times.
    mutating func add(_ length: Int64?, times: Int64 = 1) {
        walks += times
        if let length { seconds.add(length, times: times) } else { untimed += times }
    }

    mutating func add(_ other: WalkSums) {
        walks += other.walks
        untimed += other.untimed
        seconds.add(other.seconds)
    }

    /// The sums as a line of the report.
    func group(
        id: Identifier? = nil,
        label: String? = nil,
        start: CalendarDay? = nil
    ) throws(ServiceError) -> WalksGroup {
        guard let seconds = seconds.amount else { throw .store(.overflow) }
        return WalksGroup(id: id, label: label, start: start, walks: walks, seconds: seconds, untimed: untimed)
    }
}
