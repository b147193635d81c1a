import CBOR
import LiveList
import Messages
import Testing

@Suite struct WireTests {
    private let row = EncodedCBOR(trusted: [0x01])
    private let id = Identifier(high: 1, low: 2)

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }

    @Test func writesABatchInTheDeclaredOrder() throws {
        var batch = ListBatch(list: id, number: 3, positions: [:], digest: 7)
        batch.sections = .init(delete: [0], insert: [.init(at: 1, key: row)])
        batch.delete = [ListPath(0, 24)]
        batch.insert = [.init(to: ListPath(1, 0), row: row)]
        batch.move = [.init(from: ListPath(0, 1), to: ListPath(0, 2), row: row)]
        batch.update = batch.move
        let bytes = try CBOREncoder().encode(batch)
        let change = "a36466726f6d8200016274" + "6f820002" + "63726f7701"
        let expected =
            "aa646c697374500000000000000001" + "0000000000000002" + "64626173650266" + "6e756d62657203"
            + "69706f736974696f6e73a0" + "6664696765737407"
            + "6873656374696f6e73a26664656c657465810066696e7365727481a262617401636b657901"
            + "6664656c657465818200181866696e7365727481a262746f82010063726f7701"
            + "646d6f766581\(change)" + "667570646174" + "6581\(change)"
        #expect(hexadecimal(bytes) == expected)
        #expect(try CBORDecoder().decode(ListBatch.self, from: bytes) == batch)
        #expect(hexadecimal(try CBOREncoder().encode(batch.asReset)).hasSuffix("65726573657" + "4f5"))
    }

    @Test(arguments: ["8100", "820020", "83000000", "82f600", "8200f5"])
    func refusesWhatIsNoPath(text: String) {
        let digits = Array(text)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        #expect(throws: CBORError.self) { try ListPath(decoding: bytes) }
    }

    @Test func roundTripsQueries() throws {
        let queries = [
            ListQuery(.entity("order")),
            ListQuery(
                .report("unpaid"),
                filter: .and([.equal("paid", .boolean(false)), .contains("customer.name", "ö")]),
                sort: [SortKey("date", descending: true), SortKey("customer.name")],
                section: .init("date", by: .month, descending: true),
                window: ListWindow(offset: 20, limit: 10)
            ),
        ]
        for query in queries {
            let bytes = try CBOREncoder().encode(OpenList(query))
            #expect(try CBORDecoder().decode(OpenList.self, from: bytes).query == query)
        }
    }

    @Test func bringsEqualQueriesToOneForm() {
        let plain = ListQuery(.entity("order"), sort: [SortKey("date")], section: .init("paid"))
        let spelled = ListQuery(
            .entity("order"),
            sort: [SortKey("date", descending: false)],
            section: .init("paid", descending: false),
            window: ListWindow(offset: 0)
        )
        #expect(plain != spelled && plain.normalized == spelled.normalized)
        #expect(ListQuery(.entity("order"), sort: []).normalized == ListQuery(.entity("order")))
    }

    @Test func refusesQueriesOfNothingOfBothAndBelowZero() {
        let queries: [CBORValue] = [
            .map([]),
            .map([.init(.text("entity"), .text("order")), .init(.text("report"), .text("unpaid"))]),
            .map([
                .init(.text("entity"), .text("order")),
                .init(.text("window"), .map([.init(.text("limit"), .negative(0))])),
            ]),
        ]
        for query in queries {
            #expect(throws: CBORError.self) { try CBORDecoder().decode(ListQuery.self, from: query.encoded()) }
        }
    }

    @Test func namesATopicOfFewBytes() {
        let topic = Topic.list(.reporting, query: Array("abc".utf8))
        #expect(topic == "=reporting/f26ab914132f2594")
        #expect(Topic.list(ServiceName(rawValue: String(repeating: "a", count: 45)), query: []).utf8.count < 64)
    }

    private func longReply() -> OpenList.Reply {
        let query = SampleQuery(isSectioned: true)
        let rows = (0..<200).map { query.row(Sample($0, group: $0 / 30, rank: $0)) }
        return LiveList(id: id, rows: rows).snapshot.reply(topic: "=orders/0123456789abcdef")
    }

    private func joined(_ parts: [OpenList.Reply]) throws -> OpenList.Reply {
        var joined = try #require(parts.first)
        for part in parts.dropFirst() { joined.append(part) }
        return joined
    }

    @Test(arguments: [250, 300, 1000, 1 << 20])
    func cutsAReplyByBytesAndPutsItTogether(mostBytes: Int) throws {
        let reply = longReply()
        let parts = reply.frames(ofBytes: mostBytes)
        for part in parts {
            #expect(try CBOREncoder().encode(part).count <= mostBytes)
            #expect(part.sections.allSatisfy { !$0.rows.isEmpty } && !part.sections.isEmpty)
        }
        let whole = try joined(parts)
        #expect(whole == reply)
        #expect(try FetchedResults<EncodedCBOR>(whole).count == 200)
        #expect((parts.count == 1) == (mostBytes > 100_000))
    }

    @Test(arguments: [1, 7, 30, 199, 200, 500])
    func cutsAReplyByRowsAndPutsItTogether(rows: Int) throws {
        let reply = longReply()
        let parts = reply.frames(ofRows: rows)
        #expect(parts.count == (199 + rows) / rows)
        #expect(try joined(parts) == reply)
    }

    @Test func givesARowThatIsTooLargeAPartOfItsOwn() throws {
        let reply = longReply()
        #expect(reply.frames(ofBytes: 1).count == 200)
        #expect(try joined(reply.frames(ofBytes: 1)) == reply)
        var empty = reply
        empty.sections = []
        #expect(empty.frames(ofBytes: 100) == [empty] && empty.frames(ofRows: 10) == [empty])
    }
}
