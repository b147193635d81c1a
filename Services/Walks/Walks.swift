internal import Messages
internal import Service
internal import Store
internal import Text

/// The dogs, and the walks with them.
enum Walks {
    /// So many dogs can be on one walk.
    static let mostDogs = 100

    static var definition: ServiceDefinition {
        var routes = Routes()
        routes.entity(dogs)
        routes.entity(walks)
        routes.command(AddWalk.self, addWalk)
        routes.command(StopWalk.self, stopWalk)
        let index = "CREATE INDEX walk_dogs_dog ON walk_dogs (dog);\n"
        return ServiceDefinition(
            name: .walks,
            migrations: [Migration(dogs.schema + walks.schema + index + KnownNames.schema)],
            routes: routes,
            projections: [Owners.projection]
        )
    }

    static let dogs = Entity<Dog>(
        table: "dogs",
        columns: [.text("name") { $0.name }, .id("owner") { $0.owner }, .text("owner.name") { $0.ownerName }],
        indexes: ["name_key", "name_folded", "owner"],
        sort: [SortKey("name")],
        derived: ["ownerName"],
        searched: { [$0.name, $0.ownerName] },
        prepare: { (dog, old, transaction) throws(ServiceError) in
            dog.name = try TextRules.name(dog.name)
            if let other = try dogNamed(dog.name, transaction), other.id != dog.id {
                throw .invalid(
                    field: "name",
                    found: dog.name,
                    "there is a dog '\(other.name)' already: use another name"
                )
            }
            dog.ownerName = try Owners.name(of: dog.owner, before: old?.owner, &transaction)
        },
        didWrite: { (dog, old, transaction) throws(ServiceError) in
            guard let old, old.name != dog.name else { return }
            // Walks show their dogs' names: each is stored with the new one.
            for walk in try walksOf(dog.id, transaction) { try transaction.put(walk) }
        },
        willDelete: { (dog, _, transaction) throws(ServiceError) in
            // A dog leaves its walks; one that nobody else was on goes with it.
            for var walk in try walksOf(dog.id, transaction) {
                walk.dogs.removeAll { $0.dog == dog.id }
                if walk.dogs.isEmpty {
                    try transaction.delete(Delete<Walk>(id: walk.id))
                } else {
                    try transaction.put(walk)
                }
            }
        },
        shown: Owners.shown
    )

    static let walks = Entity<Walk>(
        table: "walks",
        columns: [
            .integer("number") { $0.number },
            // The ids as text: a list of one dog's walks is that of those that contain its id.
            .text("dogs") { $0.dogs.map(\.dog.description).joined(separator: " ") },
            .text("dogs.name") { $0.dogs.compactMap(\.dogName).joined(separator: ", ") },
            .integer("start") { $0.start.microseconds },
            .integer("end") { $0.end?.microseconds },
            .boolean("running") { $0.running ?? false },
            .text("note") { $0.note },
        ],
        parts: [
            PartTable(
                table: "walk_dogs",
                columns: [.id("dog") { $0.dog }, .text("dog.name") { $0.dogName }],
                parts: \.dogs
            )
        ],
        indexes: ["number", "start"],
        sort: [SortKey("number")],
        derived: ["number", "dogs/dogName"],
        keyed: ["dogs"],
        searched: { walk in [String(walk.number), walk.note] + walk.dogs.map(\.dogName) },
        prepare: { (walk, old, transaction) throws(ServiceError) in
            try prepareDogs(&walk, transaction)
            walk.note = try TextRules.optional(walk.note, field: "note")
            if walk.running == false { walk.running = nil }
            if let end = walk.end {
                guard end >= walk.start else {
                    throw .invalid(field: "end", found: end.description, "the walk ends before it starts")
                }
                guard walk.running == nil else {
                    throw .invalid(field: "running", found: "true", "a walk that goes on has no end yet")
                }
            }
            if walk.running == true { try checkFree(walk, transaction) }
            if let old { walk.number = old.number } else { walk.number = try transaction.nextNumber("walk") }
        }
    )

    /// Checks who is on a walk, and sets their names.
    private static func prepareDogs(_ walk: inout Walk, _ transaction: Transaction) throws(ServiceError) {
        guard 1...mostDogs ~= walk.dogs.count else {
            throw .invalid(
                field: "dogs",
                found: String(walk.dogs.count),
                "a walk is with 1 to \(mostDogs) dogs, not \(walk.dogs.count)"
            )
        }
        var (seen, ids): (Set<Identifier>, Set<Identifier>) = ([], [])
        for index in walk.dogs.indices {
            let (id, part) = (walk.dogs[index].dog, walk.dogs[index].id)
            guard let dog = try transaction.record(Dog.self, id) else {
                throw .invalid(field: "dogs/dog", found: id.description, "there is no dog \(id): add it first")
            }
            guard seen.insert(id).inserted, ids.insert(part).inserted else {
                throw .invalid(field: "dogs", found: dog.name, "'\(dog.name)' is named twice for the same walk")
            }
            walk.dogs[index].dogName = dog.name
        }
    }

