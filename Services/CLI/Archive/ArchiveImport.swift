import Archive
import CBOR
import Client
import Glibc
import Messages
import SHA2

/// Fills an empty installation from an archive of the whole business.
///
/// The whole archive is checked first, then every service asked whether it is empty; only then is anything sent. Each
/// service takes its part in one transaction, Catalog's before the others'. What was loaded from this archive already is
/// passed over, so that the same command finishes what was cut off.
struct ArchiveImport {
    let daybook: Invocation
    /// What people are told.
    let file: String
    private let descriptor: Int32
    private let manifest: ArchiveManifest
    /// Of the manifest, and so of everything.
    private let archive: Identifier
    private var states: [ServiceName: ListArchiveParts.Reply] = [:]
    private var progress: ImportProgress

    /// Those that are referred to before those that refer to them.
    private static let services: [ServiceName] = [.catalog, .orders, .walks]
    /// A chunk's rows have at most this many bytes together, unless there is one alone.
    private static let chunkBytes = 500_000

    /// Checks the archive: its manifest, and each member's checksum.
    ///
    /// - Parameter descriptor: of a file that is read more than once; it is not closed.
    /// - Throws: ``CLIError/failure(_:)`` for what is damaged, cut short, or of a newer program.
    init(_ descriptor: Int32, named file: String, by daybook: Invocation) throws(CLIError) {
        self.daybook = daybook
        self.file = file
        self.descriptor = descriptor
        var found: [String: (bytes: Int, sha256: String)] = [:]
        var text: [UInt8] = []
        try Self.each(descriptor, file) { (name, tar) throws(ArchiveError) in
            var hash = SHA256()
            var count = 0
            while true {
                let block = try tar.read()
                if block.isEmpty { break }
                count += block.count
                hash.add(Array(block))
                if name == ArchiveManifest.fileName, text.count < 64 << 20 { text += block }
            }
            found[name] = (count, hash.finish().hexadecimal)
        }
        guard let own = found.removeValue(forKey: ArchiveManifest.fileName) else {
            throw .failure("\(file) has no \(ArchiveManifest.fileName): it is no archive of Daybook, or was cut short.")
        }
        manifest = try ArchiveManifest(text, of: file)
        archive = .imported("archive", own.sha256)
        for member in manifest.services.flatMap(\.members) {
            guard let (bytes, sha256) = found.removeValue(forKey: member.path) else {
                throw .failure("\(file): \(member.path) is missing: copy or export it again. Nothing was imported.")
            }
            let isNamed = member.part != ArchiveManifest.picture || member.path.contains(sha256)
            guard bytes == member.bytes, sha256 == member.sha256, isNamed else {
                throw .failure(
                    "\(file): \(member.path) is damaged, its checksum is another: copy or export it again. Nothing was "
                        + "imported."
                )
            }
        }
        for name in found.keys.sorted() { StandardError.write("Note: \(file): not imported: \(quoted(name)).\n") }
        for service in manifest.services where !Self.services.contains(service.name) {
            throw .failure("\(file) has a service \(quoted(service.name.rawValue)), which this daybook doesn't know.")
        }
        let rows = manifest.services.flatMap(\.members).reduce(0) { $0 + $1.rows }
        progress = ImportProgress(steps: rows + manifest.services.count)
    }

    /// Whether every service is empty, or was loaded from this archive.
    ///
    /// - Throws: what sending throws; ``CLIError/failure(_:)`` where one is not empty.
    mutating func prepare() async throws(CLIError) -> [ImportSummary] {
        for service in manifest.services {
            states[service.name] = try await daybook.send(ListArchiveParts(), to: service.name)
        }
        for service in Self.services {
            guard let state = states[service], state.sequence > 0, state.archive != archive else { continue }
            throw .failure(
                "\(service) is not empty: its log has \(state.sequence) events. An archive goes into an empty "
                    + "installation, such as that of --home FOLDER. Nothing was imported."
            )
        }
        return summary(manifest.services.filter { states[$0.name]?.archive != archive })
    }

