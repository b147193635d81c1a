internal import Messages
internal import Service
internal import Store

/// The customers' names that dogs show as their owners', as Catalog tells them.
enum Owners {
    private static let known = KnownNames(
        of: .catalog,
        [Customer.entity],
        name: { (event) throws(ServiceError) in try event.record(Customer.self)?.name }
    )

    static let projection = known.projection(
        KnownNames.Referrers(
            rename: { (id, name, transaction) throws(ServiceError) in
                for dog in try dogs(of: id, transaction) {
                    var renamed = dog
                    renamed.ownerName = name
                    try transaction.refresh(dog, to: renamed)
                }
            },
            clear: { (id, transaction) throws(ServiceError) in
                for dog in try dogs(of: id, transaction) { try clear(dog, &transaction) }
            },
            eraseName: { (id, transaction) throws(ServiceError) in
                try transaction.eraseKept(Dog.self, mentioning: id) { dog in
                    if dog.owner == id, dog.ownerName != nil { dog.ownerName = Erased.name }
                }
            },
            references: ForeignReferences(
                dangling: "SELECT 'dog', id FROM dogs WHERE \(danglingOwner)",
                clear: { (transaction) throws(ServiceError) in
                    for dog in try transaction.records(Dog.self, where: danglingOwner) { try clear(dog, &transaction) }
                }
            )
        )
    )

    /// What dogs show of customers.
    static let shown = ShownNames<Dog>(
        referring: "owner = $1",
        rename: { (dog, former) throws(ServiceError) in
            if let owner = dog.owner, let name = try former(owner) { dog.ownerName = name }
        }
    )

    private static let danglingOwner = "owner IS NOT NULL AND owner NOT IN (SELECT id FROM known_names)"

    /// The name of a dog's owner; nil without one.
    ///
    /// - Throws: `invalid` where there is no such customer, `unavailable` where Catalog can't be asked about a new one.
    static func name(
        of owner: Identifier?,
        before: Identifier?,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> String? {
        guard let owner else { return nil }
        return try known.name(
            of: owner,
            Customer.entity,
            field: "owner",
            isTrusted: owner == before,
            &transaction
        )
    }

    private static func dogs(of owner: Identifier, _ transaction: Transaction) throws(ServiceError) -> [Dog] {
        try transaction.records(Dog.self, where: shown.referring, .id(owner))
    }

    private static func clear(_ dog: Dog, _ transaction: inout Transaction) throws(ServiceError) {
        var cleared = dog
        cleared.owner = nil
        try transaction.put(cleared)
    }
}
