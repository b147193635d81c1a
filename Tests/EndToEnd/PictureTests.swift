import Client
import Glibc
import Messages
import Support
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct PictureTests {
    @Test func aPictureComesAndGoesByTheCommand() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            let file = Self.sample("orientation-6.jpg")
            let picture = try #require(File.read(file))
            _ = try await daybook.run("recipes", "add", "Rye loaf")
            let set = try await daybook.run("recipes", "image", "set", "Rye loaf", file)
            #expect(set.code == 0 && set.text.contains("orientation-6.jpg"), "\(set.error)")
            #expect(try await daybook.run("recipes", "image", "get", "Rye loaf").bytes == picture)
            let small = "\(daybook.folder)/small.jpg"
            let get = try await daybook.run("recipes", "image", "get", "Rye loaf", "--thumbnail", "--output", small)
            #expect(get.code == 0 && get.bytes.isEmpty && get.error.isEmpty)
            let thumbnail = try #require(File.read(small))
            #expect(PictureFormat(signature: thumbnail) == .jpeg && thumbnail != picture)
            // Lists name it and don't hold it.
            #expect(try await daybook.run("recipes", "list").text == "Rye loaf\torientation-6.jpg\n")

            #expect(try await daybook.run("recipes", "image", "delete", "Rye loaf").code == 2)
            #expect(try await daybook.run("recipes", "image", "delete", "Rye loaf", "--yes").code == 0)
            let none = try await daybook.run("recipes", "image", "get", "Rye loaf")
            #expect(none.code == 1 && none.error.contains("has no picture"))
            #expect(try await daybook.run("undo", "--yes").code == 0)
            #expect(try await daybook.run("recipes", "image", "get", "Rye loaf", "--thumbnail").bytes == thumbnail)
        }
    }

    @Test func aPictureFromStandardInputIsCalledByItsFormat() async throws {
        try await withDaybook(.catalog) { daybook in
            _ = try await daybook.run("recipes", "add", "Rye loaf")
            let set = "daybook recipes image set 'Rye loaf' - --format json < \(Self.sample("lossless.webp"))"
            #expect(try await daybook.shell(set).text.contains("picture.webp"))
            let named = "daybook recipes image set 'Rye loaf' - --name loaf.webp < \(Self.sample("lossless.webp"))"
            #expect(try await daybook.shell(named).text.contains("loaf.webp"))
        }
    }

    @Test func whatIsNoWholePictureIsRefusedAndLeavesTheOneThatIsThere() async throws {
        try await withDaybook(.catalog) { daybook in
            let picture = try #require(File.read(Self.sample("orientation-1.jpg")))
            _ = try await daybook.run("recipes", "add", "Rye loaf")
            _ = try await daybook.run("recipes", "image", "set", "Rye loaf", Self.sample("orientation-1.jpg"))
            let files: [(String, [UInt8], Int32, String)] = [
                ("cut.jpg", Array(picture.dropLast(30)), 1, "it is damaged or cut short (its end is missing)"),
                ("text.jpg", Array("text".utf8), 1, "is no JPEG, PNG or WebP picture"),
                ("empty.jpg", [], 1, "is empty"),
                ("large.jpg", picture + [UInt8](repeating: 0, count: 16 << 20), 1, "has more than 16 MiB"),
            ]
            for (name, bytes, code, sentence) in files {
                let path = "\(daybook.folder)/\(name)"
                try File.write(bytes, to: path)
                let set = try await daybook.run("recipes", "image", "set", "Rye loaf", path)
                #expect(set.code == code && set.error.contains(sentence), "\(name): \(set.error)")
            }
            let missing = try await daybook.run("recipes", "image", "set", "Rye loaf", "\(daybook.folder)/nowhere.jpg")
            #expect(missing.code == 2 && missing.error.contains("There is no file"))
            #expect(try await daybook.run("recipes", "image", "get", "Rye loaf").bytes == picture)
            let blobs = try await daybook.shell("python3 -c \(Self.countBlobs) \(daybook.home)/catalog.db")
            #expect(blobs.text == "2 0\n", "\(blobs.error)")
        }
    }

    /// By order, not by time: the thumbnail can't be finished before the gate is opened, and others are answered before that.
    @Test func othersAreAnsweredWhileAThumbnailIsMade() async throws {
        try await withDaybook { daybook in
            let programs = try await Self.programs(daybook, Self.gated)
            try await daybook.start([.catalog], programs: programs)
            let client = try daybook.client(timeout: .seconds(60))
            let picture = try #require(File.read(Self.sample("orientation-6.jpg")))
            async let upload = client.upload(picture)
            let gate = try await Self.openGate(of: daybook)
            for _ in 0..<5 { _ = try await client.send(Put(Customer(name: "Ada"))) }
            #expect(try await client.all(Customer.self).count == 5)
            Self.pass(gate)
            let reply = try await upload
            #expect(try await client.picture(#require(reply.digest)) == picture)
            // However often the request was sent meanwhile.
            #expect(File.text("\(daybook.folder)/runs") == "run\n")
        }
    }

    @Test func aKillWhileAThumbnailIsMadeLeavesOnePictureAfterTheRetry() async throws {
        try await withDaybook { daybook in
            let programs = try await Self.programs(daybook, Self.gated)
            try await daybook.start([.catalog], programs: programs)
            let client = try daybook.client(timeout: .seconds(60))
            let picture = try #require(File.read(Self.sample("orientation-6.jpg")))
            let request = PutBlob(upload: .make(), size: picture.count, offset: 0, bytes: picture)
            let key = Identifier.make()
            async let first = client.send(request, key: key)
            let gate = try await Self.openGate(of: daybook)
            try await daybook.kill(.catalog)
            unlink("\(daybook.folder)/gate")
            Self.pass(gate)
            try await daybook.start([.catalog], programs: programs)
            let reply = try await first.value
            let again = try await client.send(request, key: key)
            #expect(again.replayed && again.value == reply)
            #expect(try await client.picture(#require(reply.digest)) == picture)
            #expect(File.text("\(daybook.folder)/runs") == "run\nrun\n")
        }
    }

    @Test func aKilledDecoderIsTriedAgain() async throws {
        try await withDaybook { daybook in
            let once = "[ -e \(daybook.folder)/killed ] || { : > \(daybook.folder)/killed; kill -9 $$; }"
            try await daybook.start([.catalog], programs: try await Self.programs(daybook) { _ in once })
            _ = try await daybook.run("recipes", "add", "Rye loaf")
            let set = try await daybook.run("recipes", "image", "set", "Rye loaf", Self.sample("palette.png"))
            #expect(set.code == 0, "\(set.error)")
            #expect(File.text("\(daybook.folder)/runs") == "run\nrun\n")
        }
    }

    @Test func aDecoderThatCrashesRefusesThePictureAndNothingElse() async throws {
        try await withDaybook { daybook in
            try await daybook.start([.catalog], programs: try await Self.programs(daybook) { _ in "kill -SEGV $$" })
            _ = try await daybook.run("recipes", "add", "Rye loaf")
            let set = try await daybook.run("recipes", "image", "set", "Rye loaf", Self.sample("palette.png"))
            #expect(set.code == 1 && set.error.contains("its decoder failed on it (signal 11)"), "\(set.error)")
            #expect(try await daybook.run("recipes", "list").text == "Rye loaf\n")
        }
    }

    @Test func aDecoderThatHangsIsEndedWithTheBudget() async throws {
        try await withDaybook { daybook in
            let hang = { (folder: String) in "echo $$ > \(folder)/process; exec sleep 1000" }
            try await daybook.start([.catalog], programs: try await Self.programs(daybook, hang))
            _ = try await daybook.run("recipes", "add", "Rye loaf")
            let set = try await daybook.run(
                "recipes",
                "image",
                "set",
                "Rye loaf",
                Self.sample("palette.png"),
                "--timeout",
                "2"
            )
            #expect(set.code == 3, "\(set.error)")
            // It ends after its threads have.
            try await daybook.stop(.catalog)
            let digits = File.text("\(daybook.folder)/process").split(separator: "\n")
            let process = try #require(digits.last.flatMap { Int32($0) })
            #expect(kill(process, 0) != 0 && errno == ESRCH)
        }
    }

    @Test func withoutTheProgramOnlyPicturesAreRefused() async throws {
        try await withDaybook { daybook in
            let programs = try await Self.programs(daybook) { _ in "" }
            unlink("\(programs)/daybook-thumbnail")
            try await daybook.start([.catalog], programs: programs)
            _ = try await daybook.run("recipes", "add", "Rye loaf")
            let set = try await daybook.run("recipes", "image", "set", "Rye loaf", Self.sample("palette.png"))
            #expect(set.code == 3, "\(set.error)")
            #expect(set.error.contains("\(programs)/daybook-thumbnail is missing: build or install it"))
            #expect(try await daybook.run("customers", "add", "Ada Lind").code == 0)
        }
    }

    // MARK: Programs

    /// Waits for somebody who opens the gate, where there is one.
    private static func gated(_ folder: String) -> String { "[ ! -p \(folder)/gate ] || read -r _ < \(folder)/gate" }

    /// A folder with the catalog's program, and one for thumbnails that runs `script` and then the real one; it adds a line
    /// to `runs` each time.
    private static func programs(_ daybook: Daybook, _ script: (String) -> String) async throws -> String {
        let folder = daybook.folder
        let lines = [
            "#!/bin/sh", "echo run >> \(folder)/runs", script(folder),
            "exec \(Environment.programs)/daybook-thumbnail", "",
        ]
        let program = "\(folder)/programs/daybook-thumbnail"
        let made = try await daybook.shell(
            "mkdir \(folder)/programs && cp \(Environment.programs)/daybook-catalog \(folder)/programs && mkfifo \(folder)/gate"
        )
        try #require(made.code == 0, "\(made.error)")
        try File.write(Array(lines.joined(separator: "\n").utf8), to: program)
        chmod(program, 0o755)
        return "\(folder)/programs"
    }

    /// Waits until the program for thumbnails stands at the gate.
    private static func openGate(of daybook: Daybook) async throws -> Int32 {
        let path = "\(daybook.folder)/gate"
        // Should nobody come, the wait ends all the same, and the test fails.
        let rescue = Task {
            if (try? await Task.sleep(for: .seconds(50))) != nil { close(open(path, O_RDONLY | O_NONBLOCK)) }
        }
        defer { rescue.cancel() }
        let gate = try await DedicatedThread.run { open(path, O_WRONLY | O_CLOEXEC) }
        try #require(gate >= 0)
        return gate
    }

    private static func pass(_ gate: Int32) {
        _ = write(gate, "\n", 1)
        close(gate)
    }

    private static func sample(_ name: String) -> String {
        "\(Environment.checkout)/Tests/PicturesTests/Samples/\(name)"
    }

    /// Prints how many pictures and thumbnails are stored, and how many chunks of unfinished uploads.
    private static let countBlobs = """
        "import sqlite3, sys
        store = sqlite3.connect(sys.argv[1])
        print(*(store.execute('SELECT count(*) FROM ' + table).fetchone()[0] for table in ('blobs', 'uploads')))"
        """
}
