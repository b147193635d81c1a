import CBOR
import Messages
import Support
import Testing

/// The shorter way of the messages that have one gives what `Codable` gives, for right bytes and for wrong ones.
struct ShortcutTests {
    @Test(arguments: Golden.messages)
    func bothWaysReadAndWriteTheSame(_ message: Golden) throws {
        let golden = try message.encode()
        expectEqual(message, golden)
        var random = Seeded(9)
        let value = try CBORValue(decoding: golden)
        for _ in 0..<30 {
            var changed = value
            for _ in 0..<Int.random(in: 1...2, using: &random) { changed = Self.changed(changed, &random) }
            expectEqual(message, changed.encoded())
        }
        for _ in 0..<15 {
            var bytes = golden
            let place = Int.random(in: bytes.indices, using: &random)
            bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            expectEqual(message, bytes)
            expectEqual(message, Array(golden.prefix(place)))
            // Tags, breaks, long heads, indefinite lengths and no UTF-8, somewhere.
            bytes = golden
            let odd: [UInt8] = [
                0x18, 0x38, 0x58, 0x5f, 0x78, 0x7f, 0x80, 0x98, 0x9f, 0xb8, 0xbf, 0xc1, 0xf7, 0xf8, 0xff,
            ]
            bytes.insert(odd.randomElement(using: &random) ?? 0xff, at: place)
            expectEqual(message, bytes)
            expectEqual(message, golden + [bytes[place]])
        }
    }

    /// What stands where any item may stand is as deep as ever.
    @Test(arguments: [1, 14, 15, 16, 17, 29, 30, 31, 32, 33, 40])
    func bothWaysGoAsDeep(_ depth: Int) throws {
        let nested = (0..<depth).reduce(CBORValue.unsigned(1)) { item, _ in .array([item]) }
        for message in Golden.messages {
            guard case .map(let pairs) = try CBORValue(decoding: try message.encode()) else { continue }
            for place in pairs.indices {
                var changed = pairs
                changed[place].value = nested
                expectEqual(message, CBORValue.map(changed).encoded())
            }
        }
    }

    /// What is read by either way may differ from what would be written, but the ways do not.
    private func expectEqual(_ message: Golden, _ bytes: [UInt8]) {
        let (shortcut, codable) = message.bothWays(bytes)
        #expect(shortcut == codable, "\(message.rule) \(hexadecimal(bytes))")
        guard case .success(let encodings) = shortcut else { return }
        #expect(encodings[0] == encodings[1], "\(message.rule) \(hexadecimal(bytes))")
    }

    /// The shortcuts are there: the messages that are many go no other way when they are as we write them.
    @Test func theMessagesThatAreManyTakeIt() throws {
        let customer = Customer(name: "Ada")
        let position = Position(epoch: .make(), sequence: 7)
        let header = RequestHeader(id: 1, operation: "order.put", key: .make(), after: ["orders": position])
        try expectShortcut(header)
        try expectShortcut(ReplyHeader(id: 1, status: .ok, positions: ["orders": position], run: .make()))
        try expectShortcut(Put(customer))
        try expectShortcut(Get<Customer>(id: customer.id))
        try expectShortcut(Page(rows: [customer], next: [1]))
        let day = try CalendarDay(parsing: "2024-02-29")
        let row = OrderRow(service: .make(), quantity: .one, unitPrice: 12, taxRate: TaxRate(hundredths: 1900), sum: 12)
        try expectShortcut(
            Put(Order(date: day, currency: .eur, rows: [row], payments: [Payment(date: day, amount: 1)]))
        )
        try expectShortcut(ListedPart(owner: .make(), position: 0, currency: .eur, part: row))
    }

    private func expectShortcut<T: CBORShortcut>(_ value: T) throws {
        try CBORReader.withBytes(value.encoded()) { (reader) throws(CBORError) in
            #expect(try T(from: &reader).encoded() == value.encoded())
        }
    }

    // MARK: Changes

    /// The value with one thing somewhere in it changed.
    private static func changed(_ value: CBORValue, _ random: inout Seeded) -> CBORValue {
        switch value {
        case .map(var pairs) where !pairs.isEmpty:
            let index = Int.random(in: pairs.indices, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: pairs.remove(at: index)
            case 1: pairs.shuffle(using: &random)
            case 2: pairs.insert(CBORValue.Pair(.text("colour"), .text("red")), at: index)
            case 3: pairs.append(pairs[index])
            case 4: pairs[index].key = .text("colour")
            default: pairs[index].value = changed(pairs[index].value, &random)
            }
            return .map(pairs)
        case .array(var items) where !items.isEmpty:
            let index = Int.random(in: items.indices, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: items.remove(at: index)
            case 1: items.append(items[index])
            default: items[index] = changed(items[index], &random)
            }
            return .array(items)
        default: return others.randomElement(using: &random) ?? .null
        }
    }

    private static let others: [CBORValue] = [
        .null, .undefined, .bool(true), .unsigned(0), .unsigned(.max), .negative(0), .negative(.max), .text(""),
        .text("ok"), .text("EUR"), .text("2024-02-30"), .text("1.50"), .bytes([]), .bytes(Array(0..<16)), .array([]),
        .array([.unsigned(1), .unsigned(2)]), .map([]), .double(1.5),
        .map([CBORValue.Pair(.text("id"), .unsigned(1))]),
        .map([CBORValue.Pair(.text("\u{e9}"), .null), CBORValue.Pair(.text("e\u{301}"), .null)]),
    ]
}
