import Client
import Glibc
import Messages
import Testing
import ZeroMQ

@testable import Service

/// A folder of keys in /tmp, and a gate that reads it.
private final class Fixture {
    let folder: KeyFolder

    init() throws {
        var template = Array("/tmp/daybook-gate-XXXXXX".utf8CString)
        folder = KeyFolder(path: try #require(mkdtemp(&template).map { String(cString: $0) }))
        mkdir(folder.publicFolder, 0o700)
    }

    deinit {
        for name in (try? KeyFolder.names(in: folder.publicFolder)) ?? [] { unlink(folder.publicPath(name)) }
        rmdir(folder.publicFolder)
        rmdir(folder.path)
    }

    var gate: Gatekeeper { Gatekeeper(folder, user: 1000, log: Log(service: Note.service)) }

    func allow(_ name: String, _ role: Role) throws -> String {
        let key = try CurveKeyPair.generate().publicKey
        let path = folder.publicPath(name)
        let file = try #require(fopen("\(path).new", "w"))
        fputs(KeyFile(name: name, role: role, publicKey: key).text, file)
        fclose(file)
        chmod("\(path).new", 0o600)
        rename("\(path).new", path)
        return key
    }
}

@Suite struct GatekeeperTests {
    private func request(
        _ mechanism: String,
        _ credentials: [UInt8]? = nil,
        address: String = "10.0.0.1"
    ) throws -> ZAPRequest {
        var frames = ["1.0", "7", Gatekeeper.domain, address, "", mechanism].map { Frame(Array($0.utf8)) }
        if let credentials { frames.append(Frame(credentials)) }
        return try #require(ZAPRequest(Multipart(frames: frames)))
    }

    /// The status and the user of an answer.
    private func answer(_ gate: Gatekeeper, _ request: ZAPRequest) -> [String] {
        let frames = gate.answer(request).map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(frames.count == 6 && frames[0] == "1.0" && frames[1] == "7")
        return [frames[2], frames[4]]
    }

    @Test func letsInWhoseKeyLiesThereAndCallsThemByIt() throws {
        let fixture = try Fixture()
        let anna = try fixture.allow("anna", .writer)
        let gate = fixture.gate
        let bytes = try #require(CurveKeyPair.bytes(ofKey: anna))
        #expect(answer(gate, try request("CURVE", bytes)) == ["200", anna])
        #expect(gate.holder(of: anna) == Gatekeeper.Holder(name: "anna", role: .writer))
        let stranger = try #require(CurveKeyPair.bytes(ofKey: try CurveKeyPair.generate().publicKey))
        #expect(answer(gate, try request("CURVE", stranger)) == ["400", ""])
    }

    @Test(arguments: [
        ("localhost:1000:1000:1", true), ("localhost:0:0:1", true), ("localhost:1001:1000:1", false),
        ("127.0.0.1", false),
    ])
    func withoutAKeyLetsInItsOwnUserOverIpcAlone(_ address: String, isLetIn: Bool) throws {
        let gate = try Fixture().gate
        #expect(answer(gate, try request("NULL", address: address)) == [isLetIn ? "200" : "400", ""])
    }

    @Test(arguments: ["PLAIN", "GSSAPI", ""]) func takesNoOtherMechanism(_ mechanism: String) throws {
        let gate = try Fixture().gate
        #expect(answer(gate, try request(mechanism, address: "localhost:1000:1000:1")) == ["400", ""])
    }

    @Test func answersForItsDomainAlone() throws {
        let frames = ["1.0", "7", "other", "localhost:1000:1:1", "", "NULL"].map { Frame(Array($0.utf8)) }
        let gate = try Fixture().gate
        #expect(answer(gate, try #require(ZAPRequest(Multipart(frames: frames)))) == ["400", ""])
    }

    @Test func heedsWhatIsPutThereAndTakenAway() throws {
        let fixture = try Fixture()
        let gate = fixture.gate
        #expect(gate.keys.isEmpty)
        let anna = try fixture.allow("anna", .reader)
        #expect(answer(gate, try request("CURVE", CurveKeyPair.bytes(ofKey: anna))) == ["200", anna])
        #expect(!gate.takeLost())
        // Another role is another file, and no key is lost.
        let file = KeyFile(name: "anna", role: .writer, publicKey: anna)
        let path = fixture.folder.publicPath("anna")
        let stream = try #require(fopen(path, "w"))
        fputs(file.text, stream)
        fclose(stream)
        gate.refresh(always: true)
        #expect(gate.holder(of: anna)?.role == .writer)
        #expect(!gate.takeLost())
        unlink(path)
        gate.refresh()
        #expect(gate.holder(of: anna) == nil)
        #expect(gate.takeLost())
        #expect(!gate.takeLost())
    }

    /// Another key under the same name: the one before counts for nothing.
    @Test func aNameIsNoKey() throws {
        let fixture = try Fixture()
        let first = try fixture.allow("anna", .reader)
        let gate = fixture.gate
        let second = try fixture.allow("anna", .reader)
        gate.refresh()
        #expect(gate.holder(of: first) == nil)
        #expect(gate.holder(of: second)?.name == "anna")
        #expect(gate.takeLost())
    }
}

@Suite struct RoleTests {
    @Test func commandsNeedAWriterQueriesAReaderAndTheKeysAService() {
        let routes = Notes.definition.routes
        var services: Set<String> = []
        for (operation, handler) in routes.handlers {
            let role = routes.role(of: operation)
            switch (handler, role) {
            case (_, .service): services.insert(operation)
            case (.command, let role): #expect(role == .writer, "\(operation)")
            case (_, let role): #expect(role == .reader, "\(operation)")
            }
        }
        #expect(
            services == [
                "archive.load", "archive.read", "archive.stage", "backup.begin", "backup.end", "backup.read",
                "keys.read",
            ]
        )
        #expect(routes.role(of: "note.eat") == nil)
        #expect(Role.allCases.sorted() == [.reader, .writer, .service])
    }
}
