import Messages
import Text

/// How a kind of record goes into files and comes back: which of its noun's fields, and how each is set.
///
/// What `daybook export` writes are these fields, under the noun's names; `daybook import` reads the same names. A
/// record's `id` is always the first; what follows from other fields, such as versions, is in neither.
struct ExchangeForm<R: Resolvable>: Sendable {
    var noun: Noun<R>
    /// Beside the id.
    var columns: [ExchangeColumn<R>]
    /// A new record, before its columns are set.
    var make: @Sendable (Identifier) -> R

    /// The noun with these fields alone.
    var exported: Noun<R> {
        var noun = noun
        let names = ["id"] + columns.map(\.name)
        noun.fields = names.compactMap { name in noun.fields.first { $0.declaration.name == name } }
        return noun
    }

    /// What a file's columns can be.
    var targets: [ImportTarget] {
        let id = ImportTarget(name: "id", titles: [], kind: .text)
        return [id]
            + columns.flatMap { column in
                let field = noun.fields.first { $0.declaration.name == column.name }
                let target = ImportTarget(
                    name: column.name,
                    titles: [field?.declaration.title ?? ""],
                    kind: column.kind
                )
                guard column.kind == .money else { return [target] }
                return [target, ImportTarget(name: target.currencyName, titles: [], kind: .text)]
            }
    }
}

/// One field of a record as files have it.
struct ExchangeColumn<R: Record>: Sendable {
    enum Setting: Sendable {
        case required(@Sendable (inout R, String) -> Void)
        case text(@Sendable (inout R, String?) -> Void)
        case money(@Sendable (inout R, Money?) -> Void)
    }

    /// As the noun's field.
    var name: String
    var setting: Setting

    var kind: ImportTarget.Kind {
        if case .money = setting { .money } else { .text }
    }

    /// Text that must be there.
    static func required(_ name: String, _ set: @escaping @Sendable (inout R, String) -> Void) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .required(set))
    }

    /// Text; nil for none.
    static func text(_ name: String, _ set: @escaping @Sendable (inout R, String?) -> Void) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .text(set))
    }

    /// An amount; nil for none. In CSV its currency has a column of its own, `NAME_currency`.
    static func money(_ name: String, _ set: @escaping @Sendable (inout R, Money?) -> Void) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .money(set))
    }
}

extension ExchangeForm where R == Customer {
    static let customer = ExchangeForm(
        noun: .customer,
        columns: [
            .required("name") { $0.name = $1 },
            .text("email") { $0.email = $1 },
            .text("phone") { $0.phone = $1 },
            .text("address") { $0.address = $1 },
            .text("info") { $0.info = $1 },
            .text("reference") { $0.reference = $1 },
        ],
        make: { Customer(id: $0, name: "") }
    )
}

extension ExchangeForm where R == SoldService {
    static let service = ExchangeForm(
        noun: .service,
        columns: [
            .required("name") { $0.name = $1 },
            .money("price") { $0.price = $1 },
            .text("info") { $0.info = $1 },
            .text("reference") { $0.reference = $1 },
        ],
        make: { SoldService(id: $0, name: "") }
    )
}

extension ExchangeForm where R == RecipeType {
    static let recipeType = ExchangeForm(
        noun: .recipeType,
        columns: [.required("name") { $0.name = $1 }],
        make: { RecipeType(id: $0, name: "") }
    )
}
