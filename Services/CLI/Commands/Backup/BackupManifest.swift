import Client
import JSON
import Messages

/// What a backup holds: `manifest.json`, written last. Fields are only ever added.
struct BackupManifest: Sendable, Hashable {
    /// One store.
    struct Store: Sendable, Hashable {
        var service: ServiceName
        /// Its name in the backup's folder.
        var file: String
        var bytes: Int64
        /// SHA-256, 64 hexadecimal digits.
        var hash: String
        /// The last event in it.
        var position: Position
        /// How far it has followed other services' logs: never further than their copies go.
        var follows: Positions
    }

    /// A file of the keys' folder.
    struct Key: Sendable, Hashable {
        /// Its name in the backup's folder: `keys/public/catalog.key`.
        var file: String
        /// SHA-256, 64 hexadecimal digits.
        var hash: String

        /// The files of keys in a folder, by their names below the backup's `keys`, where secrets lie beside each other.
        static func names(in folder: KeyFolder) -> [String] {
            let own = DurableFile.names(in: folder.secretFolder)
                .filter { folder.hasSecret($0) }
                .map { $0 + KeyFolder.secretSuffix }
            let secrets = Set(own + DurableFile.names(in: folder.path)).sorted()
            let others = [(folder.publicFolder, "public/"), (folder.revokedFolder, "revoked/")].flatMap { path, part in
                DurableFile.names(in: path).map { part + $0 }
            }
            return (secrets + others).filter(isName)
        }

        /// Where a file of that name belongs in a folder.
        static func path(of name: String, in folder: KeyFolder) -> String {
            guard name.hasSuffix(KeyFolder.secretSuffix) else { return "\(folder.path)/\(name)" }
            return folder.secretPath(String(name.dropLast(KeyFolder.secretSuffix.count)))
        }

        fileprivate static func isName(_ name: some StringProtocol) -> Bool {
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            guard let last = parts.last, !last.hasPrefix(".") else { return false }
            if parts.count == 1 { return last.hasSuffix(KeyFolder.secretSuffix) }
            return parts.count == 2 && ["public", "revoked"].contains(parts[0]) && last.hasSuffix(".key")
        }
    }

    /// The form of the manifest that this program writes; it reads no later one.
    static let format: Int64 = 1

    /// Of the program that wrote it.
    var version: String
    /// When the first copy was made.
    var time: Instant
    var stores: [Store]
    /// Only where they were asked for.
    var keys: [Key] = []

    func store(of service: ServiceName) -> Store? { stores.first { $0.service == service } }
}

// MARK: JSON

extension BackupManifest {
    var json: String {
        let stores = stores.map { store in
            GenericJSON.object([
                ("service", GenericJSON.string(store.service.rawValue)),
                ("file", GenericJSON.string(store.file)),
                ("bytes", String(store.bytes)),
                ("sha256", GenericJSON.string(store.hash)),
                ("position", Self.json(store.position)),
                (
                    "follows",
                    GenericJSON.object(store.follows.sorted { $0.key < $1.key }.map { ($0.key, Self.json($0.value)) })
                ),
            ])
        }
        let keys = keys.map { key in
            GenericJSON.object([("file", GenericJSON.string(key.file)), ("sha256", GenericJSON.string(key.hash))])
        }
        let members = [
            ("format", String(Self.format)),
            ("version", GenericJSON.string(version)),
            ("time", GenericJSON.string(time.description)),
            ("stores", "[\n\(stores.joined(separator: ",\n"))\n]"),
            ("keys", "[\(keys.joined(separator: ","))]"),
        ]
        return GenericJSON.object(members) + "\n"
    }

    private static func json(_ position: Position) -> String {
        GenericJSON.object([
            ("epoch", GenericJSON.string(position.epoch.description)), ("sequence", String(position.sequence)),
        ])
    }

    /// - Throws: ``CLIError/failure(_:)``.
    init(json bytes: [UInt8], file: String) throws(CLIError) {
        let value: JSONValue
        do throws(JSONReader.Problem) {
            value = try JSONReader.value(of: bytes)
        } catch {
            throw .failure("\(file) is no manifest of a backup: line \(error.line): \(error.reason)")
        }
        if value["format"]?.string == ArchiveManifest.format {
            throw .failure("\(file) is that of 'daybook export --all': 'daybook import --all' reads it.")
        }
        guard let format = value["format"]?.integer, let version = value["version"]?.string,
            let time = value["time"]?.string.flatMap({ Instant($0) }), case .array(let items)? = value["stores"]
        else {
            throw .failure(
                "\(file) is no manifest of a backup: it lacks the format, the version, the time or the stores."
            )
        }
        guard format <= Self.format else {
            throw .failure(
                "\(file) was written by Daybook \(version), in a form that \(Release.version) does not know."
            )
        }
        var stores: [Store] = []
        for item in items {
            guard let store = Store(json: item) else {
                throw .failure("\(file) is no manifest of a backup: store \(stores.count + 1) can't be read.")
            }
            stores.append(store)
        }
        var keys: [Key] = []
        if case .array(let items)? = value["keys"] {
            for item in items {
                guard let name = item["file"]?.string, name.hasPrefix("keys/"), Key.isName(name.dropFirst(5)),
                    let hash = item["sha256"]?.string
                else { throw .failure("\(file) is no manifest of a backup: key \(keys.count + 1) can't be read.") }
                keys.append(Key(file: name, hash: hash))
            }
        }
        self.init(version: version, time: time, stores: stores, keys: keys)
    }
}

extension BackupManifest.Store {
    fileprivate init?(json value: JSONValue) {
        guard let service = value["service"]?.string, let file = value["file"]?.string, !file.contains("/"),
            let bytes = value["bytes"]?.integer, let hash = value["sha256"]?.string,
            let position = value["position"].flatMap(Self.position), case .object(let members)? = value["follows"]
        else { return nil }
        var follows: Positions = [:]
        for member in members {
            guard let position = Self.position(member.value) else { return nil }
            follows[member.key] = position
        }
        self.init(
            service: ServiceName(rawValue: service),
            file: file,
            bytes: bytes,
            hash: hash,
            position: position,
            follows: follows
        )
    }

    private static func position(_ value: JSONValue) -> Position? {
        guard let epoch = value["epoch"]?.string.flatMap({ Identifier($0) }), let sequence = value["sequence"]?.integer,
            sequence >= 0
        else { return nil }
        return Position(epoch: epoch, sequence: sequence)
    }
}

extension Noun where Row == BackupManifest.Store {
    /// A store in a backup.
    static let storeCopy = Noun(
        "store-copy",
        plural: "store-copies",
        summary: "A store in a backup.",
        fields: [
            .text("service", "Service", "Whose store.") { $0.service.rawValue },
            .text("file", "File", "Its name in the backup's folder.", inTable: false) { $0.file },
            .integer("bytes", "Bytes", "Its length in bytes.") { $0.bytes },
            .integer("sequence", "Sequence", "The last event in it.") { $0.position.sequence },
            .id("epoch", "Epoch", "Of the event log.", inTable: false) { $0.position.epoch },
            .text("sha256", "SHA-256", "Of its bytes, 64 hexadecimal digits.", inTable: false) { $0.hash },
        ]
    )
}
