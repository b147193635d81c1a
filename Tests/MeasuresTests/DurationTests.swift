import Testing

@testable import Measures

@Suite struct RecipeDurationTests {
    @Test(
        arguments: [
            ("PT1H30M", 90), ("PT90M", 90), ("PT70M", 70), ("PT4200S", 70), ("P0DT0H20M", 20), ("P0DT15M", 15),
            ("PT05M", 5), ("P1D", 1440), ("P1W", 10080), ("P7DT10M", 10090), ("PT24H0M", 1440), ("PT0H21M00S", 21),
            ("P0DT1H10M0S", 70), ("PT1.5H", 90), ("PT0,5H", 30), ("pt30m", 30), ("PT0M", 0), (" PT5M ", 5),
        ]
    )
    func readsISO8601(_ text: String, _ minutes: Int) {
        #expect(RecipeDuration(text)?.minutes == minutes)
        #expect(RecipeDuration(text)?.isRepaired == false)
    }

    @Test(
        arguments: [
            ("PT0D0H30M", 30), ("PTH5M", 5), ("P1H", 60), ("P2H30M", 150), ("P30M", 30), ("P20M", 20), ("PT1HMS", 60),
            ("PTH5MS", 5),
        ]
    )
    func repairsWhatHasOneMeaningAndSaysSo(_ text: String, _ minutes: Int) {
        #expect(RecipeDuration(text)?.minutes == minutes)
        #expect(RecipeDuration(text)?.isRepaired == true)
    }

    @Test(
        arguments: [
            ("30 min", 30), ("1 hr 30 min", 90), ("1h", 60), ("45", 45), ("35 minuti", 35), ("20 minutes", 20),
            ("1½ hours", 90), ("1 1/2 Std.", 90), ("1h30", 90), ("1 hour and 30 minutes", 90), ("ca. 20 Min.", 20),
            ("1,5 Stunden", 90), ("2 days", 2880), ("1 h, 5 min", 65), ("90 sec", 2), ("about 1 hour", 60),
            ("1h30min", 90),
            ("1 week", 10080), ("2 uur", 120),
        ]
    )
    func readsWhatPeopleWrite(_ text: String, _ minutes: Int) {
        #expect(RecipeDuration(text)?.minutes == minutes)
        #expect(RecipeDuration(text)?.isRepaired == false)
    }

    @Test(
        arguments: [
            "", " ", "P", "PT", "PTundefinedM", "PTNaNM", "PTnullM", "PTHM", "PT-475323H41M52S",
            "PT99999999999999999999M", "P1Y", "P1Y2M", "PT5", "PT5M3H", "PT1/2H", "PT1.5H30M", "PT1H1H", "PT1W", "1:30",
            "30-40 min", "overnight", "PT600000M", "-5 min", "5 apples", "1 min 2 h", "1,000 min", "P1M2", "min",
            "PT5MX",
            "525601", "1 h 75",
        ]
    )
    func leavesTheRest(_ text: String) { #expect(RecipeDuration(text) == nil) }

    @Test(
        arguments: [
            (70, "PT1H10M", "1 h 10 min"), (45, "PT45M", "45 min"), (120, "PT2H", "2 h"), (0, "PT0M", "0 min"),
            (10090, "PT168H10M", "7 d 10 min"), (1440, "PT24H", "1 d"), (525_600, "PT8760H", "365 d"),
        ]
    )
    func writesISO8601AndPeoplesForm(_ minutes: Int, _ iso: String, _ people: String) throws {
        let duration = try #require(RecipeDuration(minutes: minutes))
        #expect(duration.iso8601 == iso)
        #expect(duration.description == people)
        #expect(RecipeDuration(iso)?.minutes == minutes)
        #expect(RecipeDuration(people)?.minutes == minutes)
    }

    @Test func refusesMinutesBeyondAYear() {
        #expect(RecipeDuration(minutes: -1) == nil)
        #expect(RecipeDuration(minutes: 525_601) == nil)
        #expect(RecipeDuration(minutes: .max) == nil)
    }

    @Test func keepsSeconds() {
        #expect(RecipeDuration("PT75S")?.seconds == 75)
        #expect(RecipeDuration("PT75S")?.iso8601 == "PT1M15S")
        #expect(RecipeDuration("PT20S")?.minutes == 1)
    }
}
