public import Messages
internal import Store

/// The names of another service's records, as its events tell them: made from its log alone.
///
/// A service that refers to such records checks the references by them, and shows the names in its own records.
public struct KnownNames: Sendable {
    /// What happens to the service's own records when one that they refer to changes.
    public struct Referrers: Sendable {
        public typealias Change = @Sendable (Identifier, inout Transaction) throws(ServiceError) -> Void

        let rename: @Sendable (Identifier, String, inout Transaction) throws(ServiceError) -> Void
        let clear: Change
        let eraseName: Change
        let references: ForeignReferences

        /// - Parameters:
        ///   - rename: shows the new name, by `refresh`: no event, because nobody changed the record.
        ///   - clear: takes the reference to what was deleted out, as a change with its event.
        ///   - eraseName: erases the name from what is kept of the records, by `eraseKept`.
        ///   - references: those whose ids are not in the table `known_names`.
        public init(
            rename: @escaping @Sendable (Identifier, String, inout Transaction) throws(ServiceError) -> Void,
            clear: @escaping Change,
            eraseName: @escaping Change,
            references: ForeignReferences
        ) {
            self.rename = rename
            self.clear = clear
            self.eraseName = eraseName
            self.references = references
        }
    }

    public static let schema = """
        CREATE TABLE known_names (
            id BLOB PRIMARY KEY,
            entity TEXT NOT NULL,
            name TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Names that no longer are, each with the time from which on it was not; and since when they are kept, where
        -- the names were made from snapshots.
        CREATE TABLE past_known_names (
            id BLOB NOT NULL,
            until INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (id, until)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX past_known_names_until ON past_known_names (until);
        CREATE TABLE known_names_since (time INTEGER NOT NULL) STRICT;

        """

    private static let table = "known_names"

    private let source: ServiceName
    private let entities: [String]
    private let name: @Sendable (Event) throws(ServiceError) -> String?

    /// - Parameters:
    ///   - entities: those of the source that are referred to.
    ///   - name: the name that an event of one of them tells; nil for a delete.
    public init(
        of source: ServiceName,
        _ entities: [String],
        name: @escaping @Sendable (Event) throws(ServiceError) -> String?
    ) {
        self.source = source
        self.entities = entities
        self.name = name
    }

    /// Keeps the names, and changes what refers to them.
    public func projection(_ referrers: Referrers) -> Projection {
        let (entities, name) = (entities, name)
        return Projection(
            source: source,
            entities: entities,
            tables: [Self.table],
            clear: { (transaction) throws(ServiceError) in
                transaction.session.forget(Self.table)
                for table in [Self.table, "past_known_names", "known_names_since"] {
                    try transaction.execute("DELETE FROM \(table)")
                }
            },
            apply: { (event, transaction) throws(ServiceError) in
                guard entities.contains(event.entity) else { return }
                let known = try transaction.first("SELECT name FROM known_names WHERE id = $1", .id(event.subject)) {
                    $0.text(0)
                }
                let name = try name(event)
                if known != name { transaction.session.forget(Self.table) }
                if event.isErasure {
                    try PastNames.erase(event.subject, &transaction)
                } else if let known, known != name {
                    try PastNames.end(known, of: event.subject, event.time, &transaction)
                }
                guard let name else {
                    try transaction.execute("DELETE FROM known_names WHERE id = $1", .id(event.subject))
                    return
                }
                guard known != name else { return }
                try transaction.execute(
                    """
                    INSERT INTO known_names (id, entity, name) VALUES ($1, $2, $3)
                    ON CONFLICT (id) DO UPDATE SET entity = excluded.entity, name = excluded.name
                    """,
                    .id(event.subject),
                    .text(event.entity),
                    .text(name)
                )
                try referrers.rename(event.subject, name, &transaction)
            },
            react: { (event, transaction) throws(ServiceError) in
                guard entities.contains(event.entity) else { return }
                if event.isErasure { try referrers.eraseName(event.subject, &transaction) }
                if event.isDelete { try referrers.clear(event.subject, &transaction) }
            },
            mend: { (transaction) throws(ServiceError) in
                for id in try Self.erased(transaction) { try referrers.eraseName(id, &transaction) }
                try referrers.references.clear(&transaction)
            },
            beginAtCopy: PastNames.begin,
            references: referrers.references
        )
    }

    private static func erased(_ transaction: Transaction) throws(ServiceError) -> [Identifier] {
        var ids: [Identifier] = []
        try transaction.query("SELECT id FROM known_names WHERE name = $1", .text(Erased.name)) {
            if let id = $0.id(0) { ids.append(id) }
        }
        return ids
    }

    /// The name of what a record refers to.
    ///
    /// - Parameters:
    ///   - field: what a refusal names.
    ///   - isTrusted: the record had the reference before: it is not checked again.
    /// - Returns: nil where it isn't known and need not be.
    /// - Throws: `invalid` for a reference to nothing, once the other service's log was followed to its head.
    public func name(
        of id: Identifier,
        _ entity: String,
        field: String,
        isTrusted: Bool,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> String? {
        let session = transaction.session
        let row = try storing { () throws(StoreError) in
            try session.kept(Self.table, id) { () throws(StoreError) in
                try session.first("SELECT entity, name FROM known_names WHERE id = $1", .id(id)) {
                    [.text($0.text(0)), .text($0.text(1))]
                }
            }
        }
        var known: String?
        if case .text(let name)? = row?.last, row?.first == .text(entity) { known = name }
        if known != nil || (isTrusted && !transaction.isRestoring) || transaction.skipsForeignChecks { return known }
        guard try transaction.isFollowedToHead(source) else {
            throw .refused(
                .unavailable,
                "cannot check now whether there is a \(entity) \(id): the \(source) service does not answer; try again",
                field: field
            )
        }
        throw .invalid(field: field, found: id.description, "there is no \(entity) \(id)")
    }
}
