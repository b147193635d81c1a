import Client
import Messages
import Testing
import ZeroMQ

@testable import Service

@Suite struct SurroundingsTests {
    private func surroundings(_ variables: [String: String]) throws -> Surroundings {
        let environment = ["HOME": "/home/ann", "DAYBOOK_RUNTIME": "/r"].merging(variables) { $1 }
        let folders = try #require(ServiceFolders(environment: { environment[$0] }, isFolder: { _ in false }))
        return Surroundings(folders) { environment[$0] }
    }

    private let key = OwnKey(folder: KeyFolder(path: "/keys"), name: "orders")

    @Test func withoutAWordThereAreSocketFilesAlone() throws {
        let surroundings = try surroundings([:])
        #expect(try surroundings.remoteAccess(of: .orders, nil) == nil)
        #expect(try surroundings.remoteAccess(of: .orders, key) == nil)
        #expect(try surroundings.endpoints(of: .catalog) == .ipc(folder: "/r", .catalog))
        #expect(try surroundings.ownKey(of: .orders) == nil)
    }

    @Test func aServiceListensAtItsOwnPortsOrWhereItIsTold() throws {
        let usual = try surroundings(["DAYBOOK_LISTEN": "127.0.0.1"])
        #expect(try usual.remoteAccess(of: .orders, nil)?.endpoints == .tcp(host: "127.0.0.1", .orders))
        let own = try surroundings(["DAYBOOK_LISTEN": "127.0.0.1", "DAYBOOK_ORDERS_LISTEN": "tcp://*:9001"])
        let endpoints = try own.remoteAccess(of: .orders, key)?.endpoints
        #expect(endpoints?.requests == .tcp(host: "*", port: 9001) && endpoints?.events == .tcp(host: "*", port: 9002))
        #expect(throws: StartError.self) { try own.remoteAccess(of: .orders, nil) }
        let foreign = ServiceName(rawValue: "tasks")
        #expect(throws: StartError.self) { try usual.remoteAccess(of: foreign, nil) }
    }

    @Test(arguments: ["0.0.0.0", "*", "::", "10.0.0.1", "fd00::1", "eth0"])
    func whatOthersReachNeedsAKey(_ host: String) throws {
        let surroundings = try surroundings(["DAYBOOK_LISTEN": host])
        let error = #expect(throws: StartError.self) { try surroundings.remoteAccess(of: .orders, nil) }
        #expect(error?.description.contains("'daybook keys new orders --role service'") == true)
        #expect(try surroundings.remoteAccess(of: .orders, key)?.key == key)
    }

    @Test(arguments: ["127.0.0.1", "127.1.2.3", "::1", "localhost"]) func loopbackNeedsNone(_ host: String) throws {
        #expect(try surroundings(["DAYBOOK_LISTEN": host]).remoteAccess(of: .orders, nil) != nil)
    }

    @Test(arguments: ["tcp://127.0.0.1", "127.0.0.1:7401", "a b", "/run"]) func saysWhatIsNoAddress(
        _ host: String
    ) throws {
        let error = #expect(throws: StartError.self) {
            try surroundings(["DAYBOOK_LISTEN": host]).remoteAccess(of: .orders, key)
        }
        #expect(error?.description.hasPrefix("DAYBOOK_LISTEN is ") == true, "\(error?.description ?? "")")
    }

    @Test func othersAreFollowedWhereTheyAreSaidToBe() throws {
        let surroundings = try surroundings(["DAYBOOK_HOST": "books", "DAYBOOK_CATALOG_ENDPOINT": "tcp://cat:9001"])
        #expect(try surroundings.endpoints(of: .catalog).events == .tcp(host: "cat", port: 9002))
        #expect(try surroundings.endpoints(of: .walks) == .tcp(host: "books", .walks))
    }
}
