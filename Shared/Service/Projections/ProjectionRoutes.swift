internal import Messages
internal import Store

/// Makes projections anew, and tells their content as a number.
struct ProjectionRoutes: Sendable {
    let projections: [Projection]

    @Sendable func rebuild(
        _ request: RebuildProjection,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> RebuildProjection.Reply {
        let projection = try projection(request.source)
        let session = transaction.session
        let cursor = try storing { () throws(StoreError) in try Cursor.load(request.source.rawValue, session) }
        try projection.empty(&transaction)
        transaction.rebuilt.insert(request.source)
        return RebuildProjection.Reply(position: cursor.map { Position(epoch: $0.epoch, sequence: $0.sequence) })
    }

    @Sendable func hash(_ request: HashProjection, _ reading: Reading) throws(ServiceError) -> HashProjection.Reply {
        let projection = try projection(request.source)
        let isBuilding = try reading.first("SELECT 1 FROM building WHERE source = $1", .text(request.source.rawValue)) {
            _ in true
        }
        guard isBuilding == nil else {
            throw .refused(
                .unavailable,
                "what is known of \(request.source) is being made anew: ask again when it is whole"
            )
        }
        var digest = Digest()
        var rows: Int64 = 0
        for table in projection.tables {
            digest.add(table)
            var columns: [String] = []
            var keys: [(order: Int64, name: String)] = []
            try reading.query("SELECT name, pk FROM pragma_table_info($1) ORDER BY cid", .text(table)) { row in
                if !projection.unhashed.contains(row.text(0)) { columns.append("\"\(row.text(0))\"") }
                if row.integer(1) > 0 { keys.append((row.integer(1), "\"\(row.text(0))\"")) }
            }
            let order = keys.isEmpty ? columns : keys.sorted { $0.order < $1.order }.map(\.name)
            let sql = """
                SELECT \(columns.joined(separator: ", ")) FROM "\(table)" ORDER BY \(order.joined(separator: ", "))
                """
            try reading.query(sql) { row in
                rows += 1
                for column in columns.indices { digest.add(row.value(Int32(column))) }
            }
        }
        return HashProjection.Reply(hash: digest.value, rows: rows)
    }

    private func projection(_ source: ServiceName) throws(ServiceError) -> Projection {
        guard let projection = projections.first(where: { $0.source == source }) else {
            let known = projections.map(\.source.rawValue).joined(separator: ", ")
            throw .invalid(
                field: "source",
                found: source.rawValue,
                "this service keeps nothing of '\(source.rawValue.prefix(100))': it follows \(known)"
            )
        }
        return projection
    }
}

extension Digest {
    /// Adds a value with its kind and length, so that two rows are equal only where their values are.
    fileprivate mutating func add(_ value: Value) {
        switch value {
        case .null:
            add(0)
        case .integer(let integer):
            add(1)
            add(number: UInt64(bitPattern: integer))
        case .text(let text):
            add(2)
            add(number: UInt64(text.utf8.count))
            add(text)
        case .blob(let bytes):
            add(3)
            add(number: UInt64(bytes.count))
            add(bytes)
        case .id(let id):
            add(3)
            add(number: 16)
            id.withUnsafeBytes { for byte in $0 { add(byte) } }
        }
    }
}
