import CBOR
import Testing

/// Sixteen bytes that write themselves.
struct Identity: Hashable, Codable, CBORDirect {
    var bytes: [UInt8]

    init(_ byte: UInt8) { bytes = [UInt8](repeating: byte, count: 16) }
    func encode(into writer: inout CBORWriter) { writer.byteString(bytes) }

    init(from reader: inout CBORReader) throws(CBORError) {
        bytes = try reader.byteString()
        guard bytes.count == 16 else { throw .invalidValue(path: "", reason: "not 16 bytes") }
    }
}

struct Line: Hashable, Codable {
    var service: String
    var sum: Int
    var note: String?
    var done: Bool
}

struct Order: Hashable, Codable {
    enum State: String, Codable { case open, paid }
    enum Event: Hashable, Codable {
        case created
        case moved(from: Int, to: Int)
        case noted(String)
    }
    var id: Identity
    var previous: Identity?
    var others: [Identity]
    var state: State
    var events: [Event]
    var lines: [Line]
    var labels: [String: [Line?]]
    var weight: Double
    var small: Float
    var tiny: Int8
    var blob: [UInt8]
    var payload: EncodedCBOR
    var tree: CBORValue
    var marks: Set<Int>
    var nothing: Nothing
    struct Nothing: Hashable, Codable {}

    static let example = Order(
        id: Identity(1),
        previous: nil,
        others: [Identity(2), Identity(3)],
        state: .paid,
        events: [.created, .moved(from: 1, to: -2), .noted("é")],
        lines: [
            Line(service: "Bath", sum: 1_250, note: nil, done: true),
            Line(service: "", sum: -1, note: "x", done: false),
        ],
        labels: ["b": [nil, Line(service: "s", sum: 0, note: nil, done: false)], "a": []],
        weight: 1.5,
        small: 0.1,
        tiny: -128,
        blob: [0, 255],
        payload: EncodedCBOR(trusted: bytes("a16161f6")),
        tree: .array([.null, .text("t")]),
        marks: [5],
        nothing: Nothing()
    )
}

struct Book: Codable { var rows: [Row] }
struct Row: Codable { var sum: Int8 }

struct CodableTests {
    @Test func writesTheWorkedExample() throws {
        let line = Line(service: "Bath", sum: 1_250, note: nil, done: true)
        let expected = bytes("a3 67 73657276696365 64 42617468 63 73756d 19 04e2 64 646f6e65 f5")
        #expect(try CBOREncoder().encode(line) == expected)
        #expect(try CBORDecoder().decode(Line.self, from: expected) == line)
    }

