import Messages
import Testing

@testable import CLI

struct AnswersTests {
    private let customer = Customer(
        id: Identifier("018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47")!,
        name: "Björn Åkesson",
        reference: "N-17"
    )

    @Test(arguments: [
        ("018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47", true), ("018e95c2-4f00-7a31-9c2e-5b0d8f1a6e48", false),
        ("6E47", true), ("018e-95c2", true), ("e47", false), ("9c2e", false), (" BJORN ", true),
        ("bjo\u{308}rn å", true),
        ("Åkesson", true), ("kesson", false), ("å", false), ("", false), ("N-17", true), ("n-17", false),
        ("Kim", false),
    ])
    func knowsWhatARecordIsCalled(text: String, expected: Bool) {
        #expect(customer.answers(to: text) == expected)
    }

    @Test(arguments: [("12", true), ("#12", true), ("1", false), ("Rex", false)])
    func knowsANumber(text: String, expected: Bool) {
        let walk = Walk(number: 12, dogs: [WalkDog(dog: .make(), dogName: "Rex")], start: .now())
        #expect(walk.answers(to: text) == expected)
    }
}
