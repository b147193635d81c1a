internal import Messages
internal import Service
internal import Store
internal import Text

/// The dogs, and the walks with them.
enum Walks {
    static var definition: ServiceDefinition {
        var routes = Routes()
        routes.entity(dogs)
        routes.entity(walks)
        routes.command(AddWalk.self, addWalk)
        return ServiceDefinition(
            name: .walks,
            migrations: [Migration(dogs.schema + walks.schema)],
            routes: routes
        )
    }

    static let dogs = Entity<Dog>(
        table: "dogs",
        columns: [.text("name") { $0.name }],
        indexes: ["name_key", "name_folded"],
        sort: [SortKey("name")],
        prepare: { (dog, _, transaction) throws(ServiceError) in
            dog.name = try TextRules.name(dog.name)
            if let other = try dogNamed(dog.name, transaction), other.id != dog.id {
                throw .invalid(
                    field: "name",
                    found: dog.name,
                    "there is a dog '\(other.name)' already: use another name"
                )
            }
        },
        didWrite: { (dog, old, transaction) throws(ServiceError) in
            guard let old, old.name != dog.name else { return }
            // Walks show their dog's name: each is stored with the new one.
            for walk in try walksOf(dog.id, transaction) { try transaction.put(walk) }
        },
        willDelete: { (dog, _, transaction) throws(ServiceError) in
            // A dog takes its walks with it.
            for walk in try walksOf(dog.id, transaction) {
                try transaction.delete(Delete<Walk>(id: walk.id))
            }
        }
    )

    static let walks = Entity<Walk>(
        table: "walks",
        columns: [
            .integer("number") { $0.number },
            .id("dog") { $0.dog },
            .text("dog.name") { $0.dogName },
            .integer("time") { $0.time.microseconds },
        ],
        indexes: ["number", "dog"],
        sort: [SortKey("number")],
        derived: ["number", "dogName"],
        prepare: { (walk, old, transaction) throws(ServiceError) in
            guard let dog = try transaction.record(Dog.self, walk.dog) else {
                throw .invalid(field: "dog", found: walk.dog.description, "there is no dog \(walk.dog): add it first")
            }
            walk.dogName = dog.name
            if let old { walk.number = old.number } else { walk.number = try transaction.nextNumber("walk") }
        }
    )

    @Sendable private static func addWalk(
        _ request: AddWalk,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> AddWalk.Reply {
        let name = try TextRules.name(request.dogName, field: "dog")
        let known = try dogNamed(name, transaction)
        var near: [String] = []
        let dog: Dog
        if let known {
            dog = known
        } else {
            near = try namesNear(name, transaction)
            dog = try transaction.put(Dog(name: name))
        }
        let walk = try transaction.put(Walk(id: request.id, dog: dog.id, time: request.time))
        return AddWalk.Reply(walk: walk, dogCreated: known == nil, near: near)
    }

    /// The dog of this name, case and accents aside.
    private static func dogNamed(_ name: String, _ transaction: Transaction) throws(ServiceError) -> Dog? {
        try transaction.records(Dog.self, where: "name_folded = $1", .text(TextNormalizer.folded(name))).first
    }

    private static func walksOf(_ dog: Identifier, _ transaction: Transaction) throws(ServiceError) -> [Walk] {
        try transaction.records(Walk.self, where: "dog = $1", .id(dog))
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
