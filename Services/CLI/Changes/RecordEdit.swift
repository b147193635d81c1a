import Messages
import Text

/// The values that a command line gives to fields of a record: those of a new one, or what an edit changes.
///
///     var edit = RecordEdit<Customer>()
///     edit.set("email", \.email, email)
///     try edit.clear(["phone"])
struct RecordEdit<R: Record>: Sendable {
    typealias Step = @Sendable (inout R) throws(CLIError) -> Void

    private var steps: [(field: String, step: Step)] = []
    private var checks: [String: @Sendable (R) -> Bool] = [:]
    private var clearable: [(field: String, step: Step)] = []

    init() {}

    /// Whether it changes nothing.
    var isEmpty: Bool { steps.isEmpty }

    /// A required text; nil leaves it.
    mutating func set(_ field: String, _ path: any WritableKeyPath<R, String> & Sendable, _ value: String?) {
        guard let value else { return }
        // As the service stores it, so that it is equal to what comes back.
        let text = TextNormalizer.trimmedNormalized(value)
        steps.append((field, { (record) throws(CLIError) in record[keyPath: path] = text }))
    }

    /// An optional text; nil leaves it, and blank text clears it.
    mutating func set(_ field: String, _ path: any WritableKeyPath<R, String?> & Sendable, _ value: String?) {
        clearable.append((field, { (record) throws(CLIError) in record[keyPath: path] = nil }))
        guard let value else { return }
        let text = TextNormalizer.isBlank(value) ? nil : TextNormalizer.trimmedNormalized(value)
        steps.append((field, { (record) throws(CLIError) in record[keyPath: path] = text }))
    }

    /// Any other field.
    ///
    /// - Parameters:
    ///   - step: sets it; nil leaves it.
    ///   - clear: what `--clear` does to it; nil for a field that is always there.
    ///   - isDone: whether a record has what is given, for a step that would change it once more; by default, whether the
    ///     step leaves it as it is.
    mutating func set(
        _ field: String,
        _ step: Step?,
        clear: Step? = nil,
        isDone: (@Sendable (R) -> Bool)? = nil
    ) {
        checks[field] = isDone
        if let clear { clearable.append((field, clear)) }
        if let step { steps.append((field, step)) }
    }

    /// Clears fields that were declared by `set`, by their names.
    ///
    /// - Throws: ``CLIError/usage(_:)`` for an unknown name, and for a field that is given a value too.
    mutating func clear(_ fields: [String]) throws(CLIError) {
        for field in fields {
            guard let found = clearable.first(where: { $0.field == field }) else {
                let known = clearable.map(\.field)
                let end = Suggestion.nearest(to: field, among: known).map { "did you mean '\($0)'?" }
                throw .usage(
                    "--clear takes no \(quoted(field)); " + (end ?? "it takes \(known.joined(separator: ", ")).")
                )
            }
            guard !steps.contains(where: { $0.field == field }) else {
                throw .usage("'\(field)' is both given and cleared; do one of them.")
            }
            steps.append(found)
        }
    }

    /// The first field of which the record has not what is given; nil where it has all of it.
    ///
    /// - Throws: as ``applied(to:)``.
    func fieldMissing(in record: R) throws(CLIError) -> String? {
        for (field, step) in steps {
            if let isDone = checks[field] {
                if isDone(record) { continue }
                return field
            }
            var changed = record
            try step(&changed)
            if changed != record { return field }
        }
        return nil
    }

    /// The record with the changes.
    ///
    /// - Throws: what a step throws: a value that doesn't go with the record.
    func applied(to record: R) throws(CLIError) -> R {
        var record = record
        for (_, step) in steps { try step(&record) }
        return record
    }
}
