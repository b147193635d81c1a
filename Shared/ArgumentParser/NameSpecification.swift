/// The names of an option or flag.
public struct NameSpecification: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// One name.
    public struct Element: Sendable, Hashable {
        enum Form: Hashable {
            case long
            case short
            case customLong(String)
            case customShort(Character)
        }

        var form: Form

        /// `--` and the property's name in kebab case.
        public static var long: Element { Element(form: .long) }
        /// `-` and the first letter of the property's name.
        public static var short: Element { Element(form: .short) }

        /// `--` and `name`, which is given without dashes.
        public static func customLong(_ name: String) -> Element { Element(form: .customLong(name)) }
        /// `-` and `character`.
        public static func customShort(_ character: Character) -> Element { Element(form: .customShort(character)) }
    }

    var elements: [Element]

    /// Several names; errors and help use the first long one.
    public init(arrayLiteral elements: Element...) {
        self.elements = elements
    }

    /// `--` and the property's name in kebab case.
    public static var long: NameSpecification { [.long] }
    /// `-` and the first letter of the property's name.
    public static var short: NameSpecification { [.short] }
    /// Both.
    public static var shortAndLong: NameSpecification { [.short, .long] }

    /// `--` and `name`, which is given without dashes.
    public static func customLong(_ name: String) -> NameSpecification { [.customLong(name)] }
    /// `-` and `character`.
    public static func customShort(_ character: Character) -> NameSpecification { [.customShort(character)] }

    /// The names with their dashes, for a property called `key`.
    func names(for key: String) -> [String] {
        elements.map { element in
            switch element.form {
            case .long: "--" + key.kebabCased
            case .short: "-" + key.prefix(1).lowercased()
            case .customLong(let name): "--" + name
            case .customShort(let character): "-\(character)"
            }
        }
    }
}

extension String {
    /// `ordersAdd`, `OrdersAdd` and `orders_add` are `orders-add`; `asJSONFile` is `as-json-file`.
    var kebabCased: String {
        let characters = Array(self)
        var result = ""
        for (index, character) in characters.enumerated() {
            if character == "_" {
                if !result.isEmpty { result += "-" }
                continue
            }
            if character.isUppercase, index > 0, characters[index - 1] != "_" {
                let followsLower = !characters[index - 1].isUppercase
                let leadsLower = index + 1 < characters.count && characters[index + 1].isLowercase
                if followsLower || leadsLower { result += "-" }
            }
            result += character.lowercased()
        }
        return result
    }
}
