import JSON
import Messages

/// The configuration file: one JSON object.
///
///     {
///       "home": "~/books",
///       "runtime": "/run/user/1000/books",
///       "currency": "USD",
///       "timeout": 5,
///       "format": "json",
///       "keepEvents": "90d",
///       "taxRate": 19,
///       "dueDays": 14,
///       "orderNumbers": "yearly",
///       "business": {"name": "Daybook Bakery", "address": ["Mill Lane 3", "0182 Oslo"]},
///       "queue": true,
///       "walks": {"service": "Walk, one hour", "per": "hour", "price": "15.00"},
///       "listen": "*",
///       "keys": "~/books/keys",
///       "host": "books.example",
///       "key": "anna",
///       "endpoints": {"catalog": "tcp://books.example:7401"}
///     }
struct ConfigurationFile: Sendable {
    /// What messages call it.
    var path: String
    /// By key; `endpoints.catalog`, `business.name` for what stands in an object.
    var values: [String: String] = [:]

    private static let textKeys = [
        "home", "runtime", "currency", "timeout", "format", "keepEvents", "orderNumbers", "listen", "keys", "host",
        "key",
    ]
    private static let numberKeys = ["taxRate", "dueDays"]

    /// Reads the file; without one there are no values.
    ///
    /// - Throws: ``CLIError/badConfiguration(file:key:reason:)`` for what isn't JSON, and for keys that nobody knows.
    static func read(
        _ path: String,
        userHome: String,
        contents: (String) throws(CLIError) -> [UInt8]?
    ) throws(CLIError) -> ConfigurationFile {
        var file = ConfigurationFile(path: path)
        guard let bytes = try contents(path) else { return file }
        let value: JSONValue
        do throws(JSONReader.Problem) {
            value = try JSONReader.value(of: bytes)
        } catch {
            throw .badConfiguration(file: path, key: nil, reason: "line \(error.line): \(error.reason)")
        }
        guard case .object(let members) = value else {
            throw .badConfiguration(file: path, key: nil, reason: "the file must hold one JSON object")
        }
        for member in members {
            if member.key == "endpoints" {
                try file.readGroup(member, keys: ServiceName.all.map(\.rawValue))
            } else if member.key == "business" {
                try file.readGroup(
                    member,
                    keys: Business.keys,
                    form: "text in quotes, or a list of lines",
                    Business.text
                )
            } else if member.key == "walks" {
                try file.readGroup(member, keys: WalkBilling.keys)
            } else if textKeys.contains(member.key) {
                try file.readText(member, userHome: userHome)
            } else if numberKeys.contains(member.key) {
                guard case .number(let number) = member.value else {
                    throw .badConfiguration(file: path, key: member.key, reason: "must be a number")
                }
                file.values[member.key] = number
            } else if member.key == "queue" {
                guard case .boolean(let isOn) = member.value else {
                    throw .badConfiguration(file: path, key: member.key, reason: "must be true or false")
                }
                file.values[member.key] = String(isOn)
            } else {
                let groups = ["business", "queue", "endpoints", "walks"]
                throw file.unknown(member.key, known: textKeys + numberKeys + groups)
            }
        }
        return file
    }

    private mutating func readText(_ member: JSONValue.Member, userHome: String) throws(CLIError) {
        switch (member.key, member.value) {
        case ("timeout", .number(let number)): values["timeout"] = number
        case ("timeout", _):
            throw .badConfiguration(file: path, key: "timeout", reason: "must be a number of seconds")
        case ("home", .string(let text)), ("runtime", .string(let text)), ("keys", .string(let text)):
            let isInHome = text.hasPrefix("~/")
            guard isInHome || text.hasPrefix("/") else {
                throw .badConfiguration(file: path, key: member.key, reason: "must begin with / or ~/")
            }
            values[member.key] = isInHome ? userHome + text.dropFirst() : text
        case (let key, .string(let text)): values[key] = text
        case (let key, _): throw .badConfiguration(file: path, key: key, reason: "must be text in quotes")
        }
    }

    /// Reads an object of texts; the values stand under its key, a dot, and theirs.
    private mutating func readGroup(
        _ group: JSONValue.Member,
        keys: [String],
        form: String = "text in quotes",
        _ text: (JSONValue) -> String? = { if case .string(let text) = $0 { text } else { nil } }
    ) throws(CLIError) {
        guard case .object(let members) = group.value else {
            throw .badConfiguration(file: path, key: group.key, reason: "must be an object")
        }
        for member in members {
            let key = "\(group.key).\(member.key)"
            guard keys.contains(member.key) else { throw unknown(key, known: keys.map { "\(group.key).\($0)" }) }
            guard let text = text(member.value) else {
                throw .badConfiguration(file: path, key: key, reason: "must be \(form)")
            }
            values[key] = text
        }
    }

    private func unknown(_ key: String, known: [String]) -> CLIError {
        let end = Suggestion.nearest(to: key, among: known).map { "did you mean '\($0)'?" }
        let reason = "is no key of it; " + (end ?? "there are \(known.joined(separator: ", "))")
        return .badConfiguration(file: path, key: key, reason: reason)
    }
}
