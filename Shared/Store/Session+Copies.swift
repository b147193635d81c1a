internal import Glibc

extension Session {
    /// The copies of stores that lie beside this one since a schema was changed: `<store>.before-<version>`, of all
    /// services whose stores share the folder. Paths, by name.
    public func keptCopies() throws(StoreError) -> [String] {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard let directory = unsafe opendir(folder) else {
            throw .notWritable(path: folder, reason: unsafe String(cString: strerror(errno)).lowercased())
        }
        defer { unsafe closedir(directory) }
        var copies: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.contains(".db.before-") { copies.append("\(folder)/\(name)") }
        }
        return copies.sorted()
    }
}
