import Client
import Messages
import ZeroMQ

/// The values of environment and file, under the name that a refusal gives.
struct Settings {
    var environment: [String: String]
    var file: ConfigurationFile

    struct Value {
        var text: String
        /// The variable, or the file and its key.
        var name: String
    }

    func value(_ variable: String, _ key: String) -> Value? {
        if let text = environment[variable] { return Value(text: text, name: variable) }
        return file.values[key].map { Value(text: $0, name: "'\(key)' in \(file.path)") }
    }

    func text(_ variable: String, _ key: String) -> String? { value(variable, key)?.text }

    func boolean(_ variable: String) throws(CLIError) -> Bool {
        try boolean(environment[variable].map { Value(text: $0, name: variable) })
    }

    func isQueueing() throws(CLIError) -> Bool { try boolean(value("DAYBOOK_QUEUE", "queue")) }

    private func boolean(_ value: Value?) throws(CLIError) -> Bool {
        switch value?.text {
        case nil, "0", "false": return false
        case "1", "true": return true
        case let found?: throw .badSetting(name: value?.name ?? "", found: found, reason: "write 1 or 0")
        }
    }

    /// Where a service is reached that is not reached by its socket files; nil where it is.
    func endpoints(_ service: ServiceName) throws(CLIError) -> ServiceEndpoints? {
        if let value = value("DAYBOOK_\(service.rawValue.uppercased())_ENDPOINT", "endpoints.\(service)") {
            let reason = "write tcp://host:7401, or ipc:///folder/catalog.requests"
            return try reached(value, reason) { text throws(ZeroMQError) in try ServiceEndpoints(parsing: text) }
        }
        guard let value = value("DAYBOOK_HOST", "host") else { return nil }
        return try reached(value, "write the name or address of the services' machine") { host throws(ZeroMQError) in
            guard let endpoints = ServiceEndpoints.tcp(host: host, service) else { return nil }
            return try ServiceEndpoints(parsing: endpoints.requests.description)
        }
    }

    private func reached(
        _ value: Value,
        _ reason: String,
        _ endpoints: (String) throws(ZeroMQError) -> ServiceEndpoints?
    ) throws(CLIError) -> ServiceEndpoints? {
        let found = try? endpoints(value.text)
        if case .tcp(host: "*", _)? = found?.requests {
            throw .badSetting(name: value.name, found: value.text, reason: reason)
        }
        guard let found else { throw .badSetting(name: value.name, found: value.text, reason: reason) }
        return found
    }

    /// The name of the key that is shown to services.
    func key() throws(CLIError) -> String? {
        guard let value = value("DAYBOOK_KEY", "key") else { return nil }
        guard KeyFile.isName(value.text) else {
            throw .badSetting(name: value.name, found: value.text, reason: "write the name of a key, like anna")
        }
        return value.text
    }

    func currency() throws(CLIError) -> Currency {
        guard let value = value("DAYBOOK_CURRENCY", "currency") else { return .eur }
        guard let currency = Currency(value.text) else {
            throw .badSetting(name: value.name, found: value.text, reason: "write a code of ISO 4217, like EUR")
        }
        return currency
    }

    func format(flag: OutputFormat?) throws(CLIError) -> OutputFormat {
        if let flag { return flag }
        guard let value = value("DAYBOOK_FORMAT", "format") else { return .table }
        guard let format = OutputFormat(rawValue: value.text), OutputFormat.texts.contains(format) else {
            let all = OutputFormat.texts.map(\.rawValue).joined(separator: ", ")
            throw .badSetting(name: value.name, found: value.text, reason: "there are \(all)")
        }
        return format
    }

    /// How long services keep events; nil for ever.
    func keepEvents(flag: String?) throws(CLIError) -> String? {
        let value = flag.map { Value(text: $0, name: "--keep-events") } ?? value("DAYBOOK_KEEP_EVENTS", "keepEvents")
        guard let value else { return nil }
        do throws(RetentionError) {
            _ = try RetentionPolicy(value.text)
        } catch {
            throw .usage("\(value.name) is \(error).")
        }
        return value.text
    }

    /// Of rows that name none.
    func taxRate() throws(CLIError) -> TaxRate? {
        guard let value = value("DAYBOOK_TAX_RATE", "taxRate") else { return nil }
        guard let rate = try? TaxRate(parsing: value.text) else {
            throw .badSetting(name: value.name, found: value.text, reason: "write a percentage from 0 to 100, like 19")
        }
        return rate
    }

    func dueDays() throws(CLIError) -> Int? {
        guard let value = value("DAYBOOK_DUE_DAYS", "dueDays") else { return nil }
        guard let days = Int(value.text), 0...3660 ~= days else {
            throw .badSetting(name: value.name, found: value.text, reason: "write a number of days, like 14")
        }
        return days
    }

    func orderNumbers() throws(CLIError) -> String? {
        guard let value = value("DAYBOOK_ORDER_NUMBERS", "orderNumbers") else { return nil }
        guard ["running", "yearly"].contains(value.text) else {
            throw .badSetting(name: value.name, found: value.text, reason: "write running or yearly")
        }
        return value.text
    }

    /// How orders bill walks.
    func walkBilling(usual: WalkBilling) throws(CLIError) -> WalkBilling {
        var billing = usual
        if let service = text("DAYBOOK_WALKS_SERVICE", "walks.service") { billing.service = service }
        if let price = text("DAYBOOK_WALKS_PRICE", "walks.price") { billing.price = price }
        guard let per = value("DAYBOOK_WALKS_PER", "walks.per") else { return billing }
        guard let unit = WalkBilling.Unit(rawValue: per.text) else {
            throw .badSetting(name: per.name, found: per.text, reason: "write walk, dog or hour")
        }
        billing.per = unit
        return billing
    }

    /// Thousandths of a second to a day; 10 s by default.
    func timeout(flag: String?) throws(CLIError) -> Duration {
        let value = flag.map { Value(text: $0, name: "--timeout") } ?? value("DAYBOOK_TIMEOUT", "timeout")
        guard let value else { return .seconds(10) }
        guard let milliseconds = try? DecimalText.minorUnits(value.text, decimals: 3), 1...86_400_000 ~= milliseconds
        else {
            throw .badSetting(
                name: value.name,
                found: value.text,
                reason: "write seconds, like 5 or 0.5, up to 86400"
            )
        }
        return .milliseconds(milliseconds)
    }
}
