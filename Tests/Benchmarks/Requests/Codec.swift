import CBOR
import Messages
import Support

/// One order with three rows, encoded and decoded on one thread, by its shortcut and by `Codable` alone.
enum Codec {
    static var benchmark: Benchmark {
        Benchmark(
            name: "codec",
            title: "an order with 3 rows, encoded and decoded; ratio to the shortcut",
            rounds: 15,
            prepare: { _ in
                let order = try order()
                let bytes = try CBOREncoder().encode(order)
                return [true, false].map { takesShortcuts in
                    var (encoder, decoder) = (CBOREncoder(), CBORDecoder())
                    (encoder.takesShortcuts, decoder.takesShortcuts) = (takesShortcuts, takesShortcuts)
                    let (writing, reading) = (encoder, decoder)
                    return Case(name: takesShortcuts ? "shortcut" : "Codable") {
                        [
                            try figure("encode") { try writing.encode(order).count == bytes.count },
                            try figure("decode, checked") {
                                try reading.decode(Order.self, from: bytes).id == order.id
                            },
                        ]
                    }
                }
            }
        )
    }

    private static let times = 20_000

    private static func figure(_ name: String, _ isRight: () throws -> Bool) throws -> Figure {
        let start = now()
        for _ in 0..<times {
            guard try isRight() else { throw HarnessError("the codec is wrong") }
        }
        return Figure(name, Double(now() - start) / Double(times), "ns")
    }

    private static func order() throws -> Order {
        var order = Order(
            version: 1,
            number: 4711,
            date: try CalendarDay(year: 2026, month: 1, day: 31),
            customer: .make(),
            customerName: "Björn Åkesson",
            currency: .eur,
            rows: (0..<3).map { OrderRow(service: .make(), serviceName: "Claw trim", sum: Int64(1000 + $0)) },
            note: String(repeating: "c", count: 145),
            total: 3003
        )
        order.open = 3003
        return order
    }
}
