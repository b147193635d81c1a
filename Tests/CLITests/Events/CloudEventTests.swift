import CBOR
import Client
import JSON
import Messages
import Testing

@testable import CLI

struct CloudEventTests {
    private let epoch = Identifier("01a22bf8-51b3-72e6-a5d0-07e091b7a03b")
    private let subject = Identifier(high: 0x018e_95c2_4f00_7a31, low: 0x9c2e_5b0d_8f1a_6e00)

    private func event(_ type: String, data: CBORValue?, before: CBORValue?) -> Event {
        Event(
            sequence: 9_007_199_254_740_993,
            previous: 2,
            transaction: 7,
            last: true,
            type: type,
            subject: subject,
            time: Instant(microseconds: 1_711_908_309_000_000),
            version: 3,
            data: data.map { EncodedCBOR(trusted: $0.encoded()) },
            before: before.map { EncodedCBOR(trusted: $0.encoded()) },
            principal: "ann",
            cause: "catalog:33",
            traceparent: nil
        )
    }

    @Test func hasTheAttributesOfCloudEvents() throws {
        let record = CBORValue.map([.init(.text("id"), .bytes(subject.bytes)), .init(.text("number"), .unsigned(12))])
        let cloud = CloudEvent(event("order.updated", data: record, before: .map([])), of: .orders, epoch: epoch)
        #expect(
            cloud.json == """
                {"specversion":"1.0","id":"01a22bf8-51b3-72e6-a5d0-07e091b7a03b:9007199254740993",\
                "source":"daybook/orders","type":"order.updated","time":"2024-03-31T18:05:09Z",\
                "datacontenttype":"application/json","subject":"\(subject)","position":"orders:9007199254740993",\
                "transaction":"7","last":true,"recordversion":3,"principal":"ann","cause":"catalog:33",\
                "data":{"record":{"id":"\(subject)","number":12},"before":{}}}
                """
        )
    }

    /// CloudEvents 1.0: names are lower-case letters and digits, integers have 32 bits.
    @Test func itsAttributesAreOfTheKindsThatCloudEventsHas() throws {
        for json in [
            CloudEvent(event("order.deleted", data: nil, before: .map([])), of: .orders, epoch: epoch).json,
            CloudEvent(.diverged, of: .orders, behind: EventPosition(epoch: epoch, sequence: 4), time: .now()).json,
        ] {
            guard case .object(let members) = try JSONReader.value(of: Array(json.utf8)) else {
                return #expect(Bool(false))
            }
            for member in members where member.key != "data" {
                #expect(member.key.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 })
                switch member.value {
                case .string(let text): #expect(!text.isEmpty)
                case .number(let text): #expect(Int32(text) != nil)
                case .boolean: break
                default: Issue.record("\(member.key) is no attribute's value")
                }
            }
        }
    }

    @Test func aResyncHasItsReasonAndAnIdOfItsOwn() {
        let place = EventPosition(epoch: epoch, sequence: 4)
        let cloud = CloudEvent(.compacted, of: .orders, behind: place, time: Instant(microseconds: 0))
        #expect(cloud.id == "01a22bf8-51b3-72e6-a5d0-07e091b7a03b:4:resync")
        #expect(cloud.position == "orders:4")
        #expect(cloud.json.hasSuffix(#""position":"orders:4","data":{"reason":"compacted"}}"#))
    }

    @Test(
        arguments: [
            (.unsigned(.max), "18446744073709551615"), (.negative(.max), "-18446744073709551616"),
            (.double(1.5), "1.5"), (.double(.nan), "null"), (.double(-.infinity), "null"), (.undefined, "null"),
            (.simple(99), "null"), (.bool(true), "true"), (.text("a\"\u{1}é\n"), #""a\"\u0001é\n""#),
            (.bytes([]), #""""#), (.bytes([0xFF]), #""_w""#), (.bytes([0xFB, 0xEF]), #""--8""#),
            (.bytes([1, 2, 3]), #""AQID""#), (.array([.null, .array([])]), "[null,[]]"),
            (.tagged(0, .text("2024-03-31")), #""2024-03-31""#),
            (.map([.init(.unsigned(1), .map([])), .init(.text("b"), .unsigned(2))]), #"{"1":{},"b":2}"#),
            (.bytes(Array(0..<16)), #""00010203-0405-0607-0809-0a0b0c0d0e0f""#),
        ] as [(CBORValue, String)]
    )
    func mapsEveryValueToJSON(value: CBORValue, json: String) {
        #expect(GenericJSON.text(value) == json)
    }

    @Test func saysFromWhatToWhat() {
        let money = CBORValue.map([.init(.text("amount"), .unsigned(1250)), .init(.text("currency"), .text("EUR"))])
        let long = String(repeating: "x", count: 100)
        let record = CBORValue.map([
            .init(.text("version"), .unsigned(3)), .init(.text("price"), money), .init(.text("paid"), .bool(true)),
        ])
        let before = CBORValue.map([
            .init(.text("paid"), .bool(false)), .init(.text("price"), .null), .init(.text("info"), .text(long)),
        ])
        let changes = FieldChange.all(of: event("order.updated", data: record, before: before)).map(\.text)
        #expect(changes == ["paid: false → true", "price: – → 12.50 EUR", "info: \(long.prefix(59))… → –"])
        #expect(
            FieldChange.all(of: event("order.created", data: record, before: nil)).map(\.text)
                == ["price: – → 12.50 EUR", "paid: – → true"]
        )
    }

    @Test func keepsATerminalSafe() {
        let before = CBORValue.map([.init(.text("name"), .text("\u{1B}[2J"))])
        let changes = FieldChange.all(of: event("customer.deleted", data: nil, before: before))
        #expect(changes.allSatisfy { !$0.text.contains("\u{1B}") })
    }
}
