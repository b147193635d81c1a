import Client
import Glibc
import Messages
import Support
import Testing

/// A disk that is full: said as such, and over as soon as there is space again, without a restart.
@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: SmallDisk.isPossible, "only root can mount a small disk")
)
struct FullDiskTests {
    @Test func whatDoesNotFitIsRefusedAndEverythingElseGoesOn() async throws {
        try await withDaybook { daybook in
            let disk = try await SmallDisk(daybook, bytes: 2 << 20)
            try await daybook.start([.catalog], through: disk.words)
            let process = try daybook.service(.catalog).process
            // What is freed later: as much as the file may need to take in all that is in the write-ahead log.
            try File.write([UInt8](repeating: 0, count: 768 << 10), to: "\(disk.path)/ballast")
            let client = try daybook.client(timeout: .seconds(1))
            var stored: [Recipe] = []
            var refusal: Refusal?
            while refusal == nil, stored.count < 100 {
                refusal = try await Self.refusal {
                    stored.append(try await Self.add("Recipe \(stored.count)", client))
                }
            }
            #expect(refusal?.status == .storageFull, "\(String(describing: refusal))")
            #expect(stored.count > 1)
            let sequence = try await daybook.client.send(StatusRequest(), to: .catalog).value.sequence

            // It stays full for some more, is said to people, and each time leaves nothing.
            for _ in 0..<5 {
                let refusal = try await Self.refusal { _ = try await Self.add("Too much", client) }
                #expect(refusal?.status == .storageFull)
            }
            let picture = "\(daybook.folder)/picture.jpg"
            try File.write(try Self.picture(), to: picture)
            let told = try await daybook.run("--timeout", "1", "recipes", "image", "set", "Recipe 0", picture)
            #expect(told.code == 1 && told.error.contains("the disk of catalog's store is full"), "\(told.error)")
            #expect(told.error.split(separator: "\n").count == 1)
            #expect(try await daybook.client.all(Recipe.self).map(\.id).count == stored.count)
            let digest = try #require(stored.last?.image?.digest)
            #expect(try await daybook.client.picture(digest).count > 50 << 10)
            let status = try await daybook.client.send(StatusRequest(), to: .catalog).value
            #expect(status.sequence == sequence)
            // A line for each refusal, and not for each attempt of what tries by itself.
            let log = File.text("\(daybook.folder)/catalog.log").split(separator: "\n")
            #expect(log.count < 40, "\(log.suffix(5))")

            disk.makeRoom()
            for number in 0..<3 { stored.append(try await Self.add("Later \(number)", daybook.client)) }
            #expect(try await daybook.client.send(StatusRequest(), to: .catalog).value.process == process)

            try await daybook.stop(.catalog)
            let check =
                "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchall())"
            let checked = try await daybook.shell("python3 -c \"\(check)\" \(disk.path)/catalog.db")
            #expect(checked.text == "[('ok',)]\n", "\(checked.error)")
            try await daybook.start([.catalog], through: disk.words)
            let names = Set(try await daybook.client.all(Recipe.self).map(\.name))
            #expect(names == Set(stored.map(\.name)))
            for recipe in stored {
                #expect(try await daybook.client.picture(try #require(recipe.image?.digest)).count > 50 << 10)
            }
            #expect(try await daybook.run("verify", "catalog").code == 0)
        }
    }

    /// What follows others waits, and has everything as soon as there is space.
    @Test func whoFollowsOthersCatchesUp() async throws {
        try await withDaybook(.catalog, .walks) { daybook in
            // Orders and Reporting share the disk.
            let disk = try await SmallDisk(daybook, bytes: 4 << 20)
            try await daybook.start([.orders, .reporting], through: disk.words)
            let client = try daybook.client(timeout: .seconds(20))
            let first = try await client.send(Put(Customer(name: "First")))
            let order = try await client.send(Put(Order.of(first.value, 100, made: true)))
            _ = try await client.send(UnpaidReport(), after: order.positions)

            try disk.fill(leaving: 0)
            // More than what is left of pages that are there already.
            let text = String(repeating: "long ", count: 1_000)
            var last = first
            for number in 0..<200 {
                var customer = Customer(name: "Customer \(number)")
                customer.info = text
                last = try await client.send(Put(customer))
            }
            let refusal = try await client.refusal(of: Put(Order.of(last.value, 100)), timeout: .seconds(10))
            #expect(refusal.status == .storageFull, "\(refusal)")
            // What is there can be read.
            #expect(try await client.all(Order.self).count == 1)
            for service in [ServiceName.orders, .reporting] {
                let status = try await client.send(StatusRequest(), to: service).value
                #expect(status.sources.allSatisfy { $0.state != .stopped }, "\(status.sources)")
                let log = File.text("\(daybook.folder)/\(service).log").split(separator: "\n")
                #expect(log.count { $0.contains("can't write") || $0.contains("transaction failed") } <= 4, "\(log)")
            }

            disk.makeRoom()
            let later = try await client.send(Put(Order.of(last.value, 100, made: true)))
            let report = try await client.send(UnpaidReport(), after: last.positions.merging(later.positions) { $1 })
                .value
            #expect(report.orders.count == 2)
            #expect(report.orders.map(\.customerName).contains(last.value.name))
        }
    }

    /// A service whose disk is full when it starts says so, and starts as soon as it isn't.
    @Test func aStartWithoutSpaceIsRefused() async throws {
        try await withDaybook { daybook in
            let disk = try await SmallDisk(daybook, bytes: 1 << 20)
            try disk.fill(leaving: 0)
            let child = try await daybook.launch(.catalog, through: disk.words)
            let error = await #expect(throws: HarnessError.self) { try await child.ready() }
            #expect(error?.description.contains("is full") == true, "\(String(describing: error))")
            #expect(await child.ended() == .exited(1))
            disk.makeRoom()
            try await daybook.start([.catalog], through: disk.words)
            #expect(try await daybook.client.send(Put(Customer(name: "Ada"))).value.version == 1)
        }
    }

    // MARK: Adding

    /// A recipe with a picture of 50 KiB that no other has.
    private static func add(_ name: String, _ client: DaybookClient) async throws -> Recipe {
        let digest = try #require(try await client.upload(try picture()).digest)
        let recipe = Recipe(name: name, image: RecipeImage(name: "picture.jpg", digest: digest))
        return try await client.send(Put(recipe)).value
    }

    /// A JPEG with a comment of 50 KiB (ITU-T T.81, B.2.4.5) that is no other's.
    private static func picture() throws -> [UInt8] {
        let sample = try #require(File.read("\(Environment.checkout)/Tests/PicturesTests/Samples/orientation-1.jpg"))
        let count = 50 << 10
        let comment = (0..<count).map { _ in UInt8.random(in: 0...255) }
        return sample.prefix(2) + [0xFF, 0xFE, UInt8((count + 2) >> 8), UInt8((count + 2) & 0xFF)] + comment
            + sample.dropFirst(2)
    }

    /// How it was refused; nil where it was done.
    private static func refusal(_ body: () async throws -> Void) async throws -> Refusal? {
        do {
            try await body()
            return nil
        } catch ClientError.refused(_, let status, let body) {
            return Refusal(status: status, body: body)
        }
    }
}
