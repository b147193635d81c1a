import Glibc
import Messages
import Testing
import ZeroMQ

@testable import Client

/// A folder of keys in /tmp.
final class KeyFixture {
    let folder: KeyFolder

    init() throws {
        var template = Array("/tmp/daybook-keys-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        folder = KeyFolder(path: String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
        mkdir(folder.publicFolder, 0o700)
    }

    deinit {
        for path in [folder.publicFolder, folder.path] {
            for name in (try? KeyFolder.names(in: path)) ?? [] { unlink("\(path)/\(name).key") }
        }
        unlink(folder.secretPath("anna"))
        rmdir(folder.publicFolder)
        rmdir(folder.path)
    }

    func write(_ text: String, to path: String, mode: mode_t = 0o600) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
        chmod(path, mode)
    }

    /// A key that is allowed; its pair.
    @discardableResult
    func allow(_ name: String, _ role: Role = .reader) throws -> CurveKeyPair {
        let pair = try CurveKeyPair.generate()
        try write(KeyFile(name: name, role: role, publicKey: pair.publicKey).text, to: folder.publicPath(name))
        return pair
    }
}

@Suite struct KeyFolderTests {
    @Test func readsWhoIsAllowed() throws {
        let fixture = try KeyFixture()
        let anna = try fixture.allow("anna", .writer)
        let otto = try fixture.allow("otto")
        try fixture.write("nothing", to: "\(fixture.folder.publicFolder)/note.txt")
        try fixture.write("nothing", to: "\(fixture.folder.publicFolder)/.hidden.key")
        defer { for name in ["note.txt", ".hidden.key"] { unlink("\(fixture.folder.publicFolder)/\(name)") } }
        let (files, problems) = try fixture.folder.publicFiles()
        #expect(files.map(\.name) == ["anna", "otto"])
        #expect(files.map(\.role) == [.writer, .reader])
        #expect(files.map(\.publicKey) == [anna.publicKey, otto.publicKey])
        #expect(problems.isEmpty)
    }

    @Test func aFileThatCantBeUsedAllowsNobodyAndLeavesTheOthers() throws {
        let fixture = try KeyFixture()
        try fixture.allow("anna")
        try fixture.allow("berta")
        let twin = try fixture.folder.publicFile("berta")
        try fixture.write(
            KeyFile(name: "twin", role: .service, publicKey: twin.publicKey).text,
            to: fixture.folder.publicPath("twin")
        )
        try fixture.write(String(repeating: "x", count: 5000), to: fixture.folder.publicPath("huge"))
        let lent = KeyFile(name: "anna", role: .service, publicKey: try CurveKeyPair.generate().publicKey)
        try fixture.write(lent.text, to: fixture.folder.publicPath("otto"))
        try fixture.allow("open")
        chmod(fixture.folder.publicPath("open"), 0o666)
        let (files, problems) = try fixture.folder.publicFiles()
        #expect(files.map(\.name) == ["anna", "berta"])
        let path = fixture.folder.publicPath
        #expect(
            problems == [
                .malformed(path("huge"), "it is too large for a key"), .exposed(path("open")),
                .malformed(path("otto"), "it is the key of anna"),
                .malformed(path("twin"), "it is the same key as that of berta"),
            ]
        )
    }

    @Test func whoeverMayWriteThereCouldLetHimselfInSoNobodyIs() throws {
        let fixture = try KeyFixture()
        try fixture.allow("anna")
        chmod(fixture.folder.publicFolder, 0o777)
        let (files, problems) = try fixture.folder.publicFiles()
        #expect(files.isEmpty)
        #expect(problems == [.exposed(fixture.folder.publicFolder)])
    }

    @Test func aSecretIsForItsOwnerAlone() throws {
        let fixture = try KeyFixture()
        let pair = try CurveKeyPair.generate()
        let file = KeyFile(name: "anna", role: .writer, pair: pair)
        let path = fixture.folder.secretPath("anna")
        #expect(throws: KeyError.missing(path)) { try fixture.folder.pair("anna") }
        try fixture.write(file.text, to: path)
        #expect(try fixture.folder.pair("anna") == pair)
        chmod(path, 0o640)
        #expect(throws: KeyError.exposed(path)) { try fixture.folder.pair("anna") }
        try fixture.write(KeyFile(name: "anna", role: .writer, publicKey: pair.publicKey).text, to: path)
        #expect(throws: KeyError.malformed(path, "it has no line 'secret-key = …'")) { try fixture.folder.pair("anna") }
    }

    @Test func theStampShowsWhatIsPutThereAndTakenAway() throws {
        let fixture = try KeyFixture()
        var seen: Set<KeyFolder.Stamp> = [fixture.folder.stamp]
        rmdir(fixture.folder.publicFolder)
        #expect(seen.insert(fixture.folder.stamp).inserted)
        mkdir(fixture.folder.publicFolder, 0o700)
        try fixture.allow("anna")
        #expect(seen.insert(fixture.folder.stamp).inserted)
    }
}
