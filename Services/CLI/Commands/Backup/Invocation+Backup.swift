import Client
import Glibc
import Messages
import SHA2

extension Invocation {
    /// Copies all stores into a folder, and prints what was copied.
    ///
    /// Whoever follows others is copied before them, so that what a copy knows of another service is in that one's copy as
    /// well; where services follow each other, the later copy leaves out what goes beyond.
    ///
    /// - Parameter keep: how many backups to keep in the folder, each in one of its own; nil for one backup, in the folder
    ///   itself.
    /// - Throws: ``CLIError``, with nothing left but what was there.
    func backUp(into folder: BackupFolder, keep: Int?) async throws(CLIError) {
        // Who is down is told before anything is copied.
        var statuses: [ServiceStatus] = []
        for service in ServiceName.all { statuses.append(try await send(StatusRequest(), to: service)) }
        let time = Instant.now()
        let whole = keep == nil ? folder : folder.folder(of: time)
        if keep != nil { try File.makeFolder(folder.path) }
        guard access(whole.path, F_OK) != 0 || File.isFolder(whole.path) && DurableFile.isEmpty(whole.path) else {
            throw .failure("\(whole.path) is there already: name a new folder, or use --keep for several in one.")
        }
        let part = BackupFolder(whole.path + BackupFolder.part)
        try File.makeFolder(part.path)
        guard let lock = try part.locked() else {
            throw .failure("Another backup is being written to \(part.path): wait for it, or name another folder.")
        }
        defer { close(lock) }
        let manifest: BackupManifest
        do throws(CLIError) {
            // Left by one that was killed.
            for name in DurableFile.names(in: part.path) { try DurableFile.remove("\(part.path)/\(name)") }
            manifest = BackupManifest(
                version: Release.version,
                time: time,
                stores: try await copyStores(of: Self.followersFirst(statuses), into: part)
            )
            try DurableFile.write(manifest.json, to: "\(part.path)/\(BackupFolder.manifest)")
            guard rename(part.path, whole.path) == 0 else {
                throw .system(action: "rename", path: part.path, code: errno)
            }
            try DurableFile.syncFolder(of: whole.path)
        } catch {
            try? part.remove()
            throw error
        }
        if let keep {
            for old in folder.kept.dropLast(keep) { try old.remove() }
            try folder.removeUnfinished()
        }
        try presentation.list(manifest.stores, of: .storeCopy)
    }

    /// Services in an order in which each comes before those that it follows, unless they follow it, too.
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

    private func copyStores(
        of services: [ServiceName],
        into part: BackupFolder
    ) async throws(CLIError) -> [BackupManifest.Store] {
        let backup = Identifier.make()
        var stores: [BackupManifest.Store] = []
        var within: Positions = [:]
        for service in services {
            let file = "\(service).db"
            let copy = try await waiting(.seconds(600))
                .send(BeginBackup(backup: backup, within: within), to: service)
            let hash = try await fetch(backup, copy.bytes, of: service, to: "\(part.path)/\(file)")
            _ = try await send(EndBackup(backup: backup), to: service)
            within[service.rawValue] = copy.position
            stores.append(
                BackupManifest.Store(
                    service: service,
                    file: file,
                    bytes: copy.bytes,
                    hash: hash,
                    position: copy.position,
                    follows: copy.follows
                )
            )
        }
        return stores.sorted { $0.service < $1.service }
    }

    /// Writes a copy to a file, chunk by chunk; returns its hash.
    private func fetch(
        _ backup: Identifier,
        _ bytes: Int64,
        of service: ServiceName,
        to path: String
    ) async throws(CLIError) -> String {
        let file = try NewBytes(path)
        while file.count < bytes {
            let chunk = try await send(ReadBackup(backup: backup, offset: file.count), to: service).bytes
            guard !chunk.isEmpty else {
                throw .failure("The copy of \(service) ended after \(file.count) of \(bytes) bytes: begin again.")
            }
            try file.append(chunk)
        }
        return try file.finish()
    }
}

/// A file that is written from its beginning to its end, and hashed meanwhile.
final class NewBytes {
    private let path: String
    private let descriptor: Int32
    private var hash = SHA256()
    private(set) var count: Int64 = 0

    /// - Throws: ``CLIError/system(action:path:code:)``.
    init(_ path: String) throws(CLIError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(action: "write", path: path, code: errno) }
    }

    deinit { close(descriptor) }

    /// - Throws: ``CLIError/system(action:path:code:)``.
    func append(_ bytes: [UInt8]) throws(CLIError) {
        try DurableFile.append(bytes, to: descriptor, path: path)
        hash.add(bytes)
        count += Int64(bytes.count)
    }

    /// Syncs the file.
    ///
    /// - Returns: The SHA-256 of what was written, as 64 hexadecimal digits.
    /// - Throws: ``CLIError/system(action:path:code:)``.
    func finish() throws(CLIError) -> String {
        guard fsync(descriptor) == 0 else { throw .system(action: "write", path: path, code: errno) }
        return hash.finish().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
