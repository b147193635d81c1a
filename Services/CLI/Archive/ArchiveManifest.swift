import JSON
import Messages

/// What an archive of the whole business holds: its member `manifest.json`.
struct ArchiveManifest: Sendable {
    static let fileName = "manifest.json"
    static let format = "daybook-archive"

    /// A file of the archive.
    struct Member: Sendable, Hashable {
        /// `orders/event.cbor`.
        var path: String
        /// What it holds: a part as services name it, or `picture`.
        var part: String
        /// How many items, each of which has bytes; 1 of a picture.
        var rows: Int
        var bytes: Int
        /// Of the file's bytes, in hexadecimal digits.
        var sha256: String
    }

    /// A service: its log up to an event, and its records as they were then.
    struct Service: Sendable {
        var name: ServiceName
        var epoch: Identifier
        /// The last event.
        var sequence: Int64
        /// Up to where it had reacted to others' logs.
        var reactions: Positions
        var members: [Member]
    }

    /// What pictures are called among the parts.
    static let picture = "picture"

    /// ``ArchiveFormat/version`` of who wrote it.
    var version = ArchiveFormat.version
    /// The version of the program that wrote it.
    var program = Release.version
    var made: Instant
    var services: [Service]

    /// What is in it, for people: `93 customers, 1250 events`.
    var contents: String {
        var counts: [(entity: String, rows: Int)] = []
        for member in services.flatMap(\.members) where Self.told.contains(member.part) && member.rows > 0 {
            if let index = counts.firstIndex(where: { $0.entity == member.part }) {
                counts[index].rows += member.rows
            } else {
                counts.append((member.part, member.rows))
            }
        }
        counts.sort { (Self.told.firstIndex(of: $0.entity) ?? 0) < (Self.told.firstIndex(of: $1.entity) ?? 0) }
        return counts.isEmpty
            ? "nothing" : counts.map { ImportSentence.plural($0.rows, $0.entity) }.joined(separator: ", ")
    }

    private static let told = [
        Customer.entity, SoldService.entity, RecipeType.entity, Recipe.entity, Order.entity, Dog.entity, Walk.entity,
        picture, ArchiveFormat.events,
    ]

    // MARK: Writing

    /// The file's text.
    var text: String {
        let fields: [Field<ArchiveManifest>] = [
            .text("format", "", "") { _ in Self.format },
            .integer("version", "", "") { Int64($0.version) },
            .text("program", "", "") { $0.program },
            .instant("made", "", "") { $0.made },
            .list("services", "", "", of: Self.serviceFields) { $0.services },
        ]
        return JSONText.object(fields.map(\.declaration), fields.map { $0.value(self) }, indentation: 2) + "\n"
    }

    private static var serviceFields: [Field<Service>] {
        [
            .text("service", "", "") { $0.name.rawValue },
            .id("epoch", "", "") { $0.epoch },
            .integer("sequence", "", "") { $0.sequence },
            .list(
                "reactions",
                "",
                "",
                of: [
                    .text("source", "", "") { (reaction: (key: String, value: Position)) in reaction.key },
                    .id("epoch", "", "") { $0.value.epoch },
                    .integer("sequence", "", "") { $0.value.sequence },
                ]
            ) { $0.reactions.sorted { $0.key < $1.key } },
            .list(
                "members",
                "",
                "",
                of: [
                    .text("path", "", "") { (member: Member) in member.path },
                    .text("part", "", "") { $0.part },
                    .integer("rows", "", "") { Int64($0.rows) },
                    .integer("bytes", "", "") { Int64($0.bytes) },
                    .text("sha256", "", "") { $0.sha256 },
                ]
            ) { $0.members },
        ]
    }

    init(made: Instant, services: [Service]) {
        self.made = made
        self.services = services
    }

    // MARK: Reading

    /// - Throws: ``CLIError/failure(_:)`` for what is no manifest, and for that of a newer program.
    init(_ bytes: [UInt8], of file: String) throws(CLIError) {
        let value: JSONValue
        do throws(JSONReader.Problem) {
            value = try JSONReader.value(of: bytes)
        } catch {
            throw .failure("\(file), \(Self.fileName), line \(error.line): \(error.reason).")
        }
        if value["format"]?.integer != nil, value["stores"] != nil {
            throw .failure("\(file) is what 'daybook backup' wrote: 'daybook restore' reads it.")
        }
        guard value["format"] == .string(Self.format), let version = value["version"]?.integer.map(Int.init) else {
            throw .failure("\(file): its \(Self.fileName) is not that of an archive of Daybook.")
        }
        program = value["program"]?.string ?? ""
        guard version == ArchiveFormat.version else {
            throw .failure(
                "\(file) is of format \(version), written by Daybook \(program): this is \(Release.version), which reads "
                    + "format \(ArchiveFormat.version); take a newer one."
            )
        }
        guard let made = value["made"]?.string.flatMap({ Instant($0) }), let services = value["services"]?.array,
            let read = Self.all(services.map(Self.service))
        else { throw .failure("\(file): its \(Self.fileName) lacks something: export it again.") }
        self.made = made
        self.services = read
    }

    private static func service(_ value: JSONValue) -> Service? {
        guard let name = value["service"]?.string, let epoch = value["epoch"]?.id,
            let sequence = value["sequence"]?.integer, sequence >= 0,
            let reactions = all((value["reactions"]?.array ?? []).map(reaction)),
            let members = all((value["members"]?.array ?? []).map(member))
        else { return nil }
        return Service(
            name: ServiceName(rawValue: name),
            epoch: epoch,
            sequence: sequence,
            reactions: Dictionary(reactions, uniquingKeysWith: { $1 }),
            members: members
        )
    }

    private static func reaction(_ value: JSONValue) -> (String, Position)? {
        guard let source = value["source"]?.string, let epoch = value["epoch"]?.id,
            let sequence = value["sequence"]?.integer, sequence >= 0
        else { return nil }
        return (source, Position(epoch: epoch, sequence: sequence))
    }

    private static func member(_ value: JSONValue) -> Member? {
        guard let path = value["path"]?.string, let part = value["part"]?.string,
            let rows = value["rows"]?.count, let bytes = value["bytes"]?.count, rows <= bytes,
            let sha256 = value["sha256"]?.string
        else { return nil }
        return Member(path: path, part: part, rows: rows, bytes: bytes, sha256: sha256)
    }

    /// All of them, if all are there.
    private static func all<Item>(_ items: [Item?]) -> [Item]? {
        let whole = items.compactMap(\.self)
        return whole.count == items.count ? whole : nil
    }
}

extension JSONValue {
    fileprivate var array: [JSONValue]? {
        if case .array(let items) = self { return items }
        return nil
    }

    fileprivate var id: Identifier? { string.flatMap { Identifier($0) } }
}
