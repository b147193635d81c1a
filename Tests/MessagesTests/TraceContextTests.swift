import Messages
import Testing

struct TraceContextTests {
    private static let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func isReadAndWrittenAsItIs() throws {
        let context = try #require(TraceContext(Self.text))
        #expect(context.description == Self.text)
        #expect(context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test func aChildHasTheTraceAndAnOperationOfItsOwn() throws {
        let context = try #require(TraceContext(Self.text))
        let child = context.child()
        #expect(child.traceID == context.traceID && child != context)
        #expect(TraceContext(child.description) == child)
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ])
    func whatIsNoneIsNone(text: String) {
        #expect(TraceContext(text) == nil)
    }

    @Test func aLaterVersionMayHaveMore() {
        #expect(TraceContext("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more") != nil)
    }
}