    /// Sends and stores all that isn't there yet.
    ///
    /// - Throws: what sending throws; where some services are done, ``CLIError/failure(_:)`` that says which.
    mutating func store() async throws(CLIError) -> [ImportSummary] {
        defer { progress.clear() }
        let left = Self.services.compactMap { name in
            manifest.services.first { $0.name == name && states[name]?.archive != archive }
        }
        let chunks = try await stage(Dictionary(uniqueKeysWithValues: left.map { ($0.name, $0) }))
        var done = Self.services.filter { states[$0]?.archive == archive }
        var epochs = states.filter { $0.value.archive == archive }.mapValues(\.epoch)
        for service in left {
            progress.show("storing in \(service.name)")
            do throws(CLIError) {
                epochs[service.name] = try await load(service, chunks[service.name] ?? 0, epochs)
            } catch {
                guard !done.isEmpty else { throw error }
                let names = done.map(\.rawValue).joined(separator: " and ")
                let reason = error.description
                throw .failure(
                    "\(names) \(done.count == 1 ? "is" : "are") imported; \(service.name) is not: \(reason)"
                        + "\(reason.hasSuffix(".") ? "" : ".") The same command finishes it."
                )
            }
            done.append(service.name)
            progress.advance()
        }
        return summary(left)
    }

    private func load(
        _ service: ArchiveManifest.Service,
        _ chunks: Int,
        _ epochs: [ServiceName: Identifier]
    ) async throws(CLIError) -> Identifier {
        var reactions: Positions = [:]
        for (source, position) in service.reactions {
            // Of the log that is in the archive too: under its new epoch.
            guard let log = manifest.services.first(where: { $0.name.rawValue == source }), log.epoch == position.epoch,
                let epoch = epochs[log.name]
            else { continue }
            reactions[source] = Position(epoch: epoch, sequence: position.sequence)
        }
        let rows = service.members.reduce(0) { $0 + $1.rows }
        let patient = daybook.waiting(daybook.configuration.timeout + .milliseconds(5 * rows))
        let request = LoadArchive(archive: archive, chunks: chunks, reactions: reactions.isEmpty ? nil : reactions)
        // By a key of its own for good: a repeat whose first reply was lost is told what was done.
        let key = Identifier.imported("archive-load", archive.description, service.name.rawValue)
        return try await patient.send(request, to: service.name, key: key).epoch
    }

    private func summary(_ services: [ArchiveManifest.Service]) -> [ImportSummary] {
        var summary: [ImportSummary] = []
        for service in services {
            guard let entities = states[service.name]?.entities else { continue }
            for entity in entities {
                let rows = service.members.first { $0.part == entity }?.rows ?? 0
                summary.append(ImportSummary(entity: entity, counts: ImportCounts(created: rows)))
            }
            summary.append(ImportSummary(entity: "event", counts: ImportCounts(created: events(service))))
        }
        // Events of all services together, last.
        let events = summary.filter { $0.entity == "event" }.reduce(0) { $0 + $1.counts.created }
        summary.removeAll { $0.entity == "event" }
        if events > 0 { summary.append(ImportSummary(entity: "event", counts: ImportCounts(created: events))) }
        return summary
    }

    private func events(_ service: ArchiveManifest.Service) -> Int {
        service.members.first { $0.part == ArchiveFormat.events }?.rows ?? 0
    }

    // MARK: Sending

    /// Rows that wait until they are enough for a chunk.
    private struct Chunk {
        var part = ""
        var rows: [EncodedCBOR] = []
        var bytes = 0
    }

