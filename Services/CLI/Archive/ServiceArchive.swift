import CBOR
import Client
import Messages
import SHA2

/// Reads one service for an archive: its records and its log, which fit together whatever is written meanwhile.
///
/// What must not be ahead of the log is read first, then the records, then the log to its end. Records that events tell of
/// which came while they were read are taken from these events: so they are as they were at the log's end.
struct ServiceArchive {
    let daybook: Invocation
    let service: ServiceName
    let folder: SpoolFolder

    /// A member and where its content lies.
    struct Spooled {
        var member: ArchiveManifest.Member
        var file: SpoolFile
    }

    /// How often it is begun anew where the log loses its beginning, or a person is erased, while it is read.
    private static let attempts = 5

    /// - Throws: what sending and writing throw.
    func read() async throws(CLIError) -> (service: ArchiveManifest.Service, files: [Spooled]) {
        for _ in 0..<Self.attempts {
            if let whole = try await attempt() { return whole }
        }
        throw .failure("The log of \(service) is being cut or erased from: export it again in a moment.")
    }

    /// nil where something went on that the parts don't fit together for.
    private func attempt() async throws(CLIError) -> (service: ArchiveManifest.Service, files: [Spooled])? {
        let start = try await daybook.send(ListArchiveParts(), to: service)
        guard start.format == ArchiveFormat.version else {
            throw .failure("\(service) writes archives of format \(start.format): take a newer daybook.")
        }
        var files: [Spooled] = []
        var records: [String: (file: SpoolFile, position: Int64)] = [:]
        var log: (end: ArchivedLog, reactions: Positions, changes: [String: [Identifier: Change]])?
        for part in start.parts {
            if start.entities.contains(part) {
                let file = try SpoolFile("\(service)-\(part)", in: folder)
                guard let position = try await copy(part, start, to: file) else { return nil }
                records[part] = (file, position)
            } else if part == ArchiveFormat.events {
                let file = try SpoolFile("\(service)-\(part)", in: folder)
                guard let read = try await copyLog(start, records.mapValues(\.position), to: file) else { return nil }
                log = read
                files.append(try spooled(part, file))
            } else {
                let file = try SpoolFile("\(service)-\(part)", in: folder)
                guard try await copy(part, start, to: file) != nil else { return nil }
                files.append(try spooled(part, file))
                if service == .catalog, part == "blobs" {
                    guard let pictures = try await copyPictures(of: file) else { return nil }
                    files += pictures
                }
            }
        }
        guard let log else { throw .failure("\(service) has no log to export.") }
        for (entity, copied) in records {
            files.append(try spooled(entity, try merged(copied.file, entity, log.changes[entity] ?? [:])))
        }
        let end = try SpoolFile("\(service)-log", in: folder)
        try end.add(try encoded(log.end).bytes)
        files.append(try spooled(ArchiveFormat.log, end))
        files.sort { $0.member.path < $1.member.path }
        let described = ArchiveManifest.Service(
            name: service,
            epoch: start.epoch,
            sequence: log.end.sequence,
            reactions: log.reactions,
            members: files.map(\.member)
        )
        return (described, files)
    }

    private func spooled(_ part: String, _ file: SpoolFile) throws(CLIError) -> Spooled {
        Spooled(
            member: .init(
                path: "\(service)/\(part).cbor",
                part: part,
                rows: file.rows,
                bytes: file.bytes,
                sha256: try file.finish().hexadecimal
            ),
            file: file
        )
    }

    /// Copies all pages of a part.
    ///
    /// - Returns: the position of the first page; nil where the log is another one by now.
    private func copy(
        _ part: String,
        _ start: ListArchiveParts.Reply,
        to file: SpoolFile
    ) async throws(CLIError) -> Int64? {
        var position: Int64?
        var after: [UInt8]?
        repeat {
            let page = try await daybook.send(ReadArchive(part: part, after: after), to: service)
            guard page.epoch == start.epoch else { return nil }
            position = position ?? page.sequence
            for row in page.rows { try file.add(row.bytes) }
            after = page.next
        } while after != nil
        return position
    }

    // MARK: The log

    /// What an event made of a record.
    private struct Change {
        var version: Int
        /// nil for a delete.
        var record: EncodedCBOR?
    }

