import Messages

extension DemoSample {
    static let recipeTypes: [RecipeType] = ["Bread", "Cake", "Soup", "Biscuits for dogs", "Preserve"].enumerated().map {
        RecipeType(id: id(.recipeType, $0), name: $1)
    }

    static let recipes: [Recipe] = [
        recipe(
            0,
            "Rye loaf",
            "2 hr 30 min",
            type: 0,
            "A dense loaf that keeps for a week.",
            "Mix, leave overnight, shape, and bake at 230 °C for 50 minutes.",
            [("Rye flour", "500 g"), ("Water", "400 ml"), ("Sourdough", "100 g"), ("Salt", "10 g")]
        ),
        recipe(
            1,
            "Apfelkuchen",
            "1 hr",
            type: 1,
            "Apples on a thin sponge.",
            "Cream butter and sugar, fold in the rest, lay the apples on top, and bake at 180 °C for 40 minutes.",
            [("Apples", "4"), ("Flour", "200 g"), ("Butter", "125 g"), ("Sugar", "100 g"), ("Eggs", "3")]
        ),
        recipe(
            2,
            "Leek soup",
            "35 min",
            type: 2,
            "For a cold day after a long walk.",
            "Sweat the leeks, add potatoes and stock, simmer for 20 minutes, and blend.",
            [("Leeks", "3"), ("Potatoes", "400 g"), ("Stock", "1 l"), ("Cream", nil)]
        ),
        recipe(
            3,
            "Oat bones",
            "45 min",
            type: 3,
            "Hard biscuits that dogs come running for.",
            "Knead, roll out, cut into bones, and bake at 160 °C for 30 minutes.",
            [("Oats", "250 g"), ("Carrot", "1"), ("Egg", "1"), ("Rapeseed oil", "2 tbsp")]
        ),
        recipe(
            4,
            "Plum jam",
            "1 hr 15 min",
            type: 4,
            "Dark and not too sweet.",
            "Cook the plums soft, add the sugar, boil until it sets, and fill hot jars.",
            [("Plums", "1 kg"), ("Sugar", "500 g"), ("Lemon", "1/2")]
        ),
    ]

    static let customers: [Customer] = [
        customer(0, "Björn Åkesson", "bjorn@example.org", "Storgatan 4, Lund", "Pays by the month."),
        customer(1, "Zoë Lefèvre", "zoe@example.org", "12 rue des Lilas, Lyon", nil),
        customer(2, "Kim Berg", "kim.berg@example.org", "Havnegade 9, Aarhus", nil),
        customer(3, "Kim Berg", "kim@example.com", "Lindenweg 2, Kiel", "Not the one in Aarhus."),
        customer(4, "李小雨", "xiaoyu@example.org", "Parkstraße 21, Hamburg", nil),
        customer(5, "Анна Йовкова", nil, "ul. Rakovski 7, Sofia", "Rings before she comes."),
    ]

    static let services: [SoldService] = [
        service(0, "Bath", "With drying and brushing.", 1800),
        service(1, "Claw trim", nil, 950),
        service(2, "Walk, one hour", "In the woods, off the lead where it is allowed.", 1500),
        service(3, "Rye loaf", "750 g.", 620),
        service(4, "Box of oat bones", "About 40.", 480),
    ]

    /// The newest is of today.
    static func orders(today: CalendarDay) -> [Order] {
        let sold: [(customer: Int?, rows: [(service: Int?, sum: Int64)], made: Bool, paid: Bool)] = [
            (0, [(0, 1800), (1, 950)], true, true),
            (1, [(3, 620), (3, 620)], true, true),
            (2, [(2, 1500)], true, false),
            (3, [(2, 1500), (4, 480)], true, true),
            (4, [(0, 1800)], true, false),
            (5, [(4, 960)], true, true),
            (0, [(2, 1500), (2, 1500), (nil, -300)], true, false),
            (nil, [(3, 620)], true, true),
            (1, [(0, 2000), (1, 950), (4, 480)], false, false),
            (4, [], false, false),
        ]
        var row = 0
        return sold.enumerated().map { index, order in
            let daysAgo = 3 * (sold.count - 1 - index)
            let rows = order.rows.map { service, sum in
                defer { row += 1 }
                return OrderRow(id: id(.orderRow, row), service: service.map { id(.service, $0) }, sum: sum)
            }
            return Order(
                id: id(.order, index),
                date: (try? today.adding(days: -daysAgo)) ?? today,
                customer: order.customer.map { id(.customer, $0) },
                currency: .eur,
                rows: rows,
                made: order.made,
                paid: order.paid
            )
        }
    }

    static let dogs: [Dog] = ["Frieda", "Måns", "小白"].enumerated().map { Dog(id: id(.dog, $0), name: $1) }

    /// Of today, yesterday and before, in the order in which they were made.
    static func walks(now: Instant) -> [Walk] {
        let hoursAgo = [75, 52, 49, 26, 24, 1]
        return hoursAgo.enumerated().map { index, hours in
            Walk(
                id: id(.walk, index),
                dog: id(.dog, index % dogs.count),
                time: now.advanced(by: .seconds(-3600 * hours))
            )
        }
    }

    private static func recipe(
        _ number: Int,
        _ name: String,
        _ prepTime: String,
        type: Int,
        _ overview: String,
        _ instructions: String,
        _ ingredients: [(name: String, amount: String?)]
    ) -> Recipe {
        Recipe(
            id: id(.recipe, number),
            name: name,
            prepTime: prepTime,
            type: id(.recipeType, type),
            overview: overview,
            instructions: instructions,
            ingredients: ingredients.enumerated().map { index, ingredient in
                Ingredient(id: id(.ingredient, 16 * number + index), name: ingredient.name, amount: ingredient.amount)
            }
        )
    }

    private static func customer(
        _ number: Int,
        _ name: String,
        _ email: String?,
        _ address: String,
        _ info: String?
    ) -> Customer {
        Customer(id: id(.customer, number), name: name, info: info, email: email, address: address)
    }

    private static func service(_ number: Int, _ name: String, _ info: String?, _ price: Int64) -> SoldService {
        SoldService(id: id(.service, number), name: name, info: info, price: Money(amount: price, currency: .eur))
    }
}
