internal import Messages
internal import Service
internal import Store
internal import Text

/// What reports count of a walk.
struct WalkFact: Hashable {
    var id: Identifier
    /// In µs since 1970.
    var start: Int64
    /// nil while it goes on, and where its end isn't known.
    var seconds: Int64?
    var dogs: Set<Identifier>

    init(_ walk: Walk) {
        id = walk.id
        start = walk.start.microseconds
        seconds = walk.seconds
        dogs = Set(walk.dogs.map(\.dog))
    }

    /// The day of UTC on which it began, from 1970 on.
    var day: Int64 { Self.day(of: start) }

    static let microsecondsOfDay: Int64 = 86_400_000_000

    static func day(of start: Int64) -> Int64 {
        let (quotient, remainder) = start.quotientAndRemainder(dividingBy: microsecondsOfDay)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension WalkFact {
    /// A version counts as in ``Facts``, by the numbers of the walks' log.
    static let schema = """
        CREATE TABLE dogs (
            id BLOB PRIMARY KEY,
            name TEXT NOT NULL,
            name_key BLOB NOT NULL,
            owner BLOB,
            since INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX dogs_owner ON dogs (owner);
        CREATE TABLE past_dogs (
            id BLOB NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER NOT NULL,
            name TEXT NOT NULL,
            name_key BLOB NOT NULL,
            owner BLOB,
            PRIMARY KEY (id, since)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE walks (
            id BLOB PRIMARY KEY NOT NULL,
            since INTEGER NOT NULL,
            start INTEGER NOT NULL,
            seconds INTEGER
        ) STRICT;
        CREATE INDEX walks_start ON walks (start);
        CREATE TABLE past_walks (
            id BLOB NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER NOT NULL,
            start INTEGER NOT NULL,
            seconds INTEGER,
            PRIMARY KEY (id, since)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX past_walks_until ON past_walks (until);
        CREATE TABLE walk_dogs (
            walk BLOB NOT NULL,
            dog BLOB NOT NULL,
            PRIMARY KEY (walk, dog)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX walk_dogs_dog ON walk_dogs (dog);
        CREATE TABLE past_walk_dogs (
            walk BLOB NOT NULL,
            since INTEGER NOT NULL,
            dog BLOB NOT NULL,
            PRIMARY KEY (walk, since, dog)
        ) STRICT, WITHOUT ROWID;

        """

    /// The walk as it is stored; nil where there is none.
    static func stored(_ id: Identifier, _ transaction: Transaction) throws(ServiceError) -> WalkFact? {
        let walk = try transaction.first("SELECT start, seconds FROM walks WHERE id = $1", .id(id)) { row in
            (start: row.integer(0), seconds: row.isNull(1) ? nil : row.integer(1))
        }
        guard let walk else { return nil }
        var dogs: Set<Identifier> = []
        try transaction.query("SELECT dog FROM walk_dogs WHERE walk = $1", .id(id)) { row in
            if let dog = row.id(0) { dogs.insert(dog) }
        }
        return WalkFact(id: id, start: walk.start, seconds: walk.seconds, dogs: dogs)
    }

    private init(id: Identifier, start: Int64, seconds: Int64?, dogs: Set<Identifier>) {
        (self.id, self.start, self.seconds, self.dogs) = (id, start, seconds, dogs)
    }

    /// Stores it where none is stored.
    func store(since sequence: Int64, _ transaction: inout Transaction) throws(ServiceError) {
        try transaction.execute(
            "INSERT INTO walks (id, since, start, seconds) VALUES ($1, $2, $3, $4)",
            .id(id),
            .integer(sequence),
            .integer(start),
            .optional(seconds)
        )
        for dog in dogs {
            try transaction.execute("INSERT INTO walk_dogs (walk, dog) VALUES ($1, $2)", .id(id), .id(dog))
        }
    }

    /// Makes the stored walk a past one.
    static func end(_ id: Identifier, at sequence: Int64, _ transaction: inout Transaction) throws(ServiceError) {
        try transaction.execute(
            """
            INSERT INTO past_walk_dogs (walk, since, dog)
            SELECT w.id, w.since, d.dog FROM walks w JOIN walk_dogs d ON d.walk = w.id WHERE w.id = $1
            """,
            .id(id)
        )
        try transaction.execute(
            """
            INSERT INTO past_walks (id, since, until, start, seconds)
            SELECT id, since, $1, start, seconds FROM walks WHERE id = $2
            """,
            .integer(sequence),
            .id(id)
        )
        try transaction.execute("DELETE FROM walk_dogs WHERE walk = $1", .id(id))
        try transaction.execute("DELETE FROM walks WHERE id = $1", .id(id))
    }
}

/// The name and owner of a dog, as they are and as they were.
struct DogFact: Hashable {
    var name: String
    var owner: Identifier?

    /// The dog as it is stored; nil where there is none.
    static func stored(_ id: Identifier, _ transaction: Transaction) throws(ServiceError) -> DogFact? {
        try transaction.first("SELECT name, owner FROM dogs WHERE id = $1", .id(id)) { row in
            DogFact(name: row.text(0), owner: row.id(1))
        }
    }

    /// Stores it in place of what is stored, which becomes a past one.
    static func replace(
        _ id: Identifier,
        with new: DogFact?,
        at sequence: Int64,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        try transaction.execute(
            """
            INSERT INTO past_dogs (id, since, until, name, name_key, owner)
            SELECT id, since, $1, name, name_key, owner FROM dogs WHERE id = $2
            """,
            .integer(sequence),
            .id(id)
        )
        try transaction.execute("DELETE FROM dogs WHERE id = $1", .id(id))
        guard let new else { return }
        try transaction.execute(
            "INSERT INTO dogs (id, name, name_key, owner, since) VALUES ($1, $2, $3, $4, $5)",
            .id(id),
            .text(new.name),
            .blob(Collation.sortKey(new.name)),
            .optional(new.owner),
            .integer(sequence)
        )
    }
}

extension Facts {
    static let walks = Projection(
        source: .walks,
        entities: [Dog.entity, Walk.entity],
        tables: ["dogs", "walks", "walk_dogs", "kept_walks"],
        unhashed: ["since"],
        clear: { (transaction) throws(ServiceError) in
            let tables = [
                "dogs", "past_dogs", "walk_dogs", "past_walk_dogs", "walks", "past_walks", "kept_walks",
            ]
            for table in tables { try transaction.execute("DELETE FROM \(table)") }
            try Moments.clear(.walks, &transaction)
        },
        apply: { (event, transaction) throws(ServiceError) in
            guard [Dog.entity, Walk.entity].contains(event.entity) else { return }
            try Moments.note(event, of: .walks, &transaction)
            if event.entity == Dog.entity {
                try apply(dog: event, &transaction)
            } else {
                try apply(walk: event, &transaction)
            }
        },
        flush: { (transaction) throws(ServiceError) in
            try KeptWalks.Changes.gathered(&transaction).write(&transaction)
        }
    )

    private static func apply(dog event: Event, _ transaction: inout Transaction) throws(ServiceError) {
        let new = try event.record(Dog.self).map { DogFact(name: $0.name, owner: $0.owner) }
        let old = try DogFact.stored(event.subject, transaction)
        guard old != new else { return }
        try DogFact.replace(event.subject, with: new, at: event.sequence, &transaction)
        guard transaction.isWatched else { return }
        transaction.touch(report: "walks", WalksKey.dog(event.subject).row)
        guard old?.owner != new?.owner else { return }
        // Reports of an owner's dogs have other walks now.
        var days: Set<Int64> = []
        try transaction.query(
            "SELECT w.start FROM walks w JOIN walk_dogs d ON d.walk = w.id WHERE d.dog = $1",
            .id(event.subject)
        ) { days.insert(WalkFact.day(of: $0.integer(0))) }
        for key in WalksKey.all(on: days) { transaction.touch(report: "walks", key.row) }
    }

    private static func apply(walk event: Event, _ transaction: inout Transaction) throws(ServiceError) {
        let new = try event.record(Walk.self).map(WalkFact.init)
        let old = event.version > 1 ? try WalkFact.stored(event.subject, transaction) : nil
        guard old != new else { return }
        if old != nil { try WalkFact.end(event.subject, at: event.sequence, &transaction) }
        try new?.store(since: event.sequence, &transaction)
        let sums = KeptWalks.Changes.gathered(&transaction)
        if let old { sums.count(old, times: -1) }
        if let new { sums.count(new, times: 1) }
        guard transaction.isWatched else { return }
        let facts = [old, new].compactMap(\.self)
        let dogs = Set(facts.flatMap(\.dogs)).map(WalksKey.dog)
        for key in dogs + WalksKey.all(on: Set(facts.map(\.day))) { transaction.touch(report: "walks", key.row) }
    }
}
