import Client
import Glibc
import Messages
import ZeroMQ

/// What `daybook keys` does to the folder.
extension KeyFolder {
    /// Makes a key, and allows it. What is there is never overwritten; where only the public half is missing, it is made
    /// from the other.
    ///
    /// - Returns: the key; nil where it was there as a whole.
    /// - Throws: ``CLIError/usage(_:)``, ``CLIError/failure(_:)``, ``CLIError/system(action:path:code:)``.
    func make(_ name: String, _ role: Role) throws(CLIError) -> KeyFile? {
        try Self.check(name)
        let isService = ServiceName.all.contains(ServiceName(rawValue: name))
        guard !isService || role == .service else {
            throw .usage("\(name) is a service, so its key is a service's: --role service.")
        }
        guard !File.exists(revokedPath(name)) else {
            throw .failure(
                "A key \(quoted(name)) was revoked: take another name, so that events stay clear about who it was."
            )
        }
        guard !File.exists(publicPath(name)) else { return nil }
        try File.makeFolder(publicFolder)
        if !hasSecret(name) {
            let new = KeyFile(name: name, role: role, pair: try Self.pair())
            // Where another run was faster, its key counts.
            _ = try Self.create(new, at: secretPath(name))
        }
        var file = try secretFile(name)
        guard file.role == role else {
            let found = file.role.rawValue
            throw .failure("\(secretPath(name)) is there, as a \(found)'s key: say --role \(found).")
        }
        file.pair = nil
        guard try Self.create(file, at: publicPath(name)) else { return nil }
        return file
    }

    /// Takes the permission away. The public half is kept, so that the name is not given again.
    ///
    /// - Throws: ``CLIError/usage(_:)``, ``CLIError/failure(_:)``, ``CLIError/system(action:path:code:)``.
    func revoke(_ name: String) throws(CLIError) {
        try Self.check(name)
        guard !ServiceName.all.contains(ServiceName(rawValue: name)) else {
            throw .usage("\(name) is a service, which needs its key: 'daybook keys rotate \(name)' gives it another.")
        }
        if let bytes = try File.contents(publicPath(name)) {
            try File.makeFolder(revokedFolder)
            // Not moved: the two folders may be of different disks. Cut off between the two, the next attempt ends it.
            try DurableFile.write(bytes, to: revokedPath(name))
            try DurableFile.remove(publicPath(name))
        } else if !File.exists(revokedPath(name)) {
            throw try unknown(name)
        }
    }

    /// Gives a name another key with the same role; the one before is allowed no more.
    ///
    /// - Returns: the new key's public half.
    /// - Throws: ``CLIError/usage(_:)``, ``CLIError/failure(_:)``, ``CLIError/system(action:path:code:)``.
    func rotate(_ name: String) throws(CLIError) -> KeyFile {
        try Self.check(name)
        guard !File.exists(revokedPath(name)) else { throw .failure("The key \(quoted(name)) was revoked.") }
        guard File.exists(publicPath(name)) else { throw try unknown(name) }
        let role: Role
        do throws(KeyError) { role = try publicFile(name).role } catch { throw .failure(error.description) }
        var file = KeyFile(name: name, role: role, pair: try Self.pair())
        try DurableFile.write(file.text, to: secretPath(name))
        file.pair = nil
        // Last: it is what services look at.
        try DurableFile.write(file.text, to: publicPath(name))
        return file
    }

    private func secretFile(_ name: String) throws(CLIError) -> KeyFile {
        do throws(KeyError) { return try secret(name) } catch { throw .failure(error.description) }
    }

    /// - Returns: false where there is a file already: that stays as it is.
    private static func create(_ file: KeyFile, at path: String) throws(CLIError) -> Bool {
        do throws(CLIError) {
            try DurableFile.create(Array(file.text.utf8), at: path)
            return true
        } catch {
            if case .system(_, _, EEXIST) = error { return false }
            throw error
        }
    }

    private func unknown(_ name: String) throws(CLIError) -> CLIError {
        let known = try rows().map(\.name)
        return .notFound(noun: "key", text: name, suggestion: Suggestion.nearest(to: name, among: known))
    }

    private static func check(_ name: String) throws(CLIError) {
        guard KeyFile.isName(name) else {
            throw .usage("\(quoted(name)) is no name for a key: write up to 64 letters, digits, '.', '_', '-' or '@'.")
        }
    }

    private static func pair() throws(CLIError) -> CurveKeyPair {
        do throws(ZeroMQError) { return try .generate() } catch { throw .failure(error.description) }
    }
}
