import Client
import Messages
import Testing

@testable import CLI

/// Adding, editing and deleting, and the same command line again with the same key.
struct CustomerChangesTests {
    private let key = Identifier("018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47")!
    private let ann = Customer(id: .make(), version: 1, name: "Ann Berg", phone: "1")
    private let kim = Customer(id: .make(), version: 1, name: "Kim Lind")

    private func edit(name: String? = nil, phone: String? = nil) -> RecordEdit<Customer> {
        var edit = RecordEdit<Customer>()
        edit.set("name", \.name, name)
        edit.set("phone", \.phone, phone)
        return edit
    }

    @Test func printsWhatWasAddedAsShowDoes() async throws {
        let (shelf, capture) = (Shelf(), try Capture())
        let daybook = try Invocation(shelf, capture.presentation())
        try await daybook.add(
            Customer(id: .made(by: key), name: "Ann Berg"),
            edit(phone: " 1 "),
            of: .customer,
            key: key
        )
        let added = try capture.text()
        #expect(added.hasSuffix("\nName:     Ann Berg\nPhone:    1\nVersion:  1\n"))
        try await daybook.show("ann", of: .customer)
        #expect(try capture.text() == added)
    }

    @Test func addsOnceUnderOneKey() async throws {
        let (shelf, capture) = (Shelf(), try Capture())
        let daybook = try Invocation(shelf, capture.presentation(isQuiet: true))
        var printed: [String] = []
        for _ in 0..<2 {
            let blank = Customer(id: .made(by: key), name: "Ann Berg")
            try await daybook.add(blank, RecordEdit(), of: .customer, key: key)
            printed.append(try capture.text())
        }
        #expect(printed[0] == printed[1])
        #expect(printed[0] == "\(Identifier.made(by: key))\n")
        #expect(shelf.customers.count == 1)
    }

    @Test func repeatsARenameThoughTheNameIsGone() async throws {
        let (shelf, capture) = (Shelf([ann, kim]), try Capture())
        let daybook = try Invocation(shelf, capture.presentation())
        let rename = edit(name: "Ann Lind")
        try await daybook.edit("Ann Berg", rename, of: .customer, basedOn: nil, key: key)
        let first = try capture.text()
        shelf.change("Ann Lind") { $0.phone = "2" }
        try await daybook.edit("Ann Berg", rename, of: .customer, basedOn: nil, key: key)
        #expect(try capture.text() == first)
        #expect(shelf.customers.first?.phone == "2")
    }

    @Test func repeatsAnEditThoughTheRecordChangedSince() async throws {
        let (shelf, capture) = (Shelf([ann]), try Capture())
        let daybook = try Invocation(shelf, capture.presentation())
        try await daybook.edit("ann", edit(phone: "3"), of: .customer, basedOn: nil, key: key)
        let first = try capture.text()
        shelf.change("Ann Berg") { $0.phone = "4" }
        try await daybook.edit("ann", edit(phone: "3"), of: .customer, basedOn: nil, key: key)
        #expect(try capture.text() == first)
        #expect(shelf.customers[0].phone == "4")
    }

