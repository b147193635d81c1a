import Glibc
import Messages

@testable import CLI

/// An output whose text can be looked at.
struct Capture {
    let output: Output
    private let readEnd: Int32

    init(style: Style = .plain) throws {
        let pipe = try Pipe()
        readEnd = pipe.readEnd
        // Tests print less than a pipe holds.
        output = Output(descriptor: pipe.writeEnd, style: style)
    }

    /// What was printed since the last call.
    func text() throws -> String {
        try output.flush()
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = read(readEnd, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// A presentation that prints here, instants in UTC.
    func presentation(
        _ format: OutputFormat = .table,
        fields: [String]? = nil,
        isQuiet: Bool = false
    ) -> Presentation {
        Presentation(
            format: format,
            fields: fields,
            isQuiet: isQuiet,
            output: output,
            cells: CellText(instant: \.description)
        )
    }
}

/// A record with a field of every type.
struct Sale: Sendable {
    var id: Identifier
    var number: Int64
    var name: String?
    var day: CalendarDay
    var time: Instant
    var total: Money
    var tip: Money?
    var isPaid: Bool
    var rows: [Row] = []

    struct Row: Sendable {
        var name: String
        var sum: Money
    }

    static func example(_ number: Int, name: String?, rows: [Row] = []) -> Sale {
        Sale(
            id: Identifier(high: 0x018e_95c2_4f00_7a31, low: 0x9c2e_5b0d_8f1a_6e00 + UInt64(number)),
            number: Int64(number),
            name: name,
            day: CalendarDay("2024-03-31")!,
            time: Instant("2024-03-31T18:05:09Z")!,
            total: Money(amount: 1250 * Int64(number), currency: .eur),
            tip: nil,
            isPaid: number % 2 == 0,
            rows: rows
        )
    }
}

extension Noun where Row == Sale {
    static let sale = Noun(
        "sale",
        plural: "sales",
        summary: "Something sold.",
        fields: [
            .id("id", "Id", "The UUID.") { $0.id },
            .integer("number", "No.", "The number.") { $0.number },
            .text("name", "Name", "The name.") { $0.name },
            .day("day", "Day", "The day.") { $0.day },
            .instant("time", "Time", "The time.", inTable: false) { $0.time },
            .money("total", "Total", "The sum.") { $0.total },
            .money("tip", "Tip", "What came on top.", inTable: false) { $0.tip },
            .boolean("paid", "Paid", "Whether it is paid.") { $0.isPaid },
            .list("rows", "Rows", "What it was made of.", of: Noun<Sale.Row>.row.fields) { $0.rows },
        ],
        id: \.id
    )
}

extension Noun where Row == Sale.Row {
    fileprivate static let row = Noun(
        "row",
        plural: "rows",
        summary: "A part.",
        fields: [
            .text("name", "Name", "The name.") { $0.name },
            .money("sum", "Sum", "The sum.") { $0.sum },
        ]
    )
}
