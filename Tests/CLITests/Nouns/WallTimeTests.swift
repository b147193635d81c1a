import ArgumentParser
import Messages
import Testing
import Text

@testable import CLI

struct WallTimeTests {
    /// 00:30 on the day the clocks go forward, in Berlin.
    private func berlin() throws -> WallTime {
        WallTime(zone: try Zone(named: "Europe/Berlin"), now: Instant("2024-03-30T23:30:00Z")!)
    }

    @Test(
        arguments: [
            ("18:05", "2024-03-31T16:05:00Z"), ("today 18:05:09", "2024-03-31T16:05:09Z"),
            ("Today 7:05", "2024-03-31T05:05:00Z"), ("yesterday 18:05", "2024-03-30T17:05:00Z"),
            ("  Yesterday   00:00 ", "2024-03-29T23:00:00Z"), ("2024-03-31 18:05", "2024-03-31T16:05:00Z"),
            ("2024-03-31T18:05", "2024-03-31T16:05:00Z"), ("2024-03-31 01:59:59", "2024-03-31T00:59:59Z"),
            ("2024-02-29 12:00", "2024-02-29T11:00:00Z"), ("2024-10-27 02:30", "2024-10-27T00:30:00Z"),
            ("2024-03-31T18:05:09+02:00", "2024-03-31T16:05:09Z"),
            ("2024-03-31t18:05:09.5z", "2024-03-31T18:05:09.500Z"),
            ("now", "2024-03-30T23:30:00Z"),
        ]
    )
    func isReadInTheZoneOfTheUser(text: String, expected: String) throws {
        #expect(try berlin().instant(text).description == expected)
    }

    @Test(
        arguments: [
            (
                "2024-03-31 02:30",
                "there is no 02:30 on 2024-03-31 in Europe/Berlin: the clocks go forward; write 03:30"
            ),
            ("2:00", "write 03:00 if that is meant"), ("25:00", "there is no time '25:00'"),
            ("18:60", "there is no time '18:60'"), ("2024-02-30 12:00", "There is no day 2024-02-30"),
            ("2023-02-29T12:00:00Z", "There is no day 2023-02-29"), ("2024-13-01 12:00", "There is no month 13"),
            ("2024-03-31T24:00:00Z", "does not exist"), ("18.05", "is no time; write 18:05"),
            ("2024-03-31", "is no time"), ("tomorrow 18:05", "is no time"), ("18:5", "is no time"), ("", "is no time"),
            ("18:05 2024-03-31", "is no time"), ("１８:05", "is no time"), ("1\u{301}8:05", "is no time"),
            ("yesterday", "is no time"), ("00000000000000000018:05", "is no time"),
        ]
    )
    func refusesWhatIsNoTime(text: String, part: String) throws {
        let time = try berlin()
        let error = #expect(throws: CLIError.self) { try time.instant(text) }
        #expect(error?.description.hasPrefix("--at: ") == true)
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        #expect(error?.processStatus == .usage)
    }

    @Test func meansTheSameAgainUnderTheSameKey() throws {
        let key = Identifier("018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47")!
        #expect(try TimeOptions.now(key: key).milliseconds == key.milliseconds)
        let random = Identifier("5b9c1f5e-3d55-4f0e-9d5c-111111111111")!
        let error = #expect(throws: CLIError.self) { try TimeOptions.now(key: random) }
        #expect(error?.description.contains("daybook key") == true)
        let relative = try TimeOptions.parse(["--at", "18:05"])
        #expect(throws: CLIError.self) { try relative.instant(key: random) }
        let absolute = try TimeOptions.parse(["--at", "2024-03-31T18:05:00Z"])
        #expect(try absolute.instant(key: random)?.description == "2024-03-31T18:05:00Z")
        #expect(try TimeOptions.parse([]).instant(key: random) == nil)
    }
}