    /// Uploads the members of these services.
    ///
    /// - Returns: how many chunks each got.
    private mutating func stage(
        _ services: [ServiceName: ArchiveManifest.Service]
    ) async throws(CLIError) -> [ServiceName: Int] {
        var members: [String: (service: ServiceName, part: String)] = [:]
        for service in services.values {
            for member in service.members { members[member.path] = (service.name, member.part) }
        }
        var counts: [ServiceName: Int] = [:]
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .system(action: "read", path: file, code: errno) }
        let tar = try Self.opened(descriptor, file)
        while let name = try Self.next(tar, file) {
            guard let (service, part) = members[name] else { continue }
            progress.show("uploading to \(service)")
            if part == ArchiveManifest.picture {
                try await stagePicture(named: name, service, tar, &counts)
                progress.advance()
                continue
            }
            var items = CBORSequence()
            var chunk = Chunk(part: part)
            var isWhole = false
            while !isWhole {
                let block = try Self.read(tar, file)
                isWhole = block.isEmpty
                items.add(block)
                while let item = try Self.item(&items, name, file) {
                    if chunk.bytes + item.bytes.count > Self.chunkBytes, !chunk.rows.isEmpty {
                        try await send(chunk, service, &counts)
                        chunk = Chunk(part: part)
                    }
                    chunk.rows.append(item)
                    chunk.bytes += item.bytes.count
                    progress.advance()
                }
            }
            guard items.isAtEnd else { throw .failure("\(file): \(name) ends within an item: export it again.") }
            if !chunk.rows.isEmpty { try await send(chunk, service, &counts) }
        }
        return counts
    }

    private func send(_ chunk: Chunk, _ service: ServiceName, _ counts: inout [ServiceName: Int]) async throws(CLIError)
    {
        let number = counts[service, default: 0]
        let request = StageArchive(archive: archive, chunk: number, part: chunk.part, rows: chunk.rows)
        _ = try await daybook.send(request, to: service)
        counts[service] = number + 1
    }

    /// A chunk of a picture, as the service's table has it.
    private struct PictureChunk: Encodable {
        var digest: [UInt8]
        var offset: Int
        var bytes: [UInt8]
    }

    private func stagePicture(
        named name: String,
        _ service: ServiceName,
        _ tar: TarReader,
        _ counts: inout [ServiceName: Int]
    ) async throws(CLIError) {
        var picture: [UInt8] = []
        while true {
            let block = try Self.read(tar, file)
            if block.isEmpty { break }
            picture += block
        }
        let digest = SHA256.hash(picture)
        for offset in stride(from: 0, to: picture.count, by: PutBlob.chunkBytes) {
            let bytes = Array(picture[offset..<min(offset + PutBlob.chunkBytes, picture.count)])
            var chunk = Chunk(part: "blob_chunks")
            do throws(CBORError) {
                let row = PictureChunk(digest: digest, offset: offset, bytes: bytes)
                chunk.rows = [try EncodedCBOR(encoding: row)]
            } catch {
                throw .failure("\(file): \(name) can't be sent: \(error)")
            }
            try await send(chunk, service, &counts)
        }
    }

    // MARK: Reading

    private static func each(
        _ descriptor: Int32,
        _ file: String,
        _ body: (String, TarReader) throws(ArchiveError) -> Void
    ) throws(CLIError) {
        let tar = try opened(descriptor, file)
        while let name = try next(tar, file) {
            do throws(ArchiveError) { try body(name, tar) } catch { throw unreadable(error, file) }
        }
    }

    private static func opened(_ descriptor: Int32, _ file: String) throws(CLIError) -> TarReader {
        do throws(ArchiveError) { return try TarReader(descriptor: descriptor) } catch { throw unreadable(error, file) }
    }

    private static func next(_ tar: TarReader, _ file: String) throws(CLIError) -> String? {
        do throws(ArchiveError) { return try tar.next()?.name } catch { throw unreadable(error, file) }
    }

    private static func read(_ tar: TarReader, _ file: String) throws(CLIError) -> ArraySlice<UInt8> {
        do throws(ArchiveError) { return try tar.read() } catch { throw unreadable(error, file) }
    }

    private static func item(
        _ items: inout CBORSequence,
        _ name: String,
        _ file: String
    ) throws(CLIError) -> EncodedCBOR? {
        do throws(CBORError) { return try items.next() } catch {
            throw .failure("\(file): \(name) has an item that can't be read: \(error)")
        }
    }

    private static func unreadable(_ error: ArchiveError, _ file: String) -> CLIError {
        .failure("\(file): \(error.description). Nothing was imported.")
    }
}
