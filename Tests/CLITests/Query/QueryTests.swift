import Client
import Messages
import Testing

@testable import CLI

struct QueryTests {
    private let lind = Customer(id: .test(0xaa), version: 1, name: "Lind")

    private func filter(_ query: String) async throws -> Filter {
        let desk = Desk { (request) throws(CLIError) in
            guard request is List<Customer> else { throw .failure("only customers are asked for") }
            return Page(rows: [lind], next: nil)
        }
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        let today = try #require(CalendarDay("2024-03-06"))
        return try await QueryCompiler<Order>(daybook: daybook, today: today).filter(query)
    }

    private func days(_ field: String, _ from: String?, _ through: String?) -> Filter {
        .range(field, from: from.map(FilterValue.text), through: through.map(FilterValue.text))
    }

    @Test func findsCustomersAndDays() async throws {
        #expect(
            try await filter("customer = Lind and date < 2024-02-01")
                == .and([.equal("customer", .id(lind.id)), days("date", nil, "2024-01-31")])
        )
        #expect(try await filter("customer ~ \"li and\"") == .contains("customer.name", "li and"))
        #expect(try await filter("customer != none") == .not(.equal("customer", nil)))
    }

    @Test(
        arguments: [
            ("date = 2024-02", "2024-02-01", "2024-02-29"), ("date <= last month", nil, "2024-02-29"),
            ("date>yesterday", "2024-03-06", nil), ("DATE >= 2024-W10", "2024-03-04", nil),
            ("date = mon", "2024-03-04", "2024-03-04"),
            ("date = 2024-01-15..2024-02-14", "2024-01-15", "2024-02-14"),
        ] as [(String, String?, String?)]
    )
    func comparesDaysWithWholePeriods(query: String, from: String?, through: String?) async throws {
        #expect(try await filter(query) == days("date", from, through))
    }

    @Test func bindsAndCloserThanOr() async throws {
        let paid = Filter.equal("paid", .boolean(true))
        let made = Filter.equal("made", .boolean(true))
        let note = Filter.contains("note", "back door")
        #expect(try await filter("paid or made and note ~ back door") == .or([paid, .and([made, note])]))
        #expect(try await filter("(paid or made) and note ~ back door") == .and([.or([paid, made]), note]))
        #expect(try await filter("not paid and made = no") == .and([.not(paid), .equal("made", .boolean(false))]))
        #expect(try await filter("not (paid or made)") == .not(.or([paid, made])))
    }

    @Test func comparesAmountsInOneCurrency() async throws {
        let eur = Filter.equal("currency", .text("EUR"))
        #expect(try await filter("total >= 12.50") == .and([eur, .range("total", from: .integer(1250), through: nil)]))
        let usd = Filter.equal("currency", .text("USD"))
        let below = Filter.and([
            .range("open", from: nil, through: nil), .not(.range("open", from: .integer(500), through: nil)),
        ])
        #expect(try await filter("open < 5 usd") == .and([usd, below]))
    }

    @Test func knowsNumbersOfYears() async throws {
        #expect(try await filter("number = 17") == .equal("number", .integer(17)))
        #expect(
            try await filter("number <= 2024-17")
                == .and([.equal("numberYear", .integer(2024)), .range("number", from: nil, through: .integer(17))])
        )
    }

    @Test(arguments: [
        ("", 1, "a field"), ("customer", 1, "not true or false"), ("colour = red", 1, "no field 'colour'"),
        ("paid and", 9, "a field"), ("paid made", 6, "'and', 'or' or the end"),
        ("note = \"open", 8, "quote doesn't end"),
        ("(paid", 6, "closing parenthesis"), ("date < soon", 8, "soon"), ("total > 1,5", 9, "comma"),
        ("paid > yes", 8, "yes or no"), ("date =", 7, "a value"), ("number = x", 10, "no number"),
        ("((((((paid))))))", 6, "nested too deep"), ("customer < Lind", 12, "compared with"),
        ("dat = today", 1, "did you mean 'date'"),
    ])
    func saysWhereAndWhatIsWrong(query: String, place: Int, reason: String) async throws {
        let error = await #expect(throws: CLIError.self) { try await filter(query) }
        #expect(error?.processStatus == .usage)
        #expect(error?.description.hasPrefix("--where, at character \(place)") == true, "\(error?.description ?? "")")
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    private func filter<R: Queryable>(_ query: String, of type: R.Type) async throws -> Filter {
        let desk = Desk { (request) throws(CLIError) in
            switch request {
            case is List<Customer>: Page(rows: [lind], next: nil)
            case is List<Dog>: Page(rows: [Dog(id: .test(0xd0), version: 1, name: "Rex")], next: nil)
            case is List<RecipeType>: Page(rows: [RecipeType(id: .test(0xe0), version: 1, name: "Soup")], next: nil)
            default: throw .failure("nobody else is asked")
            }
        }
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        return try await QueryCompiler<R>(daybook: daybook, today: #require(CalendarDay("2024-03-06"))).filter(query)
    }

    @Test func knowsTheFieldsOfRecipesDogsAndWalks() async throws {
        #expect(try await filter("owner = Lind", of: Dog.self) == .equal("owner", .id(lind.id)))
        #expect(
            try await filter("name ~ re and owner = none", of: Dog.self)
                == .and([.contains("name", "re"), .equal("owner", nil)])
        )
        #expect(
            try await filter("type != Soup or totalTime <= 1h30", of: Recipe.self)
                == .or([
                    .not(.equal("type", .id(.test(0xe0)))), .range("totalMinutes", from: nil, through: .integer(90)),
                ])
        )
        #expect(
            try await filter("not ingredients ~ white sugar", of: Recipe.self)
                == .not(.search("ingredients", "white sugar"))
        )
        #expect(try await filter("dog = Rex", of: Walk.self) == .contains("dogs", Identifier.test(0xd0).description))
        #expect(
            try await filter("dog ~ re and number > 3", of: Walk.self)
                == .and([
                    .contains("dogs.name", "re"),
                    .and([
                        .range("number", from: nil, through: nil),
                        .not(.range("number", from: nil, through: .integer(3))),
                    ]),
                ])
        )
    }

    @Test func comparesTimesWithWholeDaysOfTheZone() async throws {
        let zone = try TimeOptions.zone()
        let day = try DaySpan.day(#require(CalendarDay("2024-03-05"))).instants(in: zone)
        let from = try #require(day.from).microseconds
        let through = try #require(day.through).microseconds
        #expect(
            try await filter("start = yesterday", of: Walk.self)
                == .range("start", from: .integer(from), through: .integer(through))
        )
        #expect(
            try await filter("start < 2024-03-05", of: Walk.self)
                == .range("start", from: nil, through: .integer(from - 1))
        )
        #expect(
            try await filter("end > 2024-03-05", of: Walk.self)
                == .range("end", from: .integer(through + 1), through: nil)
        )
        let moment = try Instant(parsing: "2024-03-31T18:05:09Z").microseconds
        #expect(
            try await filter("start >= 2024-03-31T18:05:09Z", of: Walk.self)
                == .range("start", from: .integer(moment), through: nil)
        )
    }

    @Test(arguments: ["start ~ x", "start = soon", "start < ..yesterday", "dog > Rex"])
    func saysWhatIsWrongOfWalks(query: String) async throws {
        let error = await #expect(throws: CLIError.self) { try await filter(query, of: Walk.self) }
        #expect(error?.processStatus == .usage)
        #expect(error?.description.hasPrefix("--where, at character ") == true, "\(error?.description ?? "")")
    }

    @Test(arguments: ["ingredients = leek", "ingredients ~ '%'", "totalTime < soon"])
    func saysWhatIsWrongOfRecipes(query: String) async throws {
        let error = await #expect(throws: CLIError.self) { try await filter(query, of: Recipe.self) }
        #expect(error?.processStatus == .usage)
    }

    /// Whatever the text, it is a query or refused; a query is no deeper than services take.
    @Test func anyTextIsReadOrRefused() throws {
        let pieces = [
            "paid", "and", "or", "not", "(", ")", "=", "<=", "~", "'", "\"", "date", "2024-02", "\u{301}", " ", "\\",
            "é",
        ]
        for seed in 0..<3000 {
            var state = UInt64(seed)
            let text = (0..<12).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return pieces[Int(state >> 33) % pieces.count]
            }.joined(separator: seed % 2 == 0 ? " " : "")
            do throws(Query.Problem) {
                _ = try Query(parsing: text)
            } catch {
                #expect(1...text.unicodeScalars.count + 1 ~= error.place)
            }
        }
    }
}
