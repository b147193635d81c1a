import Messages
import Testing

@testable import CLI

/// Erasing a person, and saying what is left of it.
struct EraseTests {
    private let ann = Customer(id: .make(), version: 1, name: "Ann Berg", phone: "1")

    @Test func erasesByNameAndSaysSo() async throws {
        let (shelf, capture) = (Shelf([ann]), try Capture())
        let daybook = try Invocation(shelf, capture.presentation())
        try await daybook.erase(Customer.self, "ann", yes: true, key: nil)
        #expect(try capture.text() == "The customer \(ann.id.tail(4)) is erased.\n")
        #expect(shelf.customers == [Customer(id: ann.id, version: 2, name: "erased")])
        try await daybook.erase(Customer.self, ann.id.description, yes: true, key: nil)
        #expect(try capture.text() == "The customer \(ann.id.tail(4)) was erased before: nothing was left.\n")
    }

    @Test func takesTheIdOfADeletedOneAndNamesTheCopies() async throws {
        let (shelf, capture) = (Shelf(), try Capture())
        let daybook = try Invocation(shelf, capture.presentation())
        try await daybook.erase(Customer.self, ann.id.description, yes: true, key: nil)
        let text = try capture.text()
        #expect(text.hasPrefix("The customer \(ann.id.tail(4)) is erased.\n"))
        #expect(text.hasSuffix("\n  /home/catalog.db.before-2\n"))
    }

    @Test func printsTheSameAsJSON() async throws {
        let (shelf, capture) = (Shelf([ann]), try Capture())
        let daybook = try Invocation(shelf, capture.presentation(.json, fields: ["wasErased", "copies"]))
        try await daybook.erase(Customer.self, "ann", yes: true, key: nil)
        #expect(try capture.text() == "[\n  {\n    \"wasErased\": false,\n    \"copies\": []\n  }\n]\n")
    }

    @Test func erasesNothingUnasked() async throws {
        let (shelf, capture) = (Shelf([ann]), try Capture())
        let daybook = try Invocation(shelf, capture.presentation())
        let error = await #expect(throws: CLIError.self) {
            try await daybook.erase(Customer.self, "ann", yes: false, key: nil)
        }
        #expect(error?.processStatus == .usage)
        #expect(shelf.customers == [ann])
    }
}
