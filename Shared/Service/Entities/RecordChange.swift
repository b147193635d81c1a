internal import CBOR
internal import Messages
internal import Store

/// Encoded records compared and merged field by field, without knowing their type.
enum RecordChange {
    /// The fields of an encoded map, in its order.
    static func fields(_ body: [UInt8]) throws(ServiceError) -> [(key: String, value: [UInt8])] {
        do throws(CBORError) {
            return try CBORReader.withBytes(body) { (reader) throws(CBORError) in
                let count = try reader.mapHead()
                var fields: [(key: String, value: [UInt8])] = []
                for _ in 0..<count {
                    let key = try reader.text()
                    fields.append((key, reader.copy(try reader.rawItem())))
                }
                return fields
            }
        } catch {
            throw .store(.fault("a stored record is not a map: \(error)"))
        }
    }

    static func map(_ fields: [(key: String, value: [UInt8])]) -> [UInt8] {
        var writer = CBORWriter()
        writer.mapHead(fields.count)
        for field in fields {
            writer.text(field.key)
            writer.raw(field.value)
        }
        return writer.bytes
    }

    /// What the fields that differ were: null for those that were absent. The version is left out.
    static func before(_ old: [UInt8], _ new: [UInt8]) throws(ServiceError) -> [UInt8] {
        let oldFields = try fields(old)
        let newFields = try fields(new)
        let now = Dictionary(newFields.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let then = Set(oldFields.map(\.key))
        var changed = oldFields.filter { $0.key != "version" && now[$0.key] != $0.value }
        let null: [UInt8] = [0xF6]
        changed += newFields.filter { !then.contains($0.key) }.map { ($0.key, null) }
        return map(changed)
    }

    /// What a record was: its encoding after a change, with what ``before(_:_:)`` says of it. The version stays.
    static func undoing(_ new: [UInt8], _ before: [UInt8]) throws(ServiceError) -> [UInt8] {
        let was = Dictionary(
            try fields(before).map { ($0.key, $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
        let null: [UInt8] = [0xF6]
        var fields = try fields(new).filter { was[$0.key] == nil }
        fields += was.filter { $0.value != null }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return map(fields)
    }

    /// A field that both sides changed.
    struct Conflict: Error {
        /// A part of a list as `rows/<id>`; the list itself where its order is meant.
        var field: String
    }

    /// Three-way merge: what only one side changed since `base` is taken from it.
    ///
    /// - Parameters:
    ///   - derived: fields that are set by the service: taken from `theirs`; as `rows/serviceName` in the parts of a
    ///     list, where they are left out.
    ///   - keyed: fields that are lists of parts with an `id`; each part is merged as a field.
    static func merge(
        base: [UInt8],
        mine: [UInt8],
        theirs: [UInt8],
        derived: Set<String>,
        keyed: Set<String>
    ) throws(ServiceError) -> Result<[UInt8], Conflict> {
        func dictionary(_ body: [UInt8]) throws(ServiceError) -> [String: [UInt8]] {
            Dictionary(try fields(body).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        let (base, mine, theirs) = (try dictionary(base), try dictionary(mine), try dictionary(theirs))
        var merged: [(key: String, value: [UInt8])] = []
        for key in Set(base.keys).union(mine.keys).union(theirs.keys).sorted() {
            let value: [UInt8]?
            if derived.contains(key) || mine[key] == base[key] || mine[key] == theirs[key] {
                value = theirs[key]
            } else if theirs[key] == base[key] {
                value = mine[key]
            } else if keyed.contains(key) {
                let empty: [UInt8] = [0x80]
                let ignored = ignored(of: key, derived)
                let merge = try mergeParts(
                    of: key,
                    base: parts(base[key] ?? empty, without: ignored),
                    mine: parts(mine[key] ?? empty, without: ignored),
                    theirs: parts(theirs[key] ?? empty, without: ignored)
                )
                switch merge {
                case .success(let parts): value = parts
                case .failure(let conflict): return .failure(conflict)
                }
            } else {
                return .failure(Conflict(field: key))
            }
            if let value { merged.append((key, value)) }
        }
        return .success(map(merged))
    }

    /// The fields that people enter: without those that the service sets, in the parts of lists too.
    static func entered(_ body: [UInt8], derived: Set<String>) throws(ServiceError) -> [String: [UInt8]] {
        var entered: [String: [UInt8]] = [:]
        for (key, value) in try fields(body) where !derived.contains(key) {
            let ignored = ignored(of: key, derived)
            guard !ignored.isEmpty else {
                entered[key] = value
                continue
            }
            entered[key] = try parts(value, without: ignored).flatMap(\.value)
        }
        return entered
    }

    /// What the service sets in the parts of a list.
    private static func ignored(of key: String, _ derived: Set<String>) -> Set<String> {
        let prefix = "\(key)/"
        return Set(derived.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    }

    /// Merges two lists of parts: each part as a field, and their order as ``PartOrder`` has it.
    private static func mergeParts(
        of key: String,
        base: [Part],
        mine: [Part],
        theirs: [Part]
    ) throws(ServiceError) -> Result<[UInt8], Conflict> {
        func dictionary(_ parts: [(id: Identifier, value: [UInt8])]) -> [Identifier: [UInt8]] {
            Dictionary(parts.map { ($0.id, $0.value) }, uniquingKeysWith: { first, _ in first })
        }
        func ids(_ parts: [Part]) -> [Identifier] {
            var seen: Set<Identifier> = []
            return parts.map(\.id).filter { seen.insert($0).inserted }
        }
        let (was, my, their) = (dictionary(base), dictionary(mine), dictionary(theirs))
        var values: [Identifier: [UInt8]] = [:]
        for id in ids(mine + theirs) {
            let (before, left, right) = (was[id], my[id], their[id])
            if left == before || left == right {
                values[id] = right
            } else if right == before {
                values[id] = left
            } else {
                return .failure(Conflict(field: "\(key)/\(id)"))
            }
        }
        guard let order = PartOrder.merged(base: ids(base), mine: ids(mine), theirs: ids(theirs)) else {
            return .failure(Conflict(field: key))
        }
        let merged = order.compactMap { values[$0] }
        var writer = CBORWriter()
        writer.arrayHead(merged.count)
        for value in merged { writer.raw(value) }
        return .success(writer.bytes)
    }

    private struct PartID: Decodable {
        var id: Identifier
    }

    private typealias Part = (id: Identifier, value: [UInt8])

    /// The parts of a list, without the fields that the service sets anew.
    private static func parts(_ list: [UInt8], without ignored: Set<String>) throws(ServiceError) -> [Part] {
        let items = try decodeStored([EncodedCBOR].self, list)
        var parts: [Part] = []
        for item in items {
            let id = try decodeStored(PartID.self, item.bytes).id
            let fields = try fields(item.bytes).filter { !ignored.contains($0.key) }
            parts.append((id, map(fields)))
        }
        return parts
    }
}
