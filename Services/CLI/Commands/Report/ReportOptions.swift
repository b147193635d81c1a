import ArgumentParser
import Messages
import Text

/// The options of which orders count in sums.
struct TotalsSelection: ParsableArguments {
    @OptionGroup var period: PeriodOptions
    @OptionGroup var selection: ReportSelection
    @OptionGroup var progress: ProgressOptions

    /// What is asked for.
    ///
    /// - Parameter limit: how many of each currency; nil for all.
    /// - Throws: what finding throws, and ``CLIError/usage(_:)``.
    func request(
        by grouping: TotalsReport.Grouping,
        limit: Int? = nil,
        asOf: AsOf?,
        by daybook: Invocation
    ) async throws(CLIError) -> TotalsReport {
        let (from, to) = try period.days()
        let (customer, service) = try await selection.ids(by: daybook)
        return TotalsReport(
            by: grouping,
            from: from,
            through: to,
            customer: customer,
            service: service,
            made: progress.made,
            paid: progress.paid,
            limit: limit,
            asOf: asOf
        )
    }

    /// What was chosen for people, a line each.
    func notes(of report: TotalsReport) -> [String?] {
        [PeriodOptions.words(report.from, report.through), progress.words, selection.words]
    }
}

/// Options of other reports, which make no sense in one: they are taken so that it can say why.
struct OtherSelection: ParsableArguments {
    @Option(help: ArgumentHelp("Not here.", valueName: "which", visibility: .hidden))
    var service: String?

    @OptionGroup(visibility: .hidden) var progress: ProgressOptions

    /// - Throws: `ValidationError` with the reason, where one was given.
    func refuse(_ reason: String) throws(ValidationError) {
        guard service != nil || progress.made != nil || progress.paid != nil else { return }
        throw ValidationError("\(reason): leave --service, --made and --paid out.")
    }
}

/// The options of whose orders count in a report.
struct ReportSelection: ParsableArguments {
    @Option(help: ArgumentHelp("Only those of this customer: a name, the end of an id, or an id.", valueName: "which"))
    var customer: String?

    @Option(help: ArgumentHelp("Only those with this service: a name, the end of an id, or an id.", valueName: "which"))
    var service: String?

    /// What was chosen for people: `Only customer Lind.`; nil for all.
    var words: String? {
        let words = [customer.map { "customer \($0)" }, service.map { "service \($0)" }].compactMap(\.self)
        return words.isEmpty ? nil : "Only \(words.joined(separator: " and "))."
    }

    /// The ids of those that were given; a whole UUID is taken as it is.
    ///
    /// - Throws: what finding them throws.
    func ids(by daybook: Invocation) async throws(CLIError) -> (customer: Identifier?, service: Identifier?) {
        var customerID: Identifier?
        if let customer { customerID = try await daybook.reportID(Customer.self, customer) }
        var serviceID: Identifier?
        if let service { serviceID = try await daybook.reportID(SoldService.self, service) }
        return (customerID, serviceID)
    }
}

extension Invocation {
    /// The record's id. A whole UUID needs not be there any more: reports go back to what was.
    ///
    /// - Throws: what finding it throws.
    func reportID<R: Resolvable>(_ type: R.Type, _ text: String) async throws(CLIError) -> Identifier {
        if let id = Identifier(text) { return id }
        return try await resolver.record(type, text).id
    }
}

extension AsOf.Reached {
    /// For people: `As of event 17 of orders, 2024-03-31 18:05:09.`
    var words: String {
        let time = time.map { ", " + CellText.current.text(.instant($0), idDigits: nil) } ?? ""
        let event = walks.map { "\($0) of walks" } ?? "\(orders ?? 0) of orders"
        return "As of event \(event)\(time)."
    }
}

extension Positions {
    /// The same as of a moment.
    func reaching(_ reached: AsOf.Reached?) -> Positions {
        guard let reached else { return self }
        var positions = self
        for (service, sequence) in [
            (ServiceName.orders, reached.orders), (.catalog, reached.catalog), (.walks, reached.walks),
        ] {
            if let sequence { positions[service.rawValue]?.sequence = sequence }
        }
        return positions
    }
}
