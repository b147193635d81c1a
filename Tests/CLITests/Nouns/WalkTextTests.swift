import ArgumentParser
import Messages
import Testing
import Text

@testable import CLI

struct WalkTextTests {
    private static let now = Instant("2024-04-01T10:00:00Z")!

    private func cells(_ locale: String) throws -> CellText {
        let (locale, zone) = (LocaleName(posix: locale), try Zone(named: "Europe/Berlin"))
        return CellText { instant in
            LocalTime.dateTime(
                microseconds: instant.microseconds,
                locale: locale,
                zone: zone,
                relativeTo: Self.now.microseconds
            )
        }
    }

    private static func walk(_ number: Int64, _ dogs: String..., at time: String) -> Walk {
        let parts = dogs.map { WalkDog(dog: .make(), dogName: $0) }
        return Walk(version: 1, number: number, dogs: parts, start: Instant(time)!)
    }

    private static let walks: [Walk] = [
        walk(3, "Fido", at: "2024-04-01T08:05:09Z"), walk(1, "Rex", at: "2024-03-31T22:30:00Z"),
        walk(2, "Rex", at: "2024-03-31T16:05:09Z"), walk(4, "Rex", at: "2024-03-01T08:00:00Z"),
    ]

    @Test(
        arguments: [
            (
                "zh_CN.UTF-8",
                ["Fido", "  今天 10:05:09", "Rex", "  今天 00:30:00", "  昨天 18:05:09", "  2024/3/1 09:00:00"]
            ),
            (
                "en_GB.UTF-8",
                [
                    "Fido", "  Today, 10:05:09", "Rex", "  Today, 00:30:00", "  Yesterday, 18:05:09",
                    "  01/03/2024, 09:00:00",
                ]
            ),
            (
                "C",
                [
                    "Fido", "  2024-04-01 10:05:09", "Rex", "  2024-04-01 00:30:00", "  2024-03-31 18:05:09",
                    "  2024-03-01 09:00:00",
                ]
            ),
        ]
    )
    func standUnderTheirDogsName(locale: String, expected: [String]) throws {
        let capture = try Capture()
        var noun = Noun.walk
        noun.lines = .walks(try cells(locale), numbered: false)
        try capture.presentation().list(Self.walks, of: noun)
        #expect(try capture.text().split(separator: "\n").map(String.init) == expected)
    }

    @Test func haveTheirNumbersOnATerminal() throws {
        let capture = try Capture()
        var noun = Noun.walk
        noun.lines = .walks(try cells("zh_CN.UTF-8"), numbered: true)
        try capture.presentation().list(Self.walks.prefix(1), of: noun)
        #expect(try capture.text() == "Fido\n  今天 10:05:09  #3\n")
    }

    @Test func sayWithWhomHowLongAndWhatIsNoted() throws {
        var (done, goesOn) = (Self.walks[0], Self.walk(5, "Fido", "Rex", at: "2024-04-01T09:00:00Z"))
        done.end = done.start.advanced(by: .seconds(70 * 60 + 59))
        done.note = "rain\u{1B}"
        goesOn.running = true
        let capture = try Capture()
        var noun = Noun.walk
        noun.lines = .walks(try cells("C"), numbered: true)
        try capture.presentation().list([done, goesOn], of: noun)
        let lines = try capture.text().split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "Fido", "  2024-04-01 10:05:09  1 h 10 min  rain\\u{1B}  #3", "Fido, Rex",
                "  2024-04-01 11:00:00  goes on  #5",
            ]
        )
    }

    @Test(arguments: [(["--end", "18:40"], 35 * 60), (["--for", "1 h 10 min"], 70 * 60)] as [([String], Int64)])
    func endByATimeOrALength(arguments: [String], seconds: Int64) throws {
        let key = Identifier("018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47")!
        let start = try TimeOptions.instant("18:05", option: "--at", key: key)
        let end = try #require(try LengthOptions.parse(arguments).end(key: key))
        #expect(end(start).microseconds - start.microseconds == seconds * 1_000_000)
        #expect(try LengthOptions.parse([]).end(key: key) == nil)
    }

    @Test func refuseWhatIsNoLength() throws {
        let error = #expect(throws: CLIError.self) { try LengthOptions.parse(["--for", "a while"]).end(key: nil) }
        #expect(error?.description.hasPrefix("--for: 'a while' is no length of time") == true)
        #expect(throws: (any Error).self) { try LengthOptions.parse(["--for", "1h", "--end", "18:40"]) }
    }

    @Test(
        arguments: [
            ([], "Made the dog 'Rxe'."), (["Rex"], "Made the dog 'Rxe'. Did you mean 'Rex'?"),
            (["Rex", "Roxe", "Rye"], "Made the dog 'Rxe'. Did you mean 'Rex', 'Roxe' or 'Rye'?"),
        ] as [([String], String)]
    )
    func announceADogThatWasMade(near: [String], expected: String) {
        #expect(WalksAdd.notice(of: AddWalk.MadeDog(name: "Rxe", near: near)) == expected)
    }

    @Test func areSortedByDogOnlyWhereTheyStandUnderIt() throws {
        let capture = try Capture()
        #expect(WalksList.sort(capture.presentation()) == [SortKey("dogs.name"), SortKey("number")])
        #expect(WalksList.sort(capture.presentation(.json)) == nil)
        #expect(WalksList.sort(capture.presentation(fields: ["start"])) == nil)
        #expect(WalksList.sort(capture.presentation(isQuiet: true)) == nil)
    }
}
