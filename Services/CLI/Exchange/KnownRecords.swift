import Client
import Messages
import Text

/// The records that are there, by what files call them.
struct KnownRecords<R: Resolvable>: Sendable {
    private var byID: [Identifier: R] = [:]
    private var byReference: [String: [R]] = [:]
    private var byName: [String: [R]] = [:]

    init(_ records: [R] = []) {
        for record in records { add(record) }
    }

    /// All of them.
    ///
    /// - Throws: what sending throws.
    init(askedBy daybook: Invocation) async throws(CLIError) {
        var cursor: [UInt8]?
        repeat {
            let page = try await daybook.send(List<R>(after: cursor, limit: 1000))
            for record in page.rows { add(record) }
            cursor = page.next
        } while cursor != nil
    }

    private mutating func add(_ record: R) {
        byID[record.id] = record
        if let reference = record.resolvableReference { byReference[reference, default: []].append(record) }
        if R.hasName, let name = record.resolvableName { byName[Self.folded(name), default: []].append(record) }
    }

    subscript(id: Identifier) -> R? { byID[id] }

    /// In no order.
    var all: some Collection<R> { byID.values }

    /// Those that are called so elsewhere.
    func referenced(_ reference: String) -> [R] { byReference[reference] ?? [] }

    /// Those of this name, case and accents aside.
    func named(_ name: String) -> [R] { byName[Self.folded(name)] ?? [] }

    /// The form in which two names are the same.
    static func folded(_ name: String) -> String { TextNormalizer.folded(TextNormalizer.trimmedNormalized(name)) }
}

extension KnownRecords: NamedRecords {
    func name(of id: Identifier) -> String? { byID[id]?.resolvableName }

    func called(_ text: String) -> [Identifier] {
        let named = self.named(text).map(\.id)
        return named + referenced(text).map(\.id).filter { !named.contains($0) }
    }
}
