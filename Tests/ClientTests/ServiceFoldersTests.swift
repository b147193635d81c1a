import Client
import Testing

@Suite struct ServiceFoldersTests {
    private func folders(_ environment: [String: String]) -> [String]? {
        ServiceFolders(environment: { environment[$0] }, isFolder: { $0 == "/run/user/7" }).map {
            [$0.home, $0.runtime]
        }
    }

    @Test func areWhatTheEnvironmentSays() {
        let user = ["HOME": "/home/ann", "XDG_RUNTIME_DIR": "/run/user/7"]
        let usual = "/home/ann/.local/share/daybook"
        #expect(folders(user) == [usual, "/run/user/7/daybook"])
        #expect(folders(user.merging(["XDG_RUNTIME_DIR": "/run/gone"]) { $1 }) == [usual, "\(usual)/run"])
        #expect(folders(user.merging(["XDG_DATA_HOME": "/data"]) { $1 }) == ["/data/daybook", "/run/user/7/daybook"])
        // Two homes never meet in one runtime folder by default.
        #expect(folders(user.merging(["DAYBOOK_HOME": "/books"]) { $1 }) == ["/books", "/books/run"])
        #expect(folders(user.merging(["DAYBOOK_HOME": "", "DAYBOOK_RUNTIME": "/r"]) { $1 }) == [usual, "/r"])
        #expect(folders(["XDG_RUNTIME_DIR": "/run/user/7"]) == nil)
    }
}
