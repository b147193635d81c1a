import CBOR
import Glibc
import Messages
import Support
import Testing

@testable import Catalog
@testable import Orders
@testable import Reporting
@testable import Service

/// Events that earlier releases wrote: they are read, and everything is made from them, as it was then.
struct OldEventsTests {
    private static let epoch = Identifier(high: 0x018e_0000_0000_7000, low: 0x8000_0000_0000_0000)

    /// The bytes stay: the chain and every copy of the log rest on them.
    @Test(arguments: OldRelease.all)
    func areReadAndWrittenInTheSameBytes(release: OldRelease) throws {
        var seen: Set<String> = []
        var count = 0
        for service in OldRelease.services {
            var sequence: Int64 = 0
            for encoded in try release.events(of: service) {
                let event = try encoded.decode(Event.self)
                sequence += 1
                #expect(event.sequence == sequence)
                #expect(try CBOREncoder().encode(event) == encoded.bytes)
                if let data = event.data { #expect(try recoded(data, event.entity) == data.bytes, "\(event.type)") }
                // What was erased from it stands there as null.
                if event.isDelete, let before = event.before { _ = try recoded(before, event.entity) }
                seen.insert(event.type)
                count += 1
            }
        }
        #expect(count == ReleaseScript.length)
        let entities = ["customer", "dog", "order", "recipe", "recipe-type", "service", "walk"]
        let types = entities.flatMap { entity in ["created", "updated", "deleted"].map { "\(entity).\($0)" } }
        #expect(seen.isSuperset(of: types + ["customer.erased"]))
    }

    private func recoded(_ data: EncodedCBOR, _ entity: String) throws -> [UInt8] {
        func recode<R: Record>(_ type: R.Type) throws -> [UInt8] { try CBOREncoder().encode(data.decode(R.self)) }
        switch entity {
        case Customer.entity: return try recode(Customer.self)
        case SoldService.entity: return try recode(SoldService.self)
        case RecipeType.entity: return try recode(RecipeType.self)
        case Recipe.entity: return try recode(Recipe.self)
        case Order.entity: return try recode(Order.self)
        case Dog.entity: return try recode(Dog.self)
        case Walk.entity: return try recode(Walk.self)
        default: throw Unexpected("no record is called \(entity)")
        }
    }

    @Test(arguments: OldRelease.all)
    func giveTheReportsOfTheirTime(release: OldRelease) throws {
        let bench = try Bench(Reporting.definition)
        for source in [ServiceName.catalog, .orders] { try build(bench, source, release) }
        #expect(try ReportText.of(bench) == release.reports())
    }

    /// One by one, as they come while a service runs, and all at once, as in a rebuild.
    @Test(arguments: OldRelease.all)
    func giveTheSameContentOneByOneAndAtOnce(release: OldRelease) throws {
        let bench = try Bench(Reporting.definition)
        for source in [ServiceName.catalog, .orders] {
            for event in try release.events(of: source) { try bench.apply([event], of: source, epoch: Self.epoch) }
            let incremental = try bench.send(HashProjection(source: source))
            #expect(incremental.rows > 0)
            _ = try bench.engine.reset(source, isOtherLog: false).get()
            #expect(try bench.send(HashProjection(source: source)).rows == 0)
            try build(bench, source, release)
            #expect(try bench.send(HashProjection(source: source)) == incremental)
        }
    }

    @Test(arguments: OldRelease.all)
    func giveOrdersTheNames(release: OldRelease) throws {
        let bench = try Bench(Orders.definition)
        try build(bench, .catalog, release)
        var names: [Identifier: String] = [:]
        for event in try release.events(of: .catalog).map({ try $0.decode(Event.self) }) {
            if let customer = try event.record(Customer.self) {
                names[event.subject] = customer.name
            } else {
                names[event.subject] = try event.record(SoldService.self)?.name
            }
        }
        let expected = names.map { "\($0.key.hexadecimal) \($0.value)" }.sorted()
        #expect(try bench.rows("SELECT lower(hex(id)) || ' ' || name FROM known_names ORDER BY id") == expected)
    }

    @Test(arguments: OldRelease.all)
    func tellCatalogWhatIsInUse(release: OldRelease) throws {
        let bench = try Bench(Catalog.definition)
        try build(bench, .orders, release)
        var uses: [Identifier: Set<Identifier>] = [:]
        for event in try release.events(of: .orders).map({ try $0.decode(Event.self) }) {
            let order = try event.record(Order.self)
            uses[event.subject] = order.map { Set($0.rows.compactMap(\.service) + [$0.customer].compactMap { $0 }) }
        }
        let expected = uses.flatMap { order, targets in targets.map { "\(order.hexadecimal) \($0.hexadecimal)" } }
        let sql = "SELECT lower(hex(\"order\")) || ' ' || lower(hex(target)) FROM order_references ORDER BY 1"
        #expect(try bench.rows(sql) == expected.sorted())
    }

    private func build(_ bench: Bench, _ source: ServiceName, _ release: OldRelease) throws {
        try bench.apply(try release.events(of: source), of: source, epoch: Self.epoch)
    }

    /// The script by which a release makes its fixture; with `DAYBOOK_MAKE_FIXTURE` it is kept.
    @Test func theScriptMakesAThousandEvents() throws {
        let script = try ReleaseScript()
        try script.run()
        #expect(script.count == ReleaseScript.length)
        let bench = try Bench(Reporting.definition)
        for (source, told) in [(ServiceName.catalog, script.catalog), (.orders, script.orders)] {
            try bench.apply(told.events(), of: source, epoch: told.engine.log.epoch)
        }
        let reports = try ReportText.of(bench)
        guard Environment["DAYBOOK_MAKE_FIXTURE"] != nil else { return }
        let folder = "\(OldRelease.folder)/\(Release.version)"
        try #require(mkdir(folder, 0o755) == 0, "\(folder) is there already, or can't be made")
        for (service, told) in [("catalog", script.catalog), ("orders", script.orders), ("walks", script.walks)] {
            try File.write(told.events().flatMap(\.bytes), to: "\(folder)/\(service).events")
        }
        try File.write(Array(reports.utf8), to: "\(folder)/reports.txt")
        let releases = OldRelease.all.map(\.version) + [Release.version]
        let list = releases.map { $0 + "\n" }.joined()
        try File.write(Array(list.utf8), to: "\(OldRelease.folder)/releases.txt")
    }
}