    @Test func readsBackWhatItWrote() throws {
        let encoded = try CBOREncoder().encode(Order.example)
        #expect(try CBORDecoder().decode(Order.self, from: encoded) == .example)
        #expect(
            try CBORDecoder(profile: .rfc8949).decode([Order?].self, from: [0x82, 0xf6] + encoded) == [nil, .example]
        )
        let value = try CBORValue(decoding: encoded)
        #expect(value["payload"]?["a"] == .null)
        #expect(value["others"] == .array([.bytes(Identity(2).bytes), .bytes(Identity(3).bytes)]))
        #expect(value["nothing"] == .map([]))
        #expect(value["previous"] == nil)
    }

    @Test func readsKeysInAnyOrderAndIgnoresUnknownOnes() throws {
        let input = bytes(
            "a5 6178 82 a1 6161 00 80 64 646f6e65 f5 63 73756d 19 04e2 67 73657276696365 64 42617468 6179 f6"
        )
        #expect(
            try CBORDecoder().decode(Line.self, from: input)
                == Line(service: "Bath", sum: 1_250, note: nil, done: true)
        )
        var broken = input
        broken[5] = 0x61
        broken[6] = 0xff
        #expect(throws: CBORError.self) { try CBORDecoder().decode(Line.self, from: broken) }
    }

    @Test func readsIndefiniteLengthsAndTagsLikeOthers() throws {
        let input = bytes(
            "9f bf 67 73657276696365 7f 62 4261 62 7468 ff 7f 61 73 62 756d ff c1 19 04e2 6178 9f 9f ff ff 64 646f6e65 f5 ff ff"
        )
        #expect(
            try CBORDecoder(profile: .rfc8949).decode([Line].self, from: input)
                == [Line(service: "Bath", sum: 1_250, note: nil, done: true)]
        )
    }

    @Test func tellsThePathOfWhatIsWrong() throws {
        func refused(_ hex: String) -> CBORError? {
            do {
                _ = try CBORDecoder().decode(Book.self, from: bytes(hex))
                return nil
            } catch { return error }
        }
        #expect(refused("a1 64 726f7773 82 a1 63 73756d 00 a0") == .missingKey(path: "rows[1].sum"))
        #expect(
            refused("a1 64 726f7773 81 a1 63 73756d 1880")
                == .outOfRange(path: "rows[0].sum", value: "128", type: "Int8")
        )
        #expect(
            refused("a1 64 726f7773 81 a1 63 73756d f6")
                == .typeMismatch(path: "rows[0].sum", expected: "an integer", found: "null")
        )
        #expect(refused("80") == .typeMismatch(path: "", expected: "a map", found: "an array"))
    }

    @Test func turnsForeignErrorsIntoItsOwn() {
        #expect(throws: CBORError.self) { try CBORDecoder().decode(Order.State.self, from: bytes("6161")) }
        do {
            _ = try CBORDecoder().decode([Order.State].self, from: bytes("816161"))
        } catch CBORError.invalidValue(let path, _) {
            #expect(path == "[0]")
        } catch { Issue.record(error) }
    }

    class Animal: Codable {
        var name = "Rex"
        init() {}
    }

    final class Dog: Animal {
        var age = 3
        var sibling: [String] = ["Ada"]
        private enum CodingKeys: CodingKey { case age, sibling }
        let sharesMap: Bool
        init(sharesMap: Bool) {
            self.sharesMap = sharesMap
            super.init()
        }
        required init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            age = try map.decode(Int.self, forKey: .age)
            sharesMap = try decoder.container(keyedBy: FormTests.Name.self).allKeys.contains {
                $0.stringValue == "name"
            }
            try super.init(from: sharesMap ? decoder : map.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: CodingKeys.self)
            try map.encode(age, forKey: .age)
            try super.encode(to: sharesMap ? encoder : map.superEncoder())
            var list = map.nestedUnkeyedContainer(forKey: .sibling)
            for name in sibling { try list.encode(name) }
        }
    }

    @Test(arguments: [
        (true, #"{"age": 3, "name": "Rex", "sibling": ["Ada"]}"#),
        (false, #"{"age": 3, "super": {"name": "Rex"}, "sibling": ["Ada"]}"#),
    ])
    func letsASuperclassShareTheMapOrHaveItsOwn(sharesMap: Bool, expected: String) throws {
        let encoded = try CBOREncoder().encode(Dog(sharesMap: sharesMap))
        #expect("\(try CBORValue(decoding: encoded))" == expected)
        let dog = try CBORDecoder().decode(Dog.self, from: encoded)
        #expect(dog.name == "Rex" && dog.age == 3 && dog.sharesMap == sharesMap)
    }

    @Test func refusesContainersUsedInTurns() {
        struct Turns: Encodable {
            func encode(to encoder: any Encoder) throws {
                var array = encoder.unkeyedContainer()
                var first = array.nestedUnkeyedContainer()
                try array.encode(1)
                try first.encode(2)
            }
        }
        #expect(throws: CBORError.self) { try CBOREncoder().encode(Turns()) }
    }

    @Test func refusesACycleAndLeavesTheWriterAsItWas() {
        final class Node: Encodable {
            var next: [Node] = []
        }
        let node = Node()
        node.next = [node]
        defer { node.next = [] }
        var writer = CBORWriter()
        writer.null()
        #expect(throws: CBORError.tooDeep(maximum: 32)) { try CBOREncoder().encode(node, into: &writer) }
        #expect(writer.bytes == [0xf6])
    }

    @Test func readsNothingOnceDecodingIsOver() throws {
        struct Keeper: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) { self.decoder = decoder }
        }
        let keeper = try CBORDecoder().decode(Keeper.self, from: bytes("6161"))
        #expect(throws: CBORError.truncated(offset: 0)) { try String(from: keeper.decoder) }
    }
}
