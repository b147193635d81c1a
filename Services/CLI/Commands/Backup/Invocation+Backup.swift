import Client
import Messages

extension Invocation {
    /// Copies all stores into a folder, and prints what was copied.
    ///
    /// - Parameters:
    ///   - keep: how many backups to keep in the folder, each in one of its own; nil for one backup, in the folder itself.
    ///   - withKeys: whether the keys that lie here are copied as well.
    /// - Throws: ``CLIError``, with nothing left but what was there.
    func backUp(into folder: BackupFolder, keep: Int?, withKeys: Bool) async throws(CLIError) {
        let services = try await backupOrder()
        let time = Instant.now()
        let whole = keep == nil ? folder : folder.folder(of: time)
        if keep != nil { try File.makeFolder(folder.path) }
        guard !File.exists(whole.path) || File.isFolder(whole.path) && DurableFile.isEmpty(whole.path) else {
            throw .failure("\(whole.path) is there already: name a new folder, or use --keep for several in one.")
        }
        var sink = try FolderSink(whole)
        let manifest: BackupManifest
        do throws(CLIError) {
            manifest = try await write(services, time, withKeys: withKeys, to: &sink)
        } catch {
            sink.drop()
            throw error
        }
        if let keep {
            for old in folder.kept.dropLast(keep) { try old.remove() }
            try folder.removeUnfinished()
        }
        try presentation.list(manifest.stores, of: .storeCopy)
    }

    /// Writes copies of all stores to standard output, as a tar archive.
    ///
    /// - Throws: ``CLIError``; what was written then is not whole, and can't be put back.
    func backUp(withKeys: Bool) async throws(CLIError) {
        let time = Instant.now()
        var sink = try TarSink(time)
        _ = try await write(try await backupOrder(), time, withKeys: withKeys, to: &sink)
    }

    /// In which order the stores are copied. Who is down is told before anything is.
    func backupOrder() async throws(CLIError) -> [ServiceName] {
        var statuses: [ServiceStatus] = []
        for service in ServiceName.all { statuses.append(try await send(StatusRequest(), to: service)) }
        return Self.followersFirst(statuses)
    }

    /// Services in an order in which each comes before those that it follows, unless they follow it, too: so what a copy
    /// knows of another service is in that one's copy as well.
    static func followersFirst(_ statuses: [ServiceStatus]) -> [ServiceName] {
        let follows = Dictionary(uniqueKeysWithValues: statuses.map { ($0.service, Set($0.sources.map(\.service))) })
        var left = statuses.map(\.service)
        var ordered: [ServiceName] = []
        while let next = left.lastIndex(where: { service in
            left.allSatisfy { follows[$0]?.contains(service) != true || follows[service]?.contains($0) == true }
        }) ?? left.indices.last {
            ordered.append(left.remove(at: next))
        }
        return ordered
    }

    /// Copies the stores, the keys where they are wanted, and at last the manifest.
    ///
    /// Where services follow each other, the later copy leaves out what goes beyond the one before.
    func write<Sink: BackupSink>(
        _ services: [ServiceName],
        _ time: Instant,
        withKeys: Bool,
        to sink: inout Sink
    ) async throws(CLIError) -> BackupManifest {
        let backup = Identifier.make()
        var stores: [BackupManifest.Store] = []
        var within: Positions = [:]
        for service in services {
            let store = try await copy(service, backup, within, to: &sink)
            within[service.rawValue] = store.position
            stores.append(store)
        }
        stores.sort { $0.service < $1.service }
        let keys = withKeys ? try copyKeys(to: &sink) : []
        let manifest = BackupManifest(version: Release.version, time: time, stores: stores, keys: keys)
        let json = Array(manifest.json.utf8)
        try sink.begin(BackupFolder.manifest, bytes: Int64(json.count))
        try sink.write(json)
        try sink.finish()
        return manifest
    }

    private func copy<Sink: BackupSink>(
        _ service: ServiceName,
        _ backup: Identifier,
        _ within: Positions,
        to sink: inout Sink
    ) async throws(CLIError) -> BackupManifest.Store {
        let copy = try await waiting(.seconds(600)).send(BeginBackup(backup: backup, within: within), to: service)
        let name = "\(service).db"
        var file = try BackupFile(name, bytes: copy.bytes, in: &sink)
        var count: Int64 = 0
        while count < copy.bytes {
            let chunk = try await send(ReadBackup(backup: backup, offset: count), to: service).bytes
            guard !chunk.isEmpty else {
                throw .failure("The copy of \(service) ended after \(count) of \(copy.bytes) bytes: begin again.")
            }
            try file.write(chunk, to: &sink)
            count += Int64(chunk.count)
        }
        let hash = file.finish()
        _ = try await send(EndBackup(backup: backup), to: service)
        return BackupManifest.Store(
            service: service,
            file: name,
            bytes: count,
            hash: hash,
            position: copy.position,
            follows: copy.follows
        )
    }

    private func copyKeys<Sink: BackupSink>(to sink: inout Sink) throws(CLIError) -> [BackupManifest.Key] {
        let folder = KeyFolder(path: configuration.keys)
        var keys: [BackupManifest.Key] = []
        for name in BackupManifest.Key.names(in: folder) {
            guard let bytes = try File.contents(BackupManifest.Key.path(of: name, in: folder)) else { continue }
            let key = BackupManifest.Key(file: "keys/\(name)", hash: "")
            var file = try BackupFile(key.file, bytes: Int64(bytes.count), in: &sink)
            try file.write(bytes, to: &sink)
            keys.append(BackupManifest.Key(file: key.file, hash: file.finish()))
        }
        guard !keys.isEmpty else { throw .failure("There are no keys in \(folder.path): leave --with-keys out.") }
        return keys
    }
}
