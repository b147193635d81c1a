internal import CBOR
internal import Messages

/// The sections of a list, by number: rows hold the number, which is free again when no row does.
struct SectionTable: Sendable {
    private struct Section {
        var key: SectionKey
        var start: Entry
        var rows = 0
    }

    private var sections: [Section] = []
    private var numbers: [SectionKey: UInt32] = [:]
    private var free: [UInt32] = []
    /// h of each section's key, by its number.
    private(set) var hashes: [UInt64] = []

    /// The section's number, for one whose rows may all be still to come.
    mutating func number(_ key: SectionKey) -> UInt32 {
        if let number = numbers[key] { return number }
        let old = free.popLast()
        let number = old ?? UInt32(sections.count)
        let section = Section(key: key, start: Entry(start: key, section: number))
        let hash = ListDigest.section(key.value.bytes)
        if old != nil {
            sections[Int(number)] = section
            hashes[Int(number)] = hash
        } else {
            sections.append(section)
            hashes.append(hash)
        }
        numbers[key] = number
        return number
    }

    /// Counts rows that came, or below 0 went.
    mutating func add(_ rows: Int, to number: UInt32) { sections[Int(number)].rows += rows }

    /// Frees the number of a section that has no rows.
    mutating func release(_ number: UInt32) {
        let section = sections[Int(number)]
        guard section.rows == 0, numbers[section.key] == number else { return }
        numbers[section.key] = nil
        free.append(number)
    }

    func key(_ number: UInt32) -> SectionKey { sections[Int(number)].key }

    func rows(_ number: UInt32) -> Int { sections[Int(number)].rows }

    /// What comes before all its rows.
    func start(_ number: UInt32) -> Entry { sections[Int(number)].start }
}
