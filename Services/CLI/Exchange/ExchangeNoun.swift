import ArgumentParser

/// The kinds of records that go into files of CSV or JSON and come back from them.
enum ExchangeNoun: String, Sendable, CaseIterable, ExpressibleByArgument {
    case customers
    case services
    case types
}
