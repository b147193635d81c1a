import ArgumentParser
import Messages

/// The fields of a service that both `add` and `edit` take.
struct SoldServiceFields: ParsableArguments {
    @Option(help: ArgumentHelp("The usual price, like 12.50.", valueName: "amount"))
    var price: String?

    @Option(
        help: ArgumentHelp(
            "The price's currency, like EUR; that of the price before, or the configured one [DAYBOOK_CURRENCY].",
            valueName: "code"
        )
    )
    var currency: String?

    @Option(help: ArgumentHelp("Anything else worth knowing: text, @file, or - for standard input.", valueName: "text"))
    var info: String?

    @Option(help: ArgumentHelp("What the service is called elsewhere.", valueName: "text"))
    var reference: String?

    @Option(
        help: ArgumentHelp("The recipe it is made by: the name, or the end or beginning of the id.", valueName: "which")
    )
    var recipe: String?

    mutating func validate() throws {
        if currency != nil, price == nil { throw ValidationError("--currency says what --price is in: give both.") }
    }

    /// What was given.
    ///
    /// - Parameters:
    ///   - usual: the currency of a price that nothing else names one for.
    ///   - recipe: the record that ``recipe`` names.
    func edit(name: String?, usual: Currency, recipe: Recipe?) throws(CLIError) -> RecordEdit<SoldService> {
        var edit = RecordEdit<SoldService>()
        edit.set("name", \.name, name)
        let given = try currency.map { code throws(CLIError) in try Self.currency(code) }
        var setPrice: RecordEdit<SoldService>.Step?
        if let price {
            setPrice = { (service) throws(CLIError) in
                service.price = try Self.price(price, given ?? service.price?.currency ?? usual)
            }
        }
        edit.set("price", setPrice) { (service) throws(CLIError) in service.price = nil }
        edit.set("info", \.info, try TextSource.text(info, option: "--info"))
        edit.set("reference", \.reference, reference)
        var setRecipe: RecordEdit<SoldService>.Step?
        if let recipe { setRecipe = { (service) throws(CLIError) in service.recipe = recipe.id } }
        edit.set("recipe", setRecipe) { (service) throws(CLIError) in service.recipe = nil }
        return edit
    }

    private static func currency(_ code: String) throws(CLIError) -> Currency {
        do throws(AmountError) {
            return try Currency(code: code)
        } catch {
            throw .usage("--currency: \(error)")
        }
    }

    private static func price(_ text: String, _ currency: Currency) throws(CLIError) -> Money {
        do throws(AmountError) {
            return try Money(parsing: text, currency: currency)
        } catch {
            throw .usage("--price: \(error)")
        }
    }
}
