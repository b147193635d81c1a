import Messages
import Testing

@testable import CLI

/// Which walks are billed, and as how much.
struct WalkBillingTests {
    private let rex = Dog(id: .test(1), name: "Rex")
    private let frieda = Dog(id: .test(2), name: "Frieda")
    private let fido = Dog(id: .test(3), name: "Fido")
    /// Whose walks are billed.
    private var own: Set<Identifier> { [rex.id, frieda.id] }

    private func walk(_ number: Int64, _ dogs: [Dog], minutes: Int64? = nil, running: Bool? = nil) -> Walk {
        let start = Instant(microseconds: 1_706_778_000_000_000 + number * 86_400_000_000)
        return Walk(
            id: .test(UInt64(100 + number)),
            number: number,
            dogs: dogs.map { WalkDog(id: .test($0.name == "Rex" ? 11 : 12), dog: $0.id, dogName: $0.name) },
            start: start,
            end: minutes.map { Instant(microseconds: start.microseconds + $0 * 60_000_000) },
            running: running
        )
    }

    private func selection(
        _ per: WalkBilling.Unit,
        _ walks: [Walk],
        billed: Set<BilledWalk> = []
    ) -> WalkBilling.Selection {
        WalkBilling(service: "Walk", per: per).selection(of: walks, with: own, billed: billed)
    }

    @Test func theOwnersPartOfEachWalkIsBilledInItsOrder() {
        let walks = [
            walk(3, [fido], minutes: 1), walk(2, [fido, frieda], minutes: 5), walk(1, [rex, frieda], minutes: 9),
        ]
        for per in [WalkBilling.Unit.walk, .dog, .hour] {
            let billable = selection(per, walks).billable
            #expect(billable.map(\.walk.number) == [1, 2])
            #expect(billable.map { $0.dogs.compactMap(\.dogName) } == [["Rex", "Frieda"], ["Frieda"]])
        }
    }

    @Test func whatGoesOnIsLeftAndWithoutAnEndByTheHour() {
        let walks = [walk(1, [rex], running: true), walk(2, [rex]), walk(3, [rex], minutes: 0)]
        let byHour = selection(.hour, walks)
        #expect(byHour.running.map(\.number) == [1] && byHour.endless.map(\.number) == [2])
        #expect(byHour.billable.map(\.walk.number) == [3])
        let byWalk = selection(.walk, walks)
        #expect(byWalk.running.map(\.number) == [1] && byWalk.endless.isEmpty)
        #expect(byWalk.billable.map(\.walk.number) == [2, 3])
    }

    /// By the dog each part is billed by itself; otherwise a walk is billed whole, once.
    @Test func whatIsBilledIsLeftOut() {
        let both = walk(1, [rex, frieda], minutes: 60)
        let billed: Set = [BilledWalk(walk: both.id, dog: rex.id)]
        #expect(selection(.walk, [both], billed: billed) == WalkBilling.Selection())
        #expect(selection(.hour, [both], billed: billed) == WalkBilling.Selection())
        #expect(selection(.dog, [both], billed: billed).billable.map { $0.dogs.map(\.dog) } == [[frieda.id]])
        // Another owner's part is no concern of this one.
        let shared = walk(2, [rex, fido], minutes: 60)
        #expect(selection(.walk, [shared], billed: [BilledWalk(walk: shared.id, dog: fido.id)]).billable.count == 1)
    }

    @Test(
        arguments: [
            (.walk, 50, "1"), (.dog, 50, "2"), (.hour, 45, "0.75"), (.hour, 50, "0.83"), (.hour, 90, "1.5"),
            (.hour, 0, "0"),
        ] as [(WalkBilling.Unit, Int64, String)]
    )
    func aQuantityIsOfWalksDogsOrHundredthsOfHours(per: WalkBilling.Unit, minutes: Int64, quantity: String) {
        let walk = walk(1, [rex, frieda], minutes: minutes)
        let item = WalkBilling.Item(walk: walk, dogs: walk.dogs)
        #expect(WalkBilling(service: "Walk", per: per).quantity(of: item).description == quantity)
    }

    @Test func aRowSaysTheDayAndTheDogsAsLongAsTheyFit() throws {
        let day = try CalendarDay(parsing: "2024-02-03")
        let two = walk(1, [rex, frieda])
        #expect(WalkBilling.label(of: .init(walk: two, dogs: two.dogs), on: day) == "2024-02-03 Rex, Frieda")
        let many = walk(2, (0..<60).map { Dog(name: "Dog \($0)") })
        #expect(WalkBilling.label(of: .init(walk: many, dogs: many.dogs), on: day) == "2024-02-03 60 dogs")
    }
}
