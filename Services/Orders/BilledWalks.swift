internal import Messages
internal import Service
internal import Store

/// Which walks are billed, and by which order: each dog's part in a walk at most once. A cancelled order bills nothing.
enum BilledWalks {
    static let schema = """
        CREATE TABLE billed_walks (
            walk BLOB NOT NULL,
            dog BLOB NOT NULL,
            "order" BLOB NOT NULL REFERENCES orders (id),
            PRIMARY KEY (walk, dog)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX billed_walks_order ON billed_walks ("order");

        """

    /// So many walks can be on an order.
    static let most = 2000

    /// Checks and normalises what an order says that it bills. A walk whose row is gone is billed no more.
    static func prepare(_ order: inout Order) throws(ServiceError) {
        let rows = Set(order.rows.map(\.id))
        order.walks?.removeAll { walk in walk.row.map { !rows.contains($0) } ?? false }
        guard let walks = order.walks else { return }
        guard walks.count <= most else {
            throw .refused(
                .tooLarge,
                "an order bills at most \(most) walks, not \(walks.count): make two orders of it",
                field: "walks",
                found: String(walks.count)
            )
        }
        guard Set(walks.map(\.part)).count == walks.count else {
            throw .invalid(field: "walks", "a walk is named twice for the same dog: bill it once")
        }
        if walks.isEmpty { order.walks = nil }
    }

    /// Keeps what the order bills now.
    ///
    /// - Throws: `in-use`, naming the other order, where that bills one of the walks.
    static func didWrite(_ order: Order, _ old: Order?, _ transaction: inout Transaction) throws(ServiceError) {
        let (walks, before) = (billed(by: order), old.map(billed) ?? [])
        guard walks != before else { return }
        try free(order, &transaction)
        for billed in walks {
            let other = try transaction.first(
                "SELECT \"order\" FROM billed_walks WHERE walk = $1 AND dog = $2",
                .id(billed.walk),
                .id(billed.dog)
            ) { $0.id(0) }
            if let other, let id = other, let order = try transaction.record(Order.self, id) {
                throw .refused(
                    .inUse,
                    "the walk \(billed.walk) is billed by order \(order.label) already: leave it out, or cancel that order",
                    field: "walks",
                    found: order.label
                )
            }
            try transaction.execute(
                "INSERT INTO billed_walks (walk, dog, \"order\") VALUES ($1, $2, $3)",
                .id(billed.walk),
                .id(billed.dog),
                .id(order.id)
            )
        }
    }

    /// Lets what the order bills be billed by another.
    static func free(_ order: Order, _ transaction: inout Transaction) throws(ServiceError) {
        try transaction.execute("DELETE FROM billed_walks WHERE \"order\" = $1", .id(order.id))
    }

    private static func billed(by order: Order) -> [BilledWalk] {
        order.cancelled == true ? [] : (order.walks ?? []).map(\.part)
    }

    @Sendable static func find(
        _ request: FindBilledWalks,
        _ reading: Reading
    ) throws(ServiceError) -> FindBilledWalks.Reply {
        let count = request.walks.count
        guard count <= FindBilledWalks.mostWalks else {
            throw .invalid(
                field: "walks",
                found: String(count),
                "at most \(FindBilledWalks.mostWalks) walks are asked for at a time, not \(count)"
            )
        }
        var billed: [BilledWalk] = []
        for walk in request.walks {
            try reading.query("SELECT dog FROM billed_walks WHERE walk = $1 ORDER BY dog", .id(walk)) { row in
                if let dog = row.id(0) { billed.append(BilledWalk(walk: walk, dog: dog)) }
            }
        }
        return FindBilledWalks.Reply(billed: billed)
    }
}
