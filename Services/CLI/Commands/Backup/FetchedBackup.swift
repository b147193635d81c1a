import Client
import Glibc
import Messages
import SHA2

/// What was read of a backup: stores as files beside their places, all else in memory. Whether it is what was backed up is
/// not known before ``check(_:)``.
struct FetchedBackup {
    private let source: any BackupSource
    private var manifest: BackupManifest?
    private var stores: [String: (bytes: Int64, hash: String)] = [:]
    private var keys: [String: [UInt8]] = [:]

    /// No manifest and no key is larger.
    private static let mostBytes = 1 << 20

    /// - Throws: what reading and writing throw, and ``CLIError/failure(_:)`` for what can't be a backup.
    init(_ source: any BackupSource, _ places: [StoreReplacement], withKeys: Bool) throws(CLIError) {
        self.source = source
        var names: Set<String> = []
        try source.each { (path, read) throws(CLIError) in
            // A folder that somebody packed himself: tar(1) writes it so.
            let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
            guard names.insert(name).inserted else {
                throw .failure("\(source.name) is no backup: it has two files \(quoted(name)).")
            }
            if name == BackupFolder.manifest {
                manifest = try BackupManifest(json: try Self.small(name, source, read), file: "\(source.name): \(name)")
            } else if let place = places.first(where: { "\($0.service).db" == name }) {
                stores[name] = try Self.fetch(into: place.new, read)
            } else if withKeys, name.hasPrefix("keys/") {
                keys[name] = try Self.small(name, source, read)
            }
        }
    }

    private static func small(
        _ name: String,
        _ source: any BackupSource,
        _ read: () throws(CLIError) -> [UInt8]
    ) throws(CLIError) -> [UInt8] {
        var bytes: [UInt8] = []
        while case let block = try read(), !block.isEmpty {
            bytes += block
            guard bytes.count <= mostBytes else {
                throw .failure("\(source.name) is no backup: \(quoted(name)) is too long.")
            }
        }
        return bytes
    }

    private static func fetch(
        into path: String,
        _ read: () throws(CLIError) -> [UInt8]
    ) throws(CLIError) -> (bytes: Int64, hash: String) {
        let target = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw .system(action: "write", path: path, code: errno) }
        defer { close(target) }
        var hash = SHA256()
        var bytes: Int64 = 0
        while case let block = try read(), !block.isEmpty {
            try DurableFile.append(block, to: target, path: path)
            hash.add(block)
            bytes += Int64(block.count)
        }
        guard fsync(target) == 0 else { throw .system(action: "write", path: path, code: errno) }
        return (bytes, hash.finish().hexadecimal)
    }

    /// The stores that are put back: those of these services, or all of the backup.
    ///
    /// - Throws: ``CLIError/failure(_:)`` unless each of them is, byte for byte, what was backed up.
    func check(_ services: [ServiceName]) throws(CLIError) -> (BackupManifest, [BackupManifest.Store]) {
        guard let manifest else {
            throw .failure("\(source.name) holds no whole backup: a whole one has a \(BackupFolder.manifest).")
        }
        let chosen = services.isEmpty ? manifest.stores.map(\.service) : services
        let stores = try chosen.map { service throws(CLIError) in
            guard let store = manifest.store(of: service) else {
                throw .failure("The backup in \(source.name) has no store of \(service).")
            }
            guard let found = self.stores[store.file], found == (store.bytes, store.hash) else {
                throw Self.changed(store.file, source)
            }
            return store
        }
        return (manifest, stores)
    }

    /// The keys that are not in a folder yet, by their paths.
    ///
    /// - Throws: ``CLIError/failure(_:)`` where one is there with another content, and for one that is damaged.
    func newKeys(
        of manifest: BackupManifest,
        for folder: KeyFolder
    ) throws(CLIError) -> [(path: String, bytes: [UInt8])] {
        guard !manifest.keys.isEmpty else { throw .failure("The backup in \(source.name) holds no keys.") }
        var new: [(path: String, bytes: [UInt8])] = []
        for key in manifest.keys {
            guard let bytes = keys[key.file], SHA256.hash(bytes).hexadecimal == key.hash else {
                throw Self.changed(key.file, source)
            }
            let path = BackupManifest.Key.path(of: String(key.file.dropFirst(5)), in: folder)
            switch try File.contents(path) {
            case nil: new.append((path, bytes))
            case bytes: break
            default: throw .failure("\(path) is another key than the backup's: move it away, or leave --with-keys out.")
            }
        }
        return new
    }

    private static func changed(_ file: String, _ source: any BackupSource) -> CLIError {
        .failure(
            "\(file) in \(source.name) is not what was backed up: its bytes don't have the manifest's SHA-256. Take "
                + "another backup. Nothing was changed."
        )
    }
}
