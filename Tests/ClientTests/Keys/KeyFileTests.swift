import Messages
import Testing
import ZeroMQ

@testable import Client

@Suite struct KeyFileTests {
    // The pairs of zmq_curve_keypair(3) and of RFC 26's implementations.
    private static let publicKey = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
    private static let secretKey = "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"

    @Test func readsBackWhatItWrites() throws {
        let pair = try CurveKeyPair(secretKey: Self.secretKey)
        let both = KeyFile(name: "anna", role: .writer, pair: pair)
        let half = KeyFile(name: "anna", role: .writer, publicKey: Self.publicKey)
        #expect(try KeyFile(parsing: both.text, path: "a") == both)
        #expect(try KeyFile(parsing: half.text, path: "a") == half)
        #expect(both.text.contains(Self.secretKey) && !half.text.contains(Self.secretKey))
        #expect(!"\(both)".contains(Self.secretKey))
    }

    /// As CZMQ and pyzmq write and read it.
    @Test func isACertificateOfZPL() throws {
        let text = """
            #   A comment, with public-key = "nothing"
            \t# another = one
            metadata
                name = "anna"
                role = reader
                email = "anna@example.org"
            curve
                public-key = "\(Self.publicKey)"

            """
        #expect(
            try KeyFile(parsing: text, path: "a") == KeyFile(name: "anna", role: .reader, publicKey: Self.publicKey)
        )
        let windows = text.split(separator: "\n").joined(separator: "\r\n")
        #expect(try KeyFile(parsing: windows, path: "a").name == "anna")
    }

    @Test(arguments: [
        ("", "it has no line 'name = …'"),
        ("name = anna", "it has no line 'role = …'"),
        ("name = ../x\nrole = reader", "its name is none that a key can have"),
        ("name = anna\nrole = king", "its role is none of reader, writer, service"),
        ("name = anna\nrole = reader", "it has no line 'public-key = …'"),
        ("name = anna\nrole = reader\npublic-key = short", "its public-key is no key"),
        (
            "name = anna\nrole = reader\npublic-key = \(Self.publicKey)\nsecret-key = \(Self.publicKey)",
            "its two halves are no pair of keys"
        ),
        ("\u{0}\u{FFFD}", "it has no line 'name = …'"),
    ])
    func saysWhatIsWrong(_ text: String, _ reason: String) {
        #expect(throws: KeyError.malformed("a.key", reason)) { try KeyFile(parsing: text, path: "a.key") }
    }

    @Test(arguments: ["anna", "anna.berg@example.org", "a", "7", "A-b_c", String(repeating: "a", count: 64)])
    func isAName(_ text: String) {
        #expect(KeyFile.isName(text))
    }

    @Test(arguments: ["", ".", "..", ".anna", "-x", "a/b", "anna ", "ännä", "a\n", String(repeating: "a", count: 65)])
    func isNoName(_ text: String) {
        #expect(!KeyFile.isName(text))
    }
}