    @Test func refusesAKeyThatMeantAnotherEdit() async throws {
        let (shelf, capture) = (Shelf([ann]), try Capture())
        let daybook = try Invocation(shelf, capture.presentation())
        try await daybook.edit("ann", edit(phone: "3"), of: .customer, basedOn: nil, key: key)
        let error = await #expect(throws: CLIError.self) {
            try await daybook.edit("ann", edit(phone: "5"), of: .customer, basedOn: nil, key: key)
        }
        #expect(error?.description == "refused: key-reused")
        #expect(shelf.customers[0].phone == "3")
    }

    @Test func refusesAKeyThatMeantAnotherRecord() async throws {
        let (shelf, capture) = (Shelf([ann, kim]), try Capture())
        let daybook = try Invocation(shelf, capture.presentation())
        try await daybook.edit("ann", edit(phone: "3"), of: .customer, basedOn: nil, key: key)
        await #expect(throws: CLIError.self) {
            try await daybook.edit("kim", edit(phone: "3"), of: .customer, basedOn: nil, key: key)
        }
        let other = Identifier.make()
        try await daybook.delete(["ann"], of: .customer, yes: true, key: other)
        _ = try capture.text()
        await #expect(throws: CLIError.self) {
            try await daybook.delete(["kim"], of: .customer, yes: true, key: other)
        }
        #expect(try capture.text() == "")
        #expect(shelf.customers == [kim])
    }

    /// Given what the version had that the edit is based on, the merge takes the others' value.
    @Test func tellsThatAValueGivenIsNotThere() async throws {
        let (shelf, capture) = (Shelf([ann], merges: true), try Capture())
        shelf.change("Ann Berg") { $0.phone = "2" }
        let daybook = try Invocation(shelf, capture.presentation())
        let error = await #expect(throws: CLIError.self) {
            try await daybook.edit("ann", edit(phone: "1"), of: .customer, basedOn: 1, key: nil)
        }
        #expect(
            error?.description
                == "the customer was changed meanwhile: phone has another value now\n  yours: 1\n  stored: 2"
        )
        #expect(error?.processStatus == .conflict)
        #expect(try capture.text() == "")
    }

    @Test func showsBothValuesOfAConflict() async throws {
        let (shelf, capture) = (Shelf([ann]), try Capture())
        shelf.change("Ann Berg") { $0.phone = "2" }
        let daybook = try Invocation(shelf, capture.presentation())
        let error = await #expect(throws: CLIError.self) {
            try await daybook.edit("ann", edit(phone: "3"), of: .customer, basedOn: 1, key: nil)
        }
        #expect(error?.description == "refused: conflict\n  yours: 3\n  stored: 2")
        #expect(error?.processStatus == .conflict)
    }

    @Test func refusesAnEditOfNothing() async throws {
        let daybook = try Invocation(Shelf([ann]), try Capture().presentation())
        let error = await #expect(throws: CLIError.self) {
            try await daybook.edit("ann", RecordEdit<Customer>(), of: .customer, basedOn: nil, key: nil)
        }
        #expect(error?.processStatus == .usage)
    }

    @Test func saysWhatWasDeletedAndTheSameUnderTheSameKey() async throws {
        let (shelf, capture) = (Shelf([ann, kim]), try Capture())
        let daybook = try Invocation(shelf, capture.presentation())
        let expected = """
            Deleted the customer 'Kim Lind' (\(kim.id.tail(4))).
            Deleted the customer 'Ann Berg' (\(ann.id.tail(4))).

            """
        for _ in 0..<2 {
            try await daybook.delete(["kim", "Ann Berg"], of: .customer, yes: true, key: key)
            #expect(try capture.text() == expected)
        }
        #expect(shelf.customers.isEmpty)
    }

    @Test func deletesNothingWhereOneIsNotFound() async throws {
        let (shelf, capture) = (Shelf([ann, kim]), try Capture())
        let daybook = try Invocation(shelf, capture.presentation())
        await #expect(throws: CLIError.self) {
            try await daybook.delete(["kim", "nobody"], of: .customer, yes: true, key: nil)
        }
        #expect(try capture.text() == "")
        #expect(shelf.customers.count == 2)
    }

    @Test func saysOnlyWhatTheServiceDeleted() async throws {
        let (shelf, capture) = (Shelf([ann, kim], inUse: ["Kim Lind"]), try Capture())
        let daybook = try Invocation(shelf, capture.presentation(.json, fields: ["name"]))
        let error = await #expect(throws: CLIError.self) {
            try await daybook.delete(["ann", "kim"], of: .customer, yes: true, key: nil)
        }
        #expect(error?.processStatus == .failure)
        #expect(try capture.text() == "[\n  {\n    \"name\": \"Ann Berg\"\n  }\n]\n")
        #expect(shelf.customers.map(\.name) == ["Kim Lind"])
        try await daybook.delete(["kim"], of: .customer, yes: true, force: true, key: nil)
        #expect(shelf.customers.isEmpty)
    }
}
