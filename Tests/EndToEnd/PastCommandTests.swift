import Client
import Messages
import Support
import Testing

/// `--as-of` of lists and records, with the real executables.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PastCommandTests {
    private static let views = [
        "customers list", "customers list --sort=-name --limit 1", "services list --format csv", "types list",
        "recipes list --fields id,name,type", "recipes list --with leek", "orders list", "orders list --format table",
        "orders list --where 'note ~ door' --format json", "orders list --made --format csv", "dogs list --format csv",
        "walks list", "walks list --where 'dog ~ fri'", "orders show 1", "orders rows list 1", "dogs show %",
    ]

    private func printed(_ daybook: Daybook, dog: String, _ options: String = "") async throws -> [String] {
        var texts: [String] = []
        for view in Self.views.map({ $0.replacing("%", with: dog) }) {
            let output = try await daybook.shell("daybook \(view) \(options)")
            try #require(output.code == 0, "\(view) \(options): \(output.error)")
            texts.append(output.text)
        }
        return texts
    }

    private func make(_ daybook: Daybook) async throws {
        let made = try await daybook.shell(
            """
            set -e
            daybook customers add Lind
            daybook customers add Berg
            daybook services add Bath --price 18.00
            daybook types add Soup
            daybook recipes add 'Leek soup' --type Soup --ingredient '3 leeks'
            daybook orders add --customer Lind --row Bath=18.00 --note 'back door' --date 2024-01-31
            daybook orders add --customer Berg --row =5.00 --made --date 2024-02-01
            daybook walks add Frieda --at 'yesterday 18:05' --for 45min
            daybook dogs edit Frieda --owner Lind
            """
        )
        try #require(made.code == 0, "\(made.error)")
    }

    /// Now, once the services have read what the catalog told.
    private func settled(_ daybook: Daybook) async throws -> Instant {
        let head = try await daybook.client.send(StatusRequest(), to: .catalog).value
        let reached = [ServiceName.catalog.rawValue: Position(epoch: head.epoch, sequence: head.sequence)]
        for service in [ServiceName.orders, .walks] {
            _ = try await daybook.client.send(ListCommands(limit: 1), to: service, after: reached)
        }
        return .now()
    }

    private func change(_ daybook: Daybook) async throws {
        let changed = try await daybook.shell(
            """
            set -e
            daybook customers edit Lind --name 'Ada Lind'
            daybook customers delete Berg --force --yes
            daybook services edit Bath --name Wash --price 20.00
            daybook types edit Soup --name Broth
            daybook recipes edit 'Leek soup' --name 'Onion soup' --ingredient '2 onions'
            daybook orders edit 1 --note gate --made
            daybook orders rows add 1 =3.00
            daybook orders delete 2 --yes
            daybook dogs edit Frieda --name Rex
            daybook walks add Rex Fido --at 'yesterday 19:05'
            """
        )
        try #require(changed.code == 0, "\(changed.error)")
        _ = try await settled(daybook)
    }

    @Test func anyListGoesBackToWhatItPrintedThen() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            try await make(daybook)
            let then = try await settled(daybook)
            let before = try await printed(daybook, dog: "Frieda")
            try await change(daybook)
            #expect(try await printed(daybook, dog: "Rex") != before)
            #expect(try await printed(daybook, dog: "Frieda", "--as-of \(then)") == before)
            #expect(try await printed(daybook, dog: "Rex", "--as-of today") == printed(daybook, dog: "Rex"))
            // Over a restart, and names that were made anew.
            try await daybook.stop(.orders)
            try await daybook.start(.orders)
            #expect(try await daybook.run("projection", "rebuild", "orders", limit: .seconds(30)).code == 0)
            #expect(try await printed(daybook, dog: "Frieda", "--as-of \(then)") == before)

            let empty = try await daybook.run("orders", "list", "--as-of", "0")
            #expect(empty.code == 0 && empty.text.isEmpty && empty.error == "As of event 0 of orders.\n")
            let first = try await daybook.run("orders", "list", "--as-of", "orders:1")
            #expect(first.text == "Jan 31, 2024\tLind\n")
            #expect(first.error.hasPrefix("As of event 1 of orders, "))
            let beyond = try await daybook.run("orders", "list", "--as-of", "1000")
            #expect(beyond.code == 1 && beyond.error.contains("there is no event 1000 of orders: they go from 1 to "))
            for arguments in [["--as-of", "1", "--watch"], ["--as-of", "catalog:1"], ["--as-of", "soon"]] {
                let words = arguments.joined(separator: " ")
                let refused = try await daybook.shell("daybook orders list \(words)")
                #expect(refused.code == 2 && refused.text.isEmpty, "\(words): \(refused.error)")
            }
        }
    }

    @Test func whatWasErasedDoesNotComeBackAndADownServiceIsSaid() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            try await make(daybook)
            let then = try await settled(daybook)
            #expect(try await daybook.run("orders", "list", "--as-of", "\(then)").text.contains("Lind"))
            #expect(try await daybook.run("customers", "erase", "Lind", "--yes").code == 0)
            _ = try await settled(daybook)
            for list in ["customers list", "orders list", "orders list --format json", "dogs list", "walks list"] {
                let output = try await daybook.shell("daybook \(list) --as-of \(then)")
                #expect(output.code == 0 && !output.text.contains("Lind"), "\(list): \(output.text)")
            }
            #expect(try await daybook.run("customers", "list", "--as-of", "\(then)").text.contains(Erased.name))
            try await daybook.kill(.orders)
            let down = try await daybook.run("orders", "list", "--as-of", "\(then)", "--timeout", "1")
            #expect(down.code == 3 && down.text.isEmpty)
        }
    }
}
