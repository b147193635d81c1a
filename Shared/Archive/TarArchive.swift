internal import CLibArchive
internal import Glibc

/// libarchive's `AE_IFREG`, a macro with a cast.
private let plainFile: UInt32 = 0o100000

/// libarchive, loaded when the first archive is opened: with the libraries that it brings along it would add a millisecond
/// to every start of the command.
private enum LibArchive {
    private static let loaded: daybook_libarchive? = {
        var functions = daybook_libarchive()
        return unsafe daybook_libarchive_load(&functions) ? functions : nil
    }()

    /// - Throws: what the closure makes of the reason, where it is not installed.
    static func functions(_ failure: (String) -> ArchiveError) throws(ArchiveError) -> daybook_libarchive {
        guard let loaded else { throw failure("libarchive.so.13 is not installed") }
        return loaded
    }
}

/// Writes a tar archive (POSIX ustar, with pax headers where those are needed), by libarchive.
///
/// Entries are plain files of this user's, readable by nobody else; equal contents and times give equal bytes.
@safe public final class TarWriter {
    private let library: daybook_libarchive
    private let handle: OpaquePointer
    private var isFinished = false

    /// - Parameter descriptor: an open file or pipe; it is not closed.
    /// - Throws: ``ArchiveError/notWritten(_:)``.
    public init(descriptor: Int32) throws(ArchiveError) {
        let library = try LibArchive.functions(ArchiveError.notWritten)
        guard let handle = library.archive_write_new() else { throw .notWritten("no memory is left") }
        _ = unsafe library.archive_write_set_format_pax_restricted(handle)
        // Into a pipe as into a file: without filling up to a tape's block.
        _ = unsafe library.archive_write_set_bytes_in_last_block(handle, 1)
        guard unsafe library.archive_write_open_fd(handle, descriptor) == ARCHIVE_OK else {
            let reason = unsafe Self.reason(library, handle)
            _ = unsafe library.archive_write_free(handle)
            throw .notWritten(reason)
        }
        self.library = library
        unsafe self.handle = handle
    }

    deinit {
        // It would write the end by itself, as if all were there.
        if !isFinished { _ = unsafe library.archive_write_fail(handle) }
        _ = unsafe library.archive_write_free(handle)
    }

    /// Begins an entry; the one before is ended by it.
    ///
    /// - Parameters:
    ///   - size: how many bytes ``write(_:)`` will be given for it.
    ///   - seconds: since 1970 UTC.
    /// - Throws: ``ArchiveError/notWritten(_:)``.
    public func begin(_ name: String, size: Int, seconds: Int64) throws(ArchiveError) {
        let entry = library.archive_entry_new()
        defer { unsafe library.archive_entry_free(entry) }
        unsafe library.archive_entry_set_pathname_utf8(entry, name)
        unsafe library.archive_entry_set_size(entry, Int64(size))
        unsafe library.archive_entry_set_mtime(entry, time_t(seconds), 0)
        unsafe library.archive_entry_set_filetype(entry, plainFile)
        unsafe library.archive_entry_set_perm(entry, 0o600)
        guard unsafe library.archive_write_header(handle, entry) == ARCHIVE_OK else {
            throw unsafe .notWritten(Self.reason(library, handle))
        }
    }

    /// Adds bytes to the entry.
    ///
    /// - Throws: ``ArchiveError/notWritten(_:)``.
    public func write(_ bytes: [UInt8]) throws(ArchiveError) {
        guard unsafe library.archive_write_data(handle, bytes, bytes.count) == bytes.count else {
            throw unsafe .notWritten(Self.reason(library, handle))
        }
    }

    /// Writes the end; what is written without it is a cut archive.
    ///
    /// - Throws: ``ArchiveError/notWritten(_:)``.
    public func finish() throws(ArchiveError) {
        guard unsafe library.archive_write_close(handle) == ARCHIVE_OK else {
            throw unsafe .notWritten(Self.reason(library, handle))
        }
        isFinished = true
    }

    /// The system's reason where there is one: libarchive's own text is "Write error" then.
    private static func reason(_ library: daybook_libarchive, _ handle: OpaquePointer) -> String {
        let code = unsafe library.archive_errno(handle)
        if code > 0, code != EINVAL, code != EILSEQ, let text = unsafe strerror(code) {
            return unsafe String(cString: text)
        }
        return unsafe library.archive_error_string(handle).map { unsafe String(cString: $0) }
            ?? "error \(unsafe library.archive_errno(handle))"
    }
}

/// Reads a tar archive from its beginning to its end, plain or compressed by gzip, xz or zstd, by libarchive.
///
/// Nothing is written to disk, so that names are only labels.
@safe public final class TarReader {
    /// A file in the archive.
    public struct Entry: Sendable, Hashable {
        /// With its folders, separated by `/`; bytes that aren't UTF-8 are replaced.
        public var name: String
    }

    private let library: daybook_libarchive
    private let handle: OpaquePointer
    private var block = [UInt8](repeating: 0, count: 256 << 10)

    /// - Parameter descriptor: an open file or pipe; it is not closed.
    /// - Throws: ``ArchiveError/noTar(_:)``.
    public init(descriptor: Int32) throws(ArchiveError) {
        let library = try LibArchive.functions(ArchiveError.noTar)
        guard let handle = library.archive_read_new() else { throw .noTar("no memory is left") }
        _ = unsafe library.archive_read_support_format_tar(handle)
        _ = unsafe library.archive_read_support_filter_gzip(handle)
        _ = unsafe library.archive_read_support_filter_xz(handle)
        _ = unsafe library.archive_read_support_filter_zstd(handle)
        guard unsafe library.archive_read_open_fd(handle, descriptor, 64 << 10) == ARCHIVE_OK else {
            let reason = unsafe Self.reason(library, handle)
            _ = unsafe library.archive_read_free(handle)
            throw .noTar(reason)
        }
        self.library = library
        unsafe self.handle = handle
    }

    deinit {
        _ = unsafe library.archive_read_free(handle)
    }

    /// The next file; folders and links are passed over. nil at the end.
    ///
    /// - Throws: ``ArchiveError/noTar(_:)``, also for an archive without its end.
    public func next() throws(ArchiveError) -> Entry? {
        while true {
            var entry: OpaquePointer?
            let code = unsafe library.archive_read_next_header(handle, &entry)
            if code == ARCHIVE_EOF { return nil }
            guard code == ARCHIVE_OK || code == ARCHIVE_WARN else { throw unsafe .noTar(Self.reason(library, handle)) }
            guard unsafe library.archive_entry_filetype(entry) == plainFile,
                unsafe library.archive_entry_hardlink(entry) == nil
            else { continue }
            // As bytes: the conversion of libarchive depends on the locale.
            let name = unsafe library.archive_entry_pathname(entry).map { unsafe String(cString: $0) }
            return Entry(name: name ?? "")
        }
    }

    /// The next bytes of the entry, up to 256 KiB; empty at its end.
    ///
    /// - Throws: ``ArchiveError/noTar(_:)``.
    public func read() throws(ArchiveError) -> ArraySlice<UInt8> {
        let count = unsafe library.archive_read_data(handle, &block, block.count)
        guard count >= 0 else { throw unsafe .noTar(Self.reason(library, handle)) }
        return block.prefix(count)
    }

    private static func reason(_ library: daybook_libarchive, _ handle: OpaquePointer) -> String {
        unsafe library.archive_error_string(handle).map { unsafe String(cString: $0) }
            ?? "error \(unsafe library.archive_errno(handle))"
    }
}
