internal import Messages

/// What a stretch of rows adds up to; that of two neighbouring stretches follows from theirs.
struct Summary: Sendable {
    var count = 0
    /// Of the rows and the keys of sections between them, without that of the first section.
    private(set) var digest: UInt64 = 0
    /// B to the number of items in `digest`.
    private(set) var power: UInt64 = 1
    /// How many sections have rows here.
    private(set) var sections = 0
    private(set) var first: UInt32 = 0
    private(set) var last: UInt32 = 0

    /// - Parameter keys: h of each section's key, by its number.
    mutating func append(row hash: UInt64, in section: UInt32, _ keys: [UInt64]) {
        begin(section, keys)
        sections += count == 0 || last != section ? 1 : 0
        append(hash, ListDigest.base)
        count += 1
        last = section
    }

    mutating func append(_ other: Summary, _ keys: [UInt64]) {
        guard other.count > 0 else { return }
        begin(other.first, keys)
        sections += other.sections - (count > 0 && last == other.first ? 1 : 0)
        append(other.digest, other.power)
        count += other.count
        last = other.last
    }

    /// Adds a section's key, unless the stretch is in that section, or begins with it.
    private mutating func begin(_ section: UInt32, _ keys: [UInt64]) {
        if count == 0 {
            first = section
        } else if last != section {
            append(keys[Int(section)], ListDigest.base)
        }
    }

    private mutating func append(_ digest: UInt64, _ power: UInt64) {
        self.digest = ListDigest.sum(ListDigest.product(self.digest, power), digest)
        self.power = ListDigest.product(self.power, power)
    }

    /// The digest of the stretch as a whole list.
    func whole(_ keys: [UInt64]) -> UInt64 {
        guard count > 0 else { return 0 }
        var whole = ListDigest()
        whole.add(keys[Int(first)])
        whole.append(digest, power)
        return whole.value
    }
}
