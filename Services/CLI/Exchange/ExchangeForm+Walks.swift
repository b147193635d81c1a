import Messages

extension ExchangeForm where R == Dog {
    static let dog = ExchangeForm(
        noun: .dog,
        columns: [
            .required("name") { $0.name = $1 },
            .reference("owner", id: "ownerId", to: .customer) { dog, id, name in
                (dog.owner, dog.ownerName) = (id, name)
            },
        ],
        make: { id, _ in Dog(id: id, name: "") }
    )
}

extension ExchangeForm where R == Walk {
    /// A walk with its dogs. Its number is the service's.
    static let walk = ExchangeForm(
        noun: .walk,
        columns: [
            .requiredInstant("start") { $0.start = $1 },
            .instant("end") { $0.end = $1 },
            .boolean("running") { $0.running = $1 ? true : nil },
            .text("note") { $0.note = $1 },
        ],
        lists: [
            ExchangeList(
                .list(
                    "dogs",
                    "Dogs",
                    "Who was walked.",
                    of: [
                        .id("id", "Id", "The dog's UUID.") { (part: WalkDog) in part.dog },
                        .text("name", "Name", "The dog's name.") { $0.dogName },
                    ]
                ) { $0.dogs },
                columns: [
                    .reference("name", id: "id", to: .dog, isRequired: true) { part, id, name in
                        if let id { (part.dog, part.dogName) = (id, name) }
                    }
                ],
                items: \.dogs,
                set: { $0.dogs = $1 },
                make: { WalkDog(id: $0, dog: $0) },
                finish: { part, context in
                    let known = context.items.first { [dog = part.dog] in $0.dog == dog }
                    part.id =
                        known?.id ?? .imported("walk/dogs", context.record.id.description, part.dog.description)
                    return nil
                }
            )
        ],
        naturalKey: .unique(column: "start") { $0.start.description },
        make: { id, _ in Walk(id: id, dogs: [], start: Instant(microseconds: 0)) },
        fault: { walk in
            if let end = walk.end, end < walk.start {
                return CellFault(column: "end", reason: "The walk ends before it starts.")
            }
            return walk.dogs.isEmpty
                ? CellFault(column: "dog_name", reason: "A walk is with at least one dog: name it.") : nil
        }
    )
}
