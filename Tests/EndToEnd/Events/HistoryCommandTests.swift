import Client
import Messages
import Support
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct HistoryCommandTests {
    @Test func showsWhatChangedFromWhatToWhat() async throws {
        try await withDaybook(.catalog) { daybook in
            let key = Identifier.make()
            var ada = try await daybook.client.send(Put(Customer(name: "Ada", phone: "1"))).value
            ada.phone = "2"
            ada.email = "ada@example.org"
            ada = try await daybook.client.send(Put(ada), key: key).value
            let text = try await daybook.run("history", "customers", "Ada")
            #expect(text.code == 0)
            #expect(text.lines.count == 6)
            #expect(text.lines[0].contains("  customer.updated  catalog:2  "))
            #expect(text.lines[0].hasSuffix("key \(key)"))
            #expect(Set(text.lines[1...2]) == ["  phone: 1 → 2", "  email: – → ada@example.org"])
            #expect(text.lines[3].contains("  customer.created  catalog:1  "))
            let json = try await daybook.run("history", "customer", "Ada", "--limit", "1", "--format", "jsonl")
            #expect(json.lines.count == 1)
            #expect(json.text.contains(#"{"field":"phone","from":"1","to":"2"}"#))
            #expect(json.text.contains(#""key":"\#(key)""#))
        }
    }

    @Test func aDeletedRecordHasAHistoryAndAnUnknownOneHasNone() async throws {
        try await withDaybook(.catalog) { daybook in
            let ada = try await daybook.client.send(Put(Customer(name: "Ada"))).value
            _ = try await daybook.client.send(Delete<Customer>(id: ada.id, force: true))
            let text = try await daybook.run("history", "customers", ada.id.description)
            #expect(text.lines[0].contains("customer.deleted"))
            #expect(text.lines[1] == "  name: Ada → –")
            let none = try await daybook.run("history", "customers", Identifier.make().description)
            #expect(none.code == 1)
            #expect(none.error.hasPrefix("Error: No customer "))
            #expect(try await daybook.run("history", "custmers", "Ada").code == 2)
        }
    }
}
