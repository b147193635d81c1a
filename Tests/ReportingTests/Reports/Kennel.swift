import CBOR
import Messages
import Support

@testable import Catalog
@testable import Reporting
@testable import Service
@testable import Walks

/// Dogs with their owners, walks, and the reports that follow them.
final class Kennel {
    let catalog: Bench
    let walks: Bench
    let reporting: Bench
    let owners: [Customer]
    private(set) var dogs: [Dog] = []
    private var count = 0

    init() throws {
        catalog = try Bench(Catalog.definition)
        walks = try Bench(Walks.definition)
        reporting = try Bench(Reporting.definition)
        owners = [
            try catalog.send(Put(Customer(name: "Ann"))), try catalog.send(Put(Customer(name: "Bo"))),
        ]
        try walks.apply(try catalog.events(), of: .catalog, epoch: catalog.engine.log.epoch)
        for name in ["Rex", "Frieda"] { try add(name, owners[0]) }
        try add("Fido", owners[1])
    }

    func add(_ name: String, _ owner: Customer? = nil) throws {
        dogs.append(try walks.send(Put(Dog(name: name, owner: owner?.id))))
        try follow()
    }

    @discardableResult
    func walk(_ start: String, _ dogs: [Dog], minutes: Int64? = nil, running: Bool? = nil) throws -> Walk {
        let start = try Instant(parsing: start)
        let end = minutes.map { Instant(microseconds: start.microseconds + $0 * 60_000_000) }
        let parts = dogs.map { WalkDog(dog: $0.id) }
        let walk = try walks.send(Put(Walk(dogs: parts, start: start, end: end, running: running)))
        try follow()
        return walk
    }

    func allWalks() throws -> [Walk] { try walks.send(List<Walk>(limit: 10_000)).rows }

    func allDogs() throws -> [Dog] { try walks.send(List<Dog>(limit: 10_000)).rows }

    /// Reporting reads what there is, in pieces of no more than so many events.
    func follow(inPiecesOf size: Int = .max) throws {
        var events = try walks.events(after: reporting.engine.cursors[.walks]?.sequence ?? 0)[...]
        while !events.isEmpty {
            try reporting.apply(events.prefix(size), of: .walks, epoch: walks.engine.log.epoch)
            events = events.dropFirst(size)
        }
    }

    /// Empties what reports are made of, and makes it anew from the log.
    func rebuild(inPiecesOf size: Int) throws {
        try reporting.send(RebuildProjection(source: .walks))
        _ = reporting.engine.takeRebuilt()
        try follow(inPiecesOf: size)
    }

    /// Something that happens, told at once. Times are those around changes of clocks, of days, and of years.
    func step(_ random: inout SeededGenerator) throws {
        count += 1
        let all = try allWalks()
        switch Int.random(in: 0..<20, using: &random) {
        case 0: try add("Dog \(count)", Bool.random(using: &random) ? owners.randomElement(using: &random) : nil)
        case 1:
            guard var dog = try allDogs().randomElement(using: &random) else { return }
            if Bool.random(using: &random) {
                dog.name = "Dog \(count)"
            } else {
                dog.owner = owners.randomElement(using: &random)?.id
            }
            try walks.send(Put(dog))
        case 2 where count % 3 == 0:
            guard let dog = dogs.randomElement(using: &random) else { return }
            dogs.removeAll { $0.id == dog.id }
            try walks.send(Delete<Dog>(id: dog.id))
        case 3, 4:
            guard let walk = all.randomElement(using: &random) else { return }
            try walks.send(Delete<Walk>(id: walk.id))
        case 5...8:
            guard var walk = all.randomElement(using: &random) else { return }
            walk.running = nil
            walk.start = start(&random)
            walk.end = end(of: walk.start, &random)
            if Bool.random(using: &random) { walk.dogs = parts(&random) }
            guard !walk.dogs.isEmpty else { return }
            try walks.send(Put(walk))
        default:
            let parts = parts(&random)
            guard !parts.isEmpty else { return }
            let start = start(&random)
            try walks.send(Put(Walk(dogs: parts, start: start, end: end(of: start, &random))))
        }
        try follow()
    }

    private func parts(_ random: inout SeededGenerator) -> [WalkDog] {
        dogs.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)).map { WalkDog(dog: $0.id) }
    }

    private static let days = ["2023-12-30T00:00:00Z", "2024-03-30T00:00:00Z", "2024-10-26T00:00:00Z"]

    private func start(_ random: inout SeededGenerator) -> Instant {
        let day = Self.days.randomElement(using: &random).flatMap { Instant($0) } ?? .now()
        return day.advanced(by: .milliseconds(Int64.random(in: 0..<(4 * 86_400_000), using: &random)))
    }

    private func end(of start: Instant, _ random: inout SeededGenerator) -> Instant? {
        guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
        return start.advanced(by: .milliseconds(Int64.random(in: 0..<9_000_000, using: &random)))
    }
}