    /// Copies the log to its end.
    ///
    /// - Parameter positions: at which each entity's first page was read.
    /// - Returns: with the last changes of the records that came behind these positions.
    private func copyLog(
        _ start: ListArchiveParts.Reply,
        _ positions: [String: Int64],
        to file: SpoolFile
    ) async throws(CLIError) -> (ArchivedLog, Positions, [String: [Identifier: Change]])? {
        var changes: [String: [Identifier: Change]] = [:]
        var sequence = start.floor
        var after: [UInt8]?
        while true {
            let page = try await daybook.send(ReadArchive(part: ArchiveFormat.events, after: after), to: service)
            guard page.epoch == start.epoch else { return nil }
            for row in page.rows {
                try file.add(row.bytes)
                sequence += 1
                guard sequence > start.sequence else { continue }
                let event = try decoded(Event.self, try decoded(ArchivedEvent.self, row).event)
                // The events before it were read with what was erased.
                if event.isErasure { return nil }
                guard let position = positions[event.entity], sequence > position else { continue }
                changes[event.entity, default: [:]][event.subject] = Change(
                    version: event.version,
                    record: event.data
                )
            }
            if let next = page.next {
                after = next
                continue
            }
            guard let log = page.log, log.floor?.sequence ?? 0 == start.floor, log.sequence == sequence else {
                return nil
            }
            return (log, page.reactions ?? [:], changes)
        }
    }

    private struct RecordHead: Decodable {
        var id: Identifier
        var version: Int
    }

    /// The records at the log's end, by id.
    private func merged(
        _ file: SpoolFile,
        _ entity: String,
        _ changes: [Identifier: Change]
    ) throws(CLIError) -> SpoolFile {
        guard !changes.isEmpty else { return file }
        let merged = try SpoolFile("\(service)-\(entity)-merged", in: folder)
        var waiting = changes.sorted { $0.key < $1.key }[...]
        var items = CBORSequence()
        func take(_ change: Change) throws(CLIError) {
            if let record = change.record { try merged.add(record.bytes) }
        }
        try file.each { (block) throws(CLIError) in
            items.add(block)
            while let item = try next(&items) {
                let head = try decoded(RecordHead.self, item)
                while let (id, change) = waiting.first, id < head.id {
                    try take(change)
                    waiting.removeFirst()
                }
                guard let (id, change) = waiting.first, id == head.id else {
                    try merged.add(item.bytes)
                    continue
                }
                waiting.removeFirst()
                if change.version > head.version { try take(change) } else { try merged.add(item.bytes) }
            }
        }
        for (_, change) in waiting { try take(change) }
        return merged
    }

    private func next(_ items: inout CBORSequence) throws(CLIError) -> EncodedCBOR? {
        do throws(CBORError) { return try items.next() } catch { throw unreadable(error) }
    }

    // MARK: Pictures

    private struct Picture: Decodable {
        var digest: [UInt8]
        var contentType: String

        private enum CodingKeys: String, CodingKey {
            case digest
            case contentType = "content_type"
        }
    }

    /// The pictures and thumbnails that a part names, each a file; nil where one is dropped meanwhile.
    private func copyPictures(of part: SpoolFile) async throws(CLIError) -> [Spooled]? {
        var pictures: [Picture] = []
        var items = CBORSequence()
        try part.each { (block) throws(CLIError) in
            items.add(block)
            while let item = try next(&items) { pictures.append(try decoded(Picture.self, item)) }
        }
        var files: [Spooled] = []
        for picture in pictures {
            let name = picture.digest.hexadecimal
            let file = try SpoolFile("picture-\(name)", in: folder)
            do throws(CLIError) {
                try file.add(try await daybook.blob(picture.digest))
            } catch .client(.refused(_, .notFound, _)) {
                return nil
            }
            var kept = try spooled(ArchiveManifest.picture, file)
            let ending = picture.contentType.split(separator: "/").last.map { $0 == "jpeg" ? "jpg" : String($0) }
            kept.member.path = "\(service)/pictures/\(name).\(ending ?? "bin")"
            files.append(kept)
        }
        return files
    }

    // MARK: CBOR

    private func decoded<Value: Decodable>(_ type: Value.Type, _ item: EncodedCBOR) throws(CLIError) -> Value {
        do throws(CBORError) { return try item.decode(type) } catch { throw unreadable(error) }
    }

    private func encoded(_ value: some Encodable) throws(CLIError) -> EncodedCBOR {
        do throws(CBORError) { return try EncodedCBOR(encoding: value) } catch { throw unreadable(error) }
    }

    private func unreadable(_ error: CBORError) -> CLIError {
        .failure("What \(service) answers for an archive can't be read: \(error)")
    }
}
