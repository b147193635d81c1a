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

    private static let walks: [Walk] = [
        (3, "Fido", "2024-04-01T08:05:09Z"), (1, "Rex", "2024-03-31T22:30:00Z"), (2, "Rex", "2024-03-31T16:05:09Z"),
        (4, "Rex", "2024-03-01T08:00:00Z"),
    ].map { number, dog, time in
        Walk(version: 1, number: number, dog: .make(), dogName: dog, time: Instant(time)!)
    }

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

    @Test(
        arguments: [
            (false, ["Rex"], nil), (true, [], "Made the dog 'Rxe'."),
            (true, ["Rex"], "Made the dog 'Rxe'. Did you mean 'Rex'?"),
            (true, ["Rex", "Roxe", "Rye"], "Made the dog 'Rxe'. Did you mean 'Rex', 'Roxe' or 'Rye'?"),
        ] as [(Bool, [String], String?)]
    )
    func announceADogThatWasMade(created: Bool, near: [String], expected: String?) {
        let walk = Walk(dog: .make(), dogName: "Rxe", time: Self.now)
        #expect(WalksAdd.notice(of: AddWalk.Reply(walk: walk, dogCreated: created, near: near)) == expected)
    }

    @Test func areSortedByDogOnlyWhereTheyStandUnderIt() throws {
        let capture = try Capture()
        #expect(WalksList.sort(capture.presentation()) == [SortKey("dog.name"), SortKey("number")])
        #expect(WalksList.sort(capture.presentation(.json)) == nil)
        #expect(WalksList.sort(capture.presentation(fields: ["time"])) == nil)
        #expect(WalksList.sort(capture.presentation(isQuiet: true)) == nil)
    }
}
