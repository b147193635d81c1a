import ArgumentParser
import Messages
import Testing

@testable import CLI

struct RecordEditTests {
    private func sentence(_ body: () throws -> Void) -> String? {
        #expect(throws: CLIError.self, performing: body)?.description
    }

    @Test func changesOnlyWhatIsGiven() throws {
        var edit = RecordEdit<Customer>()
        edit.set("name", \.name, nil)
        edit.set("email", \.email, " a\u{30A}@example.org ")
        edit.set("phone", \.phone, "\u{200B} ")
        edit.set("address", \.address, nil)
        let before = Customer(version: 3, name: "Ann", email: "x", phone: "1", address: "Lund")
        let after = try edit.applied(to: before)
        #expect(after.email?.utf8.elementsEqual("å@example.org".utf8) == true)
        #expect(after.phone == nil)
        #expect((after.name, after.address, after.version) == ("Ann", "Lund", 3))
        #expect(try edit.fieldMissing(in: after) == nil)
        #expect(try edit.fieldMissing(in: before) == "email")
    }

    @Test func clearsWhatMayBeAbsent() throws {
        var edit = RecordEdit<Customer>()
        edit.set("email", \.email, nil)
        #expect(edit.isEmpty)
        try edit.clear(["email"])
        #expect(!edit.isEmpty)
        #expect(try edit.applied(to: Customer(name: "Ann", email: "x")).email == nil)
    }

    @Test(
        arguments: [
            ("emial", "--clear takes no 'emial'; did you mean 'email'?"),
            ("name", "--clear takes no 'name'; it takes email, phone, address, info, reference."),
            ("phone", "'phone' is both given and cleared; do one of them."),
        ]
    )
    func refusesToClear(field: String, expected: String) throws {
        let command = try Customers.parseAsRoot(["edit", "Ann", "--phone", "1", "--clear", field])
        let parsed = try #require(command as? CustomersEdit)
        var edit = try parsed.fields.edit(name: parsed.name)
        #expect(sentence { try edit.clear(parsed.options.clear) } == expected)
    }

    @Test(
        arguments: [
            (["--price", "12.5"], Money(amount: 1250, currency: .usd)),
            (["--price=-1", "--currency", "EUR"], Money(amount: -100, currency: .eur)),
        ]
    )
    func readsAPriceInTheCurrencyOfTheOneBefore(arguments: [String], expected: Money) throws {
        let command = try SoldServices.parseAsRoot(["edit", "Bath"] + arguments)
        let parsed = try #require(command as? SoldServicesEdit)
        let edit = try parsed.fields.edit(name: nil, usual: Currency(code: "JPY"), recipe: nil)
        let bath = SoldService(name: "Bath", price: Money(amount: 1, currency: .usd))
        #expect(try edit.applied(to: bath).price == expected)
    }

    @Test(
        arguments: [
            (["--price", "1.005"], "too many decimals"), (["--price", "1e3"], "exponent"),
            (["--price", "abc"], "\"abc\""), (["--price", "1,5"], "--price"),
            (["--price", "99999999999999999999"], "largest"), (["--price", "1", "--currency", "eur"], "EUR"),
        ]
    )
    func refusesAnAmountThatIsNotPlain(arguments: [String], part: String) throws {
        let command = try SoldServices.parseAsRoot(["add", "Bath"] + arguments)
        let parsed = try #require(command as? SoldServicesAdd)
        let found = sentence {
            _ = try parsed.fields.edit(name: nil, usual: .eur, recipe: nil).applied(to: SoldService(name: "Bath"))
        }
        #expect(found?.contains(part) == true)
        #expect(found?.hasPrefix("--") == true)
    }

    @Test func refusesACurrencyWithoutAPrice() {
        #expect(throws: (any Error).self) { try SoldServices.parseAsRoot(["add", "Bath", "--currency", "EUR"]) }
    }
}
