internal import Glibc

extension Session {
    /// The copies of stores that lie beside this one since a schema was changed: `<store>.before-<version>`, of all
    /// services whose stores share the folder. Paths, by name.
    public func keptCopies() throws(StoreError) -> [String] {
        let folder = Self.parted(path).folder
        return try Self.names(in: folder).filter { $0.contains(".db.before-") }.map { "\(folder)/\($0)" }.sorted()
    }

    /// A file's folder and its name in it.
    static func parted(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    static func names(in folder: String) throws(StoreError) -> [String] {
        guard let directory = unsafe opendir(folder) else {
            throw .notWritable(path: folder, reason: unsafe String(cString: strerror(errno)).lowercased())
        }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            names.append(name)
        }
        return names
    }
}
