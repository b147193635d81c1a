internal import CMinizip

/// Reads a zip archive in memory, by minizip.
///
/// Names are taken as bytes that are UTF-8, or not: writers seldom say which. Nothing is written to disk, so that names
/// are only labels. Sizes are those that come out, never those that the archive tells.
@safe public struct ZipArchive: ~Copyable {
    /// An entry, as the archive's directory has it.
    public struct Entry: Sendable, Hashable {
        /// With its folders, separated by `/`; bytes that aren't UTF-8 are replaced.
        public var name: String
        /// Whether it is a folder.
        public var isFolder: Bool
        fileprivate var directoryOffset: UInt64
        fileprivate var index: UInt64
        /// Encrypted, or compressed by what minizip doesn't know.
        fileprivate var isUnsupported: Bool
    }

    /// In the order of the archive's directory.
    public let entries: [Entry]
    private let memory: ArchiveMemory
    private let handle: unzFile

    /// Whether bytes begin as a zip archive does, an empty one too.
    public static func isZip(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
    }

    /// Reads the directory. An archive without entries is none to minizip.
    ///
    /// - Parameter limit: the most entries.
    /// - Throws: ``ArchiveError/notAnArchive``, ``ArchiveError/tooManyEntries(limit:)``.
    public init(_ bytes: [UInt8], entries limit: Int) throws(ArchiveError) {
        let memory = ArchiveMemory(bytes)
        var functions = unsafe memory.functions
        guard let handle = unsafe unzOpen2_64("", &functions) else { throw .notAnArchive }
        do throws(ArchiveError) {
            entries = try unsafe Self.entries(of: handle, limit)
        } catch {
            unsafe unzClose(handle)
            throw error
        }
        self.memory = memory
        unsafe self.handle = handle
    }

    deinit {
        unsafe unzClose(handle)
        // The handle reads from it until here.
        withExtendedLifetime(memory) {}
    }

    private static func entries(of handle: unzFile, _ limit: Int) throws(ArchiveError) -> [Entry] {
        var entries: [Entry] = []
        var code = unsafe unzGoToFirstFile(handle)
        while code == UNZ_OK {
            guard entries.count < limit else { throw .tooManyEntries(limit: limit) }
            var info = unz_file_info64()
            var name = [CChar](repeating: 0, count: 4096)
            guard unsafe unzGetCurrentFileInfo64(handle, &info, &name, UInt(name.count), nil, 0, nil, 0) == UNZ_OK
            else {
                throw .notAnArchive
            }
            let length = min(Int(info.size_filename), name.count)
            let text = String(decoding: name[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            var place = unz64_file_pos()
            guard unsafe unzGetFilePos64(handle, &place) == UNZ_OK else { throw .notAnArchive }
            entries.append(
                Entry(
                    name: text,
                    isFolder: text.utf8.last == UInt8(ascii: "/"),
                    directoryOffset: place.pos_in_zip_directory,
                    index: place.num_of_file,
                    isUnsupported: info.flag & 1 != 0 || info.compression_method != 0 && info.compression_method != 8
                )
            )
            code = unsafe unzGoToNextFile(handle)
        }
        guard code == UNZ_END_OF_LIST_OF_FILE else { throw .notAnArchive }
        return entries
    }

    /// The decompressed bytes of an entry; their checksum is verified.
    ///
    /// - Parameter limit: the most bytes of the result.
    /// - Throws: ``ArchiveError``.
    public func contents(of entry: Entry, limit: Int) throws(ArchiveError) -> [UInt8] {
        guard !entry.isUnsupported else { throw .unsupportedEntry }
        var place = unz64_file_pos(pos_in_zip_directory: entry.directoryOffset, num_of_file: entry.index)
        guard unsafe unzGoToFilePos64(handle, &place) == UNZ_OK, unsafe unzOpenCurrentFile(handle) == UNZ_OK else {
            throw .damaged
        }
        var result: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe unzReadCurrentFile(handle, &block, UInt32(block.count))
            guard count > 0 else {
                // The checksum is compared when the entry is closed.
                let closed = unsafe unzCloseCurrentFile(handle)
                guard count == 0, closed == UNZ_OK else { throw .damaged }
                return result
            }
            result += block[..<Int(count)]
            if result.count > limit {
                unsafe unzCloseCurrentFile(handle)
                throw .tooLarge(limit: limit)
            }
        }
    }
}

/// Bytes that minizip reads as if they were a file.
private final class ArchiveMemory {
    let bytes: [UInt8]
    var position = 0
    /// Whether bytes were asked for that aren't there. Without being told, minizip takes them for zeros.
    var isCutShort = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// What minizip calls. They hold this object unretained: it must outlive the handle.
    var functions: zlib_filefunc64_def {
        var functions = unsafe zlib_filefunc64_def()
        unsafe functions.opaque = Unmanaged.passUnretained(self).toOpaque()
        unsafe functions.zopen64_file = { opaque, _, _ in unsafe opaque }
        unsafe functions.zread_file = { _, stream, buffer, count in
            guard let stream = unsafe stream, let buffer = unsafe buffer else { return 0 }
            let memory = unsafe Unmanaged<ArchiveMemory>.fromOpaque(stream).takeUnretainedValue()
            let wanted = Int(clamping: count)
            let count = min(wanted, memory.bytes.count - memory.position)
            if count < wanted { memory.isCutShort = true }
            unsafe memory.bytes.withUnsafeBytes { bytes in
                unsafe buffer.copyMemory(from: bytes.baseAddress! + memory.position, byteCount: count)
            }
            memory.position += count
            return UInt(count)
        }
        unsafe functions.zwrite_file = { _, _, _, _ in 0 }
        unsafe functions.ztell64_file = { _, stream in
            guard let stream = unsafe stream else { return .max }
            return UInt64(unsafe Unmanaged<ArchiveMemory>.fromOpaque(stream).takeUnretainedValue().position)
        }
        unsafe functions.zseek64_file = { _, stream, offset, origin in
            guard let stream = unsafe stream else { return -1 }
            let memory = unsafe Unmanaged<ArchiveMemory>.fromOpaque(stream).takeUnretainedValue()
            let start: Int
            switch origin {
            case ZLIB_FILEFUNC_SEEK_SET: start = 0
            case ZLIB_FILEFUNC_SEEK_CUR: start = memory.position
            default: start = memory.bytes.count
            }
            guard let offset = Int(exactly: offset),
                case (let target, let overflow) = start.addingReportingOverflow(offset),
                !overflow, 0...memory.bytes.count ~= target
            else { return -1 }
            memory.position = target
            return 0
        }
        unsafe functions.zclose_file = { _, _ in 0 }
        unsafe functions.zerror_file = { _, stream in
            guard let stream = unsafe stream else { return 1 }
            return unsafe Unmanaged<ArchiveMemory>.fromOpaque(stream).takeUnretainedValue().isCutShort ? 1 : 0
        }
        return unsafe functions
    }
}
