import Archive
import Glibc
import Messages

/// Writes the whole business into one tar archive: all services' records, their logs, and the pictures.
struct ArchiveExport {
    let daybook: Invocation

    /// Those that refer to others' records before these: what they refer to is there then, or its delete is told.
    private static let services: [ServiceName] = [.orders, .walks, .catalog]

    /// - Parameter path: the file, or `-` for standard output.
    /// - Returns: what was written.
    /// - Throws: what sending and writing throw; no file is left then.
    func run(to path: String) async throws(CLIError) -> ArchiveManifest {
        guard path == "-" else {
            let file = try NewFile(path, mode: 0o600)
            let manifest = try await write(to: file.descriptor, named: path)
            try file.finish()
            return manifest
        }
        guard isatty(STDOUT_FILENO) == 0 else {
            throw .usage("An archive is nothing for a terminal: name a file, or write it into a pipe.")
        }
        return try await write(to: STDOUT_FILENO, named: "standard output")
    }

    private func write(to descriptor: Int32, named file: String) async throws(CLIError) -> ArchiveManifest {
        let folder = try SpoolFolder()
        // Before anything is copied: whether all are there.
        for service in Self.services { _ = try await daybook.send(ListArchiveParts(), to: service) }
        var manifest = ArchiveManifest(made: .now(), services: [])
        var files: [ServiceArchive.Spooled] = []
        for service in Self.services {
            let read = try await ServiceArchive(daybook: daybook, service: service, folder: folder).read()
            manifest.services.append(read.service)
            files += read.files
        }
        manifest.services.sort { $0.name.rawValue < $1.name.rawValue }
        files.sort { $0.member.path < $1.member.path }
        try Self.write(manifest, files, to: descriptor, named: file)
        return manifest
    }

    private static func write(
        _ manifest: ArchiveManifest,
        _ files: [ServiceArchive.Spooled],
        to descriptor: Int32,
        named file: String
    ) throws(CLIError) {
        let seconds = manifest.made.microseconds / 1_000_000
        // Also where a pipe's reader has gone: half an archive is none.
        func failure(_ error: ArchiveError) -> CLIError { .failure("\(file): \(error.description).") }
        let tar: TarWriter
        do throws(ArchiveError) {
            tar = try TarWriter(descriptor: descriptor)
            let text = Array(manifest.text.utf8)
            try tar.begin(ArchiveManifest.fileName, size: text.count, seconds: seconds)
            try tar.write(text)
        } catch {
            throw failure(error)
        }
        for spooled in files {
            do throws(ArchiveError) {
                try tar.begin(spooled.member.path, size: spooled.member.bytes, seconds: seconds)
            } catch {
                throw failure(error)
            }
            try spooled.file.each { (block) throws(CLIError) in
                do throws(ArchiveError) { try tar.write(block) } catch { throw failure(error) }
            }
        }
        do throws(ArchiveError) { try tar.finish() } catch { throw failure(error) }
    }
}
