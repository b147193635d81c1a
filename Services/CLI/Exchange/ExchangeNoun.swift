import ArgumentParser

/// The kinds of records that go into files of CSV or JSON and come back from them.
enum ExchangeNoun: String, Sendable, CaseIterable, ExpressibleByArgument {
    case customers
    case services
    case types
    case recipes
    case orders
    case dogs
    case walks
}

/// The order of the numbers of a date.
enum DateOrder: String, Sendable, CaseIterable, ExpressibleByArgument {
    case dmy
    case mdy
    case ymd

    /// How a date of this order looks.
    var example: String {
        switch self {
        case .dmy: "31.3.2024"
        case .mdy: "3/31/2024"
        case .ymd: "2024/3/31"
        }
    }
}
