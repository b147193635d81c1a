import Client
import Messages

/// A key as it is listed.
struct KeyRow: Sendable {
    var name: String
    /// nil where the file can't be read.
    var role: Role?
    var publicKey: String?
    var state: String
    /// The file of its secret half, where that lies here.
    var secret: String?
}

extension Noun where Row == KeyRow {
    static let key = Noun(
        "key",
        plural: "keys",
        summary: "The key of a person, a program or a service.",
        fields: [
            .text("name", "Name", "What events and messages call it.") { $0.name },
            .text("role", "Role", "What it may do: reader, writer or service.") { $0.role?.rawValue },
            .text("state", "State", "allowed, revoked, or why its file can't be used.") { $0.state },
            .text("secret", "Secret", "The file of its secret half, where that lies here.") { $0.secret },
            .text("publicKey", "Public key", "Its public half, in Z85.", inTable: false) { $0.publicKey },
        ]
    )
}

extension KeyFolder {
    /// All keys, those that are allowed first, by name.
    ///
    /// - Throws: ``CLIError/failure(_:)``.
    func rows() throws(CLIError) -> [KeyRow] {
        try row(of: KeyFolder.names(in: publicFolder), state: "allowed")
            + row(of: KeyFolder.names(in: revokedFolder), state: "revoked")
    }

    private func row(
        of names: @autoclosure () throws(KeyError) -> [String],
        state: String
    ) throws(CLIError) -> [KeyRow] {
        let found: [String]
        do throws(KeyError) { found = try names() } catch { throw .failure(error.description) }
        return found.map { name in
            var row = KeyRow(name: name, state: state, secret: hasSecret(name) ? secretPath(name) : nil)
            do throws(KeyError) {
                let file = try state == "revoked" ? revokedFile(name) : publicFile(name)
                (row.role, row.publicKey) = (file.role, file.publicKey)
            } catch {
                row.state = error.description
            }
            return row
        }
    }
}
