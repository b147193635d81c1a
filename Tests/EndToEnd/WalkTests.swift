import Client
import Messages
import Support
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct WalkTests {
    @Test func manyFirstWalksAtOnceMakeOneDog() async throws {
        try await withDaybook(.walks) { daybook in
            let clients = try (0..<5).map { _ in try daybook.client(timeout: .seconds(10)) }
            let replies = try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        // Case and accents aside it is one name.
                        let name = ["Zoé", "zoe", "ZOÉ", "Zoe\u{301}"][number % 4]
                        return try await clients[number % 5].send(AddWalk(dogs: [name], start: .now())).value
                    }
                }
                return try await group.reduce(into: [AddWalk.Reply]()) { $0.append($1) }
            }
            #expect(replies.flatMap(\.made).count == 1)
            let dogs = try await daybook.client.all(Dog.self)
            #expect(dogs.count == 1)
            let walks = try await daybook.client.all(Walk.self)
            #expect(walks.map(\.number) == Array(1...20))
            #expect(Set(walks.flatMap(\.dogs).map(\.dog)) == [dogs[0].id])
        }
    }

    @Test func aDogTakesItsWalksWithItAndLeavesThoseOfOthers() async throws {
        try await withDaybook(.walks) { daybook in
            let client = daybook.client
            let rex = try await client.send(AddWalk(dogs: ["Rex"], start: .now())).value
            let slip = try await client.send(AddWalk(dogs: ["Rax"], start: .now())).value
            #expect(slip.made == [AddWalk.MadeDog(name: "Rax", near: ["Rex"])])
            let both = try await client.send(AddWalk(dogs: ["rex", "RAX"], start: .now())).value
            #expect(both.made.isEmpty && both.walk.dogs.map(\.dogName) == ["Rex", "Rax"])
            _ = try await client.send(Delete<Dog>(id: rex.walk.dogs[0].dog))
            let walks = try await client.all(Walk.self)
            #expect(walks.map(\.id) == [slip.walk.id, both.walk.id])
            #expect(walks.map { $0.dogs.map(\.dogName) } == [["Rax"], ["Rax"]])
            let parts = try await client.send(List<ListedPart<WalkDog>>(sort: [SortKey("id")])).value.rows
            #expect(Set(parts.map(\.owner)) == [slip.walk.id, both.walk.id])
            _ = try await client.send(Delete<Walk>(id: slip.walk.id))
            #expect(try await client.refusal(of: Delete<Walk>(id: slip.walk.id)).status == .gone)
        }
    }

    /// Whether a walk could be started; false where a dog was on another one.
    private static func starts(_ dogs: [String], _ client: DaybookClient) async throws -> Bool {
        do throws(ClientError) {
            _ = try await client.send(AddWalk(dogs: dogs, start: .now(), running: true))
            return true
        } catch {
            guard case .refused(_, .conflict, let body) = error else { throw error }
            #expect(body.message.hasPrefix("'Rex' is on a walk already, number 1 since "))
            return false
        }
    }

    @Test func aDogIsOnOneRunningWalkHoweverManyStartOne() async throws {
        try await withDaybook(.walks) { daybook in
            let clients = try (0..<4).map { _ in try daybook.client(timeout: .seconds(10)) }
            let started = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<12 {
                    group.addTask { try await Self.starts(["Rex", "Dog \(number)"], clients[number % 4]) }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(started == 1)
            // What was refused made no dogs either.
            #expect(try await daybook.client.all(Dog.self).count == 2)
        }
    }

    @Test func aWalkIsStartedStoppedAndListedWithItsDogs() async throws {
        try await withDaybook(.walks) { daybook in
            let none = try await daybook.run("walks", "stop")
            #expect(none.code == 2 && none.error.contains("No walk goes on"))
            let started = try await daybook.run("walks", "start", "Rex", "Frieda", "--at", "2024-03-31 18:05")
            #expect(started.code == 0 && started.error.contains("Made the dog 'Frieda'."))
            let twice = try await daybook.run("walks", "start", "frieda")
            #expect(twice.error.contains("'Frieda' is on a walk already, number 1 since 2024-03-31T18:05:00Z"))
            #expect(try await daybook.run("walks", "start", "Fido", "--at", "2024-03-31 18:00").code == 0)
            let which = try await daybook.run("walks", "stop")
            #expect(which.code == 2 && which.error.contains("Rex, Frieda (1); Fido (2)"))
            #expect(try await daybook.run("walks", "list", "--running", "--quiet").lines.count == 2)
            let stopped = try await daybook.run("walks", "stop", "Rex", "--at", "2024-03-31 18:50", "--format", "json")
            #expect(stopped.text.contains("\"minutes\": 45"), "\(stopped)")
            let again = try await daybook.run("walks", "stop", "1")
            #expect(again.code == 2 && again.error.contains("Walk 1 doesn't go on"))
            let early = try await daybook.run("walks", "stop", "Fido", "--at", "2024-03-31 17:00")
            #expect(early.error.contains("ends before it starts"))
            #expect(try await daybook.run("walks", "edit", "1", "--dog", "Frieda", "--note", "by the lake").code == 0)
            let listed = try await daybook.run("walks", "list", "--dog", "Frieda", "--period", "2024-03-31")
            #expect(listed.lines.first == "Frieda" && listed.lines.last?.hasSuffix("  45 min  by the lake") == true)
            #expect(try await daybook.run("walks", "list", "--dog", "Rex").text.isEmpty)
            #expect(try await daybook.run("walks", "list", "--to", "2024-03-30").text.isEmpty)
        }
    }

    @Test func anOwnerIsKnownRenamedAndForgotten() async throws {
        try await withDaybook(.catalog, .walks) { daybook in
            let client = daybook.client
            var ann = try await client.send(Put(Customer(name: "Ann Berg"))).value
            #expect(try await daybook.run("dogs", "add", "Rex", "--owner", "Ann Berg").code == 0)
            let words = ["dogs", "list", "--owner", "ann", "--fields", "name,owner", "--format", "csv"]
            let listed = try await daybook.run(bytes: words.map { Array($0.utf8) })
            #expect(listed.lines == ["name,owner", "Rex,Ann Berg"])
            let stranger = try await client.refusal(of: Put(Dog(name: "Max", owner: .make())))
            #expect(stranger.status == .invalid && stranger.body.field == "owner")
            ann.name = "Ann Lind"
            let renamed = try await client.send(Put(ann)).positions
            let dogs = try await client.all(Dog.self, after: renamed)
            #expect(dogs.map(\.ownerName) == ["Ann Lind"] && dogs.map(\.version) == [1])
            let deleted = try await client.send(Delete<Customer>(id: ann.id, force: true)).positions
            let left = try await client.all(Dog.self, after: deleted)
            #expect(left.map(\.owner) == [nil] && left.map(\.ownerName) == [nil])
        }
    }
}
