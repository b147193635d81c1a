import CBOR
import LiveList
import Messages
import Testing

@testable import CLI

/// What `--watch` prints.
struct WatchTests {
    private var list = LiveList(id: .make(), rows: [])
    private var results: FetchedResults<Dog>

    init() throws {
        results = try FetchedResults(list.snapshot.reply(topic: ""))
    }

    private func dog(_ number: UInt64, _ name: String) -> Dog {
        var dog = Dog(name: name)
        dog.id = Identifier(high: 0x018e_95c2_4f00_7a31, low: 0x9c2e_5b0d_8f1a_6e00 + number)
        dog.version = 1
        return dog
    }

    private func row(_ dog: Dog) throws -> ListRow {
        var order = OrderKey()
        order.add(text: dog.name)
        return ListRow(id: dog.id, order: order, row: try EncodedCBOR(encoding: dog))
    }

    private mutating func step(_ changes: ListChange...) throws -> WatchedList<Dog>.Step {
        let batch = list.apply(changes)
        let some = try #require(batch)
        try results.apply(some)
        return .batch(some, results)
    }

    @Test mutating func jsonLinesTellSnapshotBatchesAndResyncs() throws {
        let capture = try Capture()
        let lines = WatchLines(fields: try Noun.dog.selected(["name"]), output: capture.output)
        try lines.print(.snapshot(results))
        #expect(try capture.text() == #"{"snapshot":{"sections":[]},"number":0}"# + "\n")
        let (rex, ada) = (dog(1, "Rex"), dog(2, "Ada"))
        try lines.print(try step(.put(row(rex)), .put(row(ada))))
        #expect(
            try capture.text()
                == #"{"batch":{"sections":{"delete":[],"insert":[{"at":0,"key":null}]},"delete":[],"insert":["#
                + #"{"to":[0,0],"row":{"name":"Ada"}},{"to":[0,1],"row":{"name":"Rex"}}],"move":[],"update":[]},"#
                + #""base":0,"number":1}"# + "\n"
        )
        try lines.print(.snapshot(results))
        #expect(
            try capture.text()
                == #"{"snapshot":{"sections":[{"key":null,"rows":[{"name":"Ada"},{"name":"Rex"}]}]},"number":1}"# + "\n"
        )
        var older = ada
        older.version = 2
        try lines.print(try step(.put(row(older))))
        #expect(
            try capture.text()
                == #"{"batch":{"sections":{"delete":[],"insert":[]},"delete":[],"insert":[],"move":[],"update":["#
                + #"{"from":[0,0],"to":[0,0],"row":{"name":"Ada"}}]},"base":1,"number":2}"# + "\n"
        )
        try lines.print(try step(.put(row(dog(2, "Zoe")))))
        #expect(
            try capture.text()
                == #"{"batch":{"sections":{"delete":[],"insert":[]},"delete":[],"insert":[],"move":["#
                + #"{"from":[0,0],"to":[0,1],"row":{"name":"Zoe"}}],"update":[]},"base":2,"number":3}"# + "\n"
        )
        try lines.print(try step(.remove(rex.id), .remove(ada.id)))
        #expect(
            try capture.text()
                == #"{"batch":{"sections":{"delete":[0],"insert":[]},"delete":[[0,0],[0,1]],"insert":[],"move":[],"#
                + #""update":[]},"base":3,"number":4}"# + "\n"
        )
        try lines.print(.resync("restart \""))
        #expect(try capture.text() == #"{"resync":"restart \""}"# + "\n")
    }

    /// The screen shows what the list verb prints, whatever the form.
    @Test(arguments: [0, 1, 5, 1000, 1001, 1500], [nil, ["name", "id"]])
    func theTableIsTheListsTable(_ count: Int, _ fields: [String]?) throws {
        let dogs = (0..<count).map { dog(UInt64($0 * 7919), $0 % 3 == 0 ? "A long name \($0)" : "Rex") }
        let style = Style(usesColour: true, columns: 30)
        let capture = try Capture(style: style)
        var writer = TableWriter(
            fields: try Noun.dog.selected(fields).filter { fields != nil || $0.declaration.isInTable },
            output: capture.output,
            cells: CellText(instant: \.description)
        )
        for dog in dogs.prefix(1001) { try writer.write(dog) }
        try writer.finish()
        let printed = try capture.text().split(separator: "\n").map(String.init)
        let table = WatchTable(.dog, capture.presentation(fields: fields), columns: 30)
        let shown = table.lines([dogs], most: 500)
        #expect(shown.map(\.text) == Array(printed.prefix(500)))
        #expect(shown.dropFirst().map(\.row?.id) == dogs.prefix(499).map(\.id))
    }

    @Test func headingsStandOverTheirRows() throws {
        let capture = try Capture()
        var noun = Noun.dog
        noun.lines = Lines(section: { String($0.name.prefix(1)) }, line: \.name)
        let dogs = [dog(1, "Ada"), dog(2, "Asa"), dog(3, "Rex")]
        let lines = WatchTable(noun, capture.presentation(), columns: 80).lines([dogs], most: 10)
        #expect(lines.map(\.text) == ["A", "Ada", "Asa", "R", "Rex"])
        #expect(lines.map { $0.row?.name } == [nil, "Ada", "Asa", nil, "Rex"])
        try capture.presentation().list(dogs, of: noun)
        #expect(try capture.text() == lines.map { $0.text + "\n" }.joined())
    }
}