    /// Refuses a walk that goes on with a dog that is on another one.
    private static func checkFree(_ walk: Walk, _ transaction: Transaction) throws(ServiceError) {
        for dog in walk.dogs {
            let other = try transaction.records(
                Walk.self,
                where: "running = 1 AND id <> $1 AND id IN (SELECT walk FROM walk_dogs WHERE dog = $2)",
                .id(walk.id),
                .id(dog.dog)
            ).first
            guard let other else { continue }
            let name = dog.dogName ?? ""
            throw .refused(
                .conflict,
                "'\(name)' is on a walk already, number \(other.number) since \(other.start): stop that first",
                field: "dogs",
                found: name
            )
        }
    }

    @Sendable private static func addWalk(
        _ request: AddWalk,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> AddWalk.Reply {
        var dogs: [WalkDog] = []
        var made: [AddWalk.MadeDog] = []
        for text in request.dogs.prefix(mostDogs + 1) {
            if let id = Identifier(text) {
                dogs.append(WalkDog(dog: id))
                continue
            }
            let name = try TextRules.name(text, field: "dogs")
            if let known = try dogNamed(name, transaction) {
                dogs.append(WalkDog(dog: known.id))
            } else {
                made.append(AddWalk.MadeDog(name: name, near: try namesNear(name, transaction)))
                dogs.append(WalkDog(dog: try transaction.put(Dog(name: name)).id))
            }
        }
        var walk = Walk(id: request.id, dogs: dogs, start: request.start)
        (walk.end, walk.running, walk.note) = (request.end, request.running, request.note)
        return AddWalk.Reply(walk: try transaction.put(walk), made: made)
    }

    @Sendable private static func stopWalk(
        _ request: StopWalk,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> Walk {
        var walk = try runningWalk(request, transaction)
        (walk.end, walk.running) = (request.end, nil)
        if let note = request.note { walk.note = note }
        return try transaction.put(walk)
    }

    private static func runningWalk(_ request: StopWalk, _ transaction: Transaction) throws(ServiceError) -> Walk {
        switch (request.walk, request.dog) {
        case (let id?, nil):
            guard let walk = try transaction.record(Walk.self, id) else {
                throw try transaction.absence(of: Walk.self, id)
            }
            guard walk.running == true else {
                throw .invalid(
                    field: "walk",
                    found: "\(walk.number)",
                    "walk \(walk.number) doesn't go on: it was stopped"
                )
            }
            return walk
        case (nil, let text?):
            let dog =
                if let id = Identifier(text) { try transaction.record(Dog.self, id) } else {
                    try dogNamed(try TextRules.name(text, field: "dog"), transaction)
                }
            guard let dog else { throw .refused(.notFound, "there is no dog '\(text)'", field: "dog", found: text) }
            let walk = try transaction.records(
                Walk.self,
                where: "running = 1 AND id IN (SELECT walk FROM walk_dogs WHERE dog = $1)",
                .id(dog.id)
            ).first
            guard let walk else {
                throw .invalid(field: "dog", found: dog.name, "'\(dog.name)' is on no walk that goes on")
            }
            return walk
        default: throw .invalid(field: "walk", "the walk is named by its id or by a dog: one of the two")
        }
    }

    /// The dog of this name, case and accents aside.
    private static func dogNamed(_ name: String, _ transaction: Transaction) throws(ServiceError) -> Dog? {
        try transaction.records(Dog.self, where: "name_folded = $1", .text(TextNormalizer.folded(name))).first
    }

    private static func walksOf(_ dog: Identifier, _ transaction: Transaction) throws(ServiceError) -> [Walk] {
        try transaction.records(Walk.self, where: "id IN (SELECT walk FROM walk_dogs WHERE dog = $1)", .id(dog))
    }

    /// Names that differ from this one in one or two letters: it may be a slip.
    private static func namesNear(_ name: String, _ transaction: Transaction) throws(ServiceError) -> [String] {
        let name = TextNormalizer.folded(name)
        return try transaction.records(Dog.self, where: "1 = 1")
            .filter { EditDistance.between(TextNormalizer.folded($0.name), name, atMost: 2) != nil }
            .map(\.name)
            .sorted()
    }
}
