import Client
import Messages
import Support
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct WalkTests {
    @Test func manyFirstWalksAtOnceMakeOneDog() async throws {
        try await withDaybook(.walks) { daybook in
            let clients = try (0..<5).map { _ in try daybook.client(timeout: .seconds(10)) }
            let replies = try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        // Case and accents aside it is one name.
                        let name = ["Zoé", "zoe", "ZOÉ", "Zoe\u{301}"][number % 4]
                        return try await clients[number % 5].send(AddWalk(dogName: name, time: .now())).value
                    }
                }
                return try await group.reduce(into: [AddWalk.Reply]()) { $0.append($1) }
            }
            #expect(replies.filter(\.dogCreated).count == 1)
            let dogs = try await daybook.client.all(Dog.self)
            #expect(dogs.count == 1)
            let walks = try await daybook.client.all(Walk.self)
            #expect(walks.map(\.number) == Array(1...20))
            #expect(Set(walks.map(\.dog)) == [dogs[0].id])
        }
    }

    @Test func aDogTakesItsWalksWithIt() async throws {
        try await withDaybook(.walks) { daybook in
            let client = daybook.client
            let rex = try await client.send(AddWalk(dogName: "Rex", time: .now())).value
            let slip = try await client.send(AddWalk(dogName: "Rax", time: .now())).value
            #expect(slip.dogCreated && slip.near == ["Rex"])
            _ = try await client.send(AddWalk(dogName: "rex", time: .now()))
            _ = try await client.send(Delete<Dog>(id: rex.walk.dog))
            #expect(try await client.all(Walk.self).map(\.id) == [slip.walk.id])
            _ = try await client.send(Delete<Walk>(id: slip.walk.id))
            #expect(try await client.refusal(of: Delete<Walk>(id: slip.walk.id)).status == .gone)
        }
    }
}
