import Testing

@testable import Text

struct EnvironmentTests {
    @Test(arguments: [
        "", "Europe/Atlantis", "Etc/Unknown", "GMT+3", "CET-1CEST,M3.5.0,M10.5.0/3", "../etc/passwd", "UTC\u{0}x",
        "europe berlin",
        "李", String(repeating: "A", count: 10_000),
    ])
    func refusesAnUnknownZone(name: String) {
        #expect(throws: TextError.unknownZone(name)) { try Zone(named: name) }
    }

    @Test(arguments: ["UTC", "Etc/UTC", "GMT", "Europe/Berlin", "Asia/Calcutta", "America/Argentina/ComodRivadavia"])
    func knowsAZone(name: String) throws {
        #expect(try Zone(named: name).name == name)
    }

    @Test(arguments: [
        ("Europe/Berlin", "Europe/Berlin"), (":Europe/Berlin", "Europe/Berlin"), ("", "UTC"), (":", "UTC"),
        (":/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"), ("/usr/share/zoneinfo/posix/Asia/Tokyo", "Asia/Tokyo"),
    ])
    func takesTheZoneOfTZ(value: String, expected: String) throws {
        let zone = try LocalTime.zone(
            variable: value,
            link: .link("/usr/share/zoneinfo/Asia/Seoul"),
            file: "Asia/Seoul"
        )
        #expect(zone.name == expected)
    }

    @Test func takesTheZoneOfTheMachineWithoutTZ() throws {
        let link = LocalTime.LocalTimeFile.link("../usr/share/zoneinfo/America/Indiana/Knox")
        #expect(try LocalTime.zone(variable: nil, link: link, file: "Asia/Seoul").name == "America/Indiana/Knox")
        #expect(try LocalTime.zone(variable: nil, link: .plain, file: "Asia/Seoul").name == "Asia/Seoul")
        #expect(try LocalTime.zone(variable: nil, link: .missing, file: nil).name == "UTC")
        #expect(throws: TextError.unknownZone("/etc/localtime")) {
            try LocalTime.zone(variable: nil, link: .plain, file: nil)
        }
    }

    @Test func doesNotTakeAnUnknownTZForUTC() {
        #expect(throws: TextError.unknownZone("Europe/Atlantis")) {
            try LocalTime.zone(variable: "Europe/Atlantis", link: .missing, file: nil)
        }
    }

    @Test func readsTheEnvironmentOfTheProcess() async {
        await #expect(processExitsWith: .success) {
            setLocale("LC_ALL", to: "zh_CN.UTF-8")
            #expect(LocalTime.currentLocale().identifier == "zh_CN")
            for (value, zone) in [("Pacific/Kiritimati", "Pacific/Kiritimati"), (":UTC", "UTC")] {
                setZone(value)
                #expect((try? LocalTime.currentZone())?.name == zone)
            }
        }
    }

    @Test(
        arguments: [
            ([:], nil), (["LANG": "de_DE.UTF-8"], "de_DE"), (["LANG": "de_DE", "LC_TIME": "fr_FR"], "fr_FR"),
            (["LANG": "de_DE", "LC_TIME": "fr_FR", "LC_ALL": "sv_SE.ISO-8859-1"], "sv_SE"),
            (["LANG": "de_DE", "LC_ALL": ""], "de_DE"), (["LANG": "de_DE", "LC_ALL": "C.UTF-8"], nil),
            (["LANG": "POSIX"], nil), (["LANG": "sr_RS@latin"], "sr_Latn_RS"),
            (["LANG": "sr_RS.UTF-8@latin"], "sr_Latn_RS"),
            (["LANG": "de_DE@euro"], "de_DE"), (["LANG": "@euro"], nil), (["LANG": "de_DE;rm"], nil),
            (["LANG": "@"], nil),
            (["LANG": String(repeating: "x", count: 5000)], nil), (["LANG": "zh_Hant_TW"], "zh_Hant_TW"),
        ] as [([String: String], String?)]
    )
    func takesTheLocaleOfTheEnvironment(environment: [String: String], expected: String?) {
        #expect(LocalTime.locale { environment[$0] }.identifier == expected)
    }
}
