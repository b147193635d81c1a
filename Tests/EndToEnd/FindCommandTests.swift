import Client
import Messages
import Support
import Testing

/// `daybook find` with the real executables.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct FindCommandTests {
    /// A record of each kind, and the numbers that `find` prints of it.
    private func fill(_ daybook: Daybook) async throws {
        let made = try await daybook.shell(
            """
            set -e
            for name in $'Bj\\u00F6rn \\u00C5kesson' $'BJ\\u00D6RN' $'Bjo\\u0308rn' $'\\u0411\\u044C\\u0451\\u0440\\u043D'; do
                daybook customers add "$name"
            done
            daybook customers add Lind --info 'rings "twice" & 100% *'
            daybook services add Bath --price 18.00
            daybook services add Clip --price 1.00
            daybook types add Soup
            daybook recipes add 'Leek soup' --type Soup --ingredient '3 leeks' --instructions 'Wash the pot'
            daybook orders add --customer Lind --row Bath=18.00 --note 'at the back door'
            daybook orders add --row 'Clip=2.00'
            daybook walks add Frieda --at 'yesterday 18:05' --for 45min --note 'met a heron'
            """,
            variables: ["LC_ALL": "C.UTF-8"]
        )
        try #require(made.code == 0, "\(made.error)")
    }

    private func found(_ daybook: Daybook, _ arguments: String...) async throws -> [String] {
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        let output = try await daybook.shell("daybook find \(words) --fields kind,name --format csv")
        #expect(output.code == 0, "\(output.error)")
        return Array(output.lines.dropFirst())
    }

    @Test func findsInEveryKindWhateverWayItIsWritten() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            try await fill(daybook)
            for text in ["björn", "BJÖRN", "Bjo\u{308}rn", "bjorn"] {
                #expect(try await found(daybook, text).count == 3)
            }
            #expect(try await found(daybook, "бьёрн").count == 1)
            // Walks by their dogs, orders by customers, services, and notes, recipes by what stands in them.
            #expect(try await found(daybook, "frieda") == ["dogs,Frieda", "walks,Frieda"])
            #expect(try await found(daybook, "heron") == ["walks,Frieda"])
            #expect(try await found(daybook, "lind") == ["customers,Lind", "orders,Lind"])
            #expect(try await found(daybook, "bath") == ["services,Bath", "orders,Lind"])
            #expect(try await found(daybook, "door back") == ["orders,Lind"])
            #expect(try await found(daybook, "2") == ["orders,-- Unknown --"])
            #expect(try await found(daybook, "soup") == ["recipes,Leek soup", "types,Soup"])
            #expect(try await found(daybook, "leeks") == ["recipes,Leek soup"])
            #expect(try await found(daybook, "pot") == ["recipes,Leek soup"])
            // What a change leaves behind is not found any more.
            #expect(try await daybook.run("dogs", "edit", "Frieda", "--name", "Rex").code == 0)
            #expect(try await found(daybook, "frieda").isEmpty)
            #expect(try await found(daybook, "rex") == ["dogs,Rex", "walks,Rex"])
        }
    }

    @Test func aTextIsNeverAPatternAndNothingFoundIsSaid() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            try await fill(daybook)
            #expect(try await found(daybook, "\"twice\" & 100% *") == ["customers,Lind"])
            for text in ["l*nd", "Lind OR Bath", "NOT lind", "name:lind", "l_nd", "%ind"] {
                #expect(try await found(daybook, text).isEmpty)
            }
            let nothing = try await daybook.run("find", "nowhere")
            #expect(nothing.code == 0 && nothing.text.isEmpty)
            #expect(nothing.error == "Nothing was found for 'nowhere'.\n")
            #expect(try await daybook.run("find", "%").code == 2)
            let foreign = try await daybook.run(bytes: [Array("find".utf8), [0x42, 0xF6]])
            #expect(foreign.code <= 2 && foreign.text.isEmpty)
        }
    }

    @Test func whatIsDownIsNamedAndTheOthersAreSearched() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            try await fill(daybook)
            try await daybook.kill(.walks)
            let output = try await daybook.run("find", "lind")
            #expect(
                output.text == "Customers (1)\n" + output.lines.filter { $0.hasSuffix("  Lind") }.joined() + "\n"
                    + "Orders (1)\n" + (output.lines.last ?? "") + "\n"
            )
            #expect(output.code == 3)
            #expect(output.error.hasPrefix("Error: Not searched: dogs, walks. No answer from walks; 'daybook up'"))
        }
    }
}
