import Messages
import Testing

@testable import CLI

struct RecipeImportReportTests {
    private func report(_ outcomes: RecipeImportRow.Outcome...) -> RecipeImportReport {
        var report = RecipeImportReport()
        for outcome in outcomes { report.add(RecipeImportRow(outcome: outcome, id: nil, name: "x", place: "f")) }
        return report
    }

    @Test func countsWhatBecameOfEach() {
        let one = report(.imported, .present, .deleted, .refused)
        #expect(
            one.sentence(isDry: false)
                == "imported 1 recipe; 1 is already there; 1 was deleted here since (--deleted imports them again); 1 was refused"
        )
        #expect(report(.imported, .imported).sentence(isDry: true) == "would import 2 recipes; nothing was stored")
        #expect(report(.present, .present).sentence(isDry: false) == "nothing was imported; 2 are already there")
        #expect(report().sentence(isDry: true) == "nothing would be imported; nothing was stored")
    }

    @Test func failsWhereSomethingWasRefused() {
        #expect(report(.imported, .present, .deleted).error == nil)
        #expect(report(.imported, .refused).error?.processStatus == .failure)
    }
}
