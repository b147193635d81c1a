import Metrics
import Support
import Testing

@testable import Service

struct ServiceMetricsTests {
    /// What is told has to be explained to who reads it.
    @Test(arguments: ServiceMetrics.families.map(\.name))
    func theRunbookExplainsEachMetric(name: String) throws {
        let runbook = File.text(Environment.checkout + "/deploy/RUNBOOK.md")
        #expect(runbook.contains("`\(name)`"))
    }
}
