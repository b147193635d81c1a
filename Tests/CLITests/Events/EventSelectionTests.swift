import ArgumentParser
import Client
import Messages
import Testing

@testable import CLI

struct EventSelectionTests {
    private func selection(_ words: String...) throws -> EventSelection {
        try EventSelection(try Events.parse(words).events)
    }

    @Test func readsPositions() {
        let epoch = Identifier.make()
        #expect(EventStart(argument: "start") == .start)
        #expect(EventStart(argument: "now") == .now)
        #expect(EventStart(argument: "120") == .behind([.init(service: nil, position: EventPosition(sequence: 120))]))
        #expect(
            EventStart(argument: "orders:120,catalog:\(epoch):33")
                == .behind([
                    .init(service: .orders, position: EventPosition(sequence: 120)),
                    .init(service: .catalog, position: EventPosition(epoch: epoch, sequence: 33)),
                ])
        )
    }

    @Test(
        arguments: [
            "", "x", "-1", "+1", "1,2", "orders:", "orders:x", ":1", "orders:1,", "orders:1,orders:2", "orders:1,2",
            "shop:1", "orders:x:1", "orders:1:2:3", "9223372036854775808", "orders:1, catalog:2",
        ]
    )
    func refusesOtherPositions(text: String) {
        #expect(EventStart(argument: text) == nil)
    }

    @Test func aBareNumberNeedsOneSource() throws {
        let bare = try #require(EventStart(argument: "5"))
        #expect(try bare.position(of: .orders, among: [.orders]) == EventPosition(sequence: 5))
        let error = #expect(throws: CLIError.self) { try bare.position(of: .orders, among: [.orders, .catalog]) }
        #expect(error?.description == "--from 5 needs one --source; or write 'orders:5,catalog:5'.")
        let named = try #require(EventStart(argument: "catalog:1"))
        #expect(throws: CLIError.self) { try named.position(of: .orders, among: [.orders, .catalog]) }
    }

    @Test func sourcesAreThoseNamedOrThoseOfPositionsOrOfTypes() throws {
        #expect(try selection().sources == [.catalog, .orders, .walks])
        #expect(try selection("--source", "orders", "--source", "orders").sources == [.orders])
        #expect(try selection("--from", "orders:1,catalog:2").sources == [.orders, .catalog])
        #expect(try selection("--type", "order", "--type", "recipe.created").sources == [.catalog, .orders])
        #expect(try selection("--type", "walk.created").entities == ["walk"])
        #expect(try selection().entities == nil)
    }

    @Test func suggestsTheTypeThatWasMeant() {
        let error = #expect(throws: CLIError.self) { try selection("--type", "order.create") }
        #expect(error?.description == "No type 'order.create'; did you mean 'order.created'?")
        #expect(throws: CLIError.self) { try selection("--source", "shop") }
        #expect(throws: (any Error).self) { try selection("--subject", "12") }
    }

    @Test func aTypeThatNoSourceHasIsRefused() {
        let error = #expect(throws: CLIError.self) { try selection("--source", "orders", "--type", "customer.created") }
        #expect(error?.description == "customer.created is of catalog, which is no --source.")
    }
}
