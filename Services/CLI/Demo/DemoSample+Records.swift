import Messages

extension DemoSample {
    static let recipeTypes: [RecipeType] = ["Bread", "Cake", "Soup", "Biscuits for dogs", "Preserve"].enumerated().map {
        RecipeType(id: id(.recipeType, $0), name: $1)
    }

    static let recipes: [Recipe] = [
        recipe(
            0,
            "Rye loaf",
            prepTime: "1 hr 40 min",
            cookTime: "50 min",
            yield: "1 loaf",
            type: 0,
            "A dense loaf that keeps for a week.",
            ["500 g rye flour", "400 ml water", "100 g sourdough", "10 g salt"],
            ["Mix everything and leave it overnight.", "Shape the loaf.", "Bake at 230 °C for 50 minutes."]
        ),
        recipe(
            1,
            "Apfelkuchen",
            prepTime: "20 min",
            cookTime: "40 min",
            yield: "12 pieces",
            type: 1,
            "Apples on a thin sponge.",
            ["4 apples", "200 g flour", "125 g butter, soft", "100 g sugar", "3 eggs"],
            [
                "Cream butter and sugar.", "Fold in the rest, and lay the apples on top.",
                "Bake at 180 °C for 40 minutes.",
            ]
        ),
        recipe(
            2,
            "Leek soup",
            prepTime: "15 min",
            cookTime: "20 min",
            yield: "4 servings",
            type: 2,
            "For a cold day after a long walk.",
            ["3 leeks, sliced", "400 g potatoes", "1 l stock", "[To serve]", "cream"],
            ["Sweat the leeks.", "Add potatoes and stock, and simmer for 20 minutes.", "Blend."]
        ),
        recipe(
            3,
            "Oat bones",
            prepTime: "15 min",
            cookTime: "30 min",
            yield: "about 40 biscuits",
            type: 3,
            "Hard biscuits that dogs come running for.",
            ["250 g oats", "1 carrot", "1 egg", "2 tbsp rapeseed oil"],
            ["Knead, and roll out.", "Cut into bones.", "Bake at 160 °C for 30 minutes."]
        ),
        recipe(
            4,
            "Plum jam",
            prepTime: "30 min",
            cookTime: "45 min",
            yield: "4 jars",
            type: 4,
            "Dark and not too sweet.",
            ["1 kg plums", "500 g sugar", "1/2 lemon"],
            ["Cook the plums soft.", "Add the sugar, and boil until it sets.", "Fill hot jars."]
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

    static let dogs: [Dog] = [("Frieda", 1), ("Måns", 0), ("小白", 4)].enumerated().map { index, dog in
        Dog(id: id(.dog, index), name: dog.0, owner: id(.customer, dog.1))
    }

    /// Walks are billed by the hour.
    static let walkBilling = WalkBilling(service: services[2].name, per: .hour)

    /// Of today, yesterday and before, in the order in which they were made.
    static func walks(now: Instant) -> [Walk] {
        let logged: [(dogs: [Int], hoursAgo: Int, minutes: Int?, note: String?)] = [
            ([0], 75, 60, nil), ([1], 52, 45, "Rain."), ([2], 49, nil, nil), ([0, 1], 26, 60, "Through the woods."),
            ([1], 24, 30, nil), ([2, 0], 2, 60, nil),
        ]
        var part = 0
        return logged.enumerated().map { index, walk in
            let start = now.advanced(by: .seconds(-3600 * walk.hoursAgo))
            let dogs = walk.dogs.map { dog in
                defer { part += 1 }
                return WalkDog(id: id(.walkDog, part), dog: id(.dog, dog))
            }
            let end = walk.minutes.map { start.advanced(by: .seconds(60 * $0)) }
            return Walk(id: id(.walk, index), dogs: dogs, start: start, end: end, note: walk.note)
        }
    }

    private static func recipe(
        _ number: Int,
        _ name: String,
        prepTime: String,
        cookTime: String,
        yield: String,
        type: Int,
        _ overview: String,
        _ ingredients: [String],
        _ steps: [String]
    ) -> Recipe {
        func parts<Part: RecipePart>(_ kind: Kind, _ texts: [String]) -> [Part] {
            texts.compactMap(WrittenPart.init).enumerated().map { index, part in
                Part(id: id(kind, 16 * number + index), content: part.content, isHeading: part.isHeading)
            }
        }
        return Recipe(
            id: id(.recipe, number),
            name: name,
            prepTime: prepTime,
            cookTime: cookTime,
            yield: yield,
            type: id(.recipeType, type),
            overview: overview,
            ingredients: parts(.ingredient, ingredients),
            steps: parts(.step, steps)
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
