import Glibc
import Messages
import Support
import Testing

@testable import CLI

// The command has types of these names, too.
private typealias Daybook = Support.Daybook
private typealias File = Support.File

/// `daybook backup -` and `daybook restore` of what it writes, with the real executables.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TarBackupTests {
    private static let look = """
        for list in 'customers list' 'services list' 'orders list' 'dogs list' 'report unpaid'; do
        daybook $list --format jsonl || exit; done
        """

    private static func day(_ daybook: Daybook) async throws {
        for line in [
            "customers add Lind", "services add Bath --price 40", "dogs add Rex --owner Lind",
            "orders add --customer Lind --row Bath=40.00 --made --date 2024-03-31",
        ] {
            let output = try await daybook.shell("daybook \(line)")
            try #require(output.code == 0, "\(line): \(output.error)")
        }
    }

    private static func stop(_ daybook: Daybook) async throws {
        for service in ServiceName.all { try await daybook.stop(service) }
    }

    @Test func anEmptyHostHasTheBooksFromAPipeAndFromAFile() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try await Self.day(daybook)
            let before = try await daybook.shell(Self.look)
            try #require(before.code == 0, "\(before.error)")
            let tar = "\(daybook.folder)/books.tar"
            // As into another machine; nothing but the archive goes to standard output.
            let made = try await daybook.shell("set -o pipefail; daybook backup - | cat > '\(tar)'")
            #expect(made.code == 0 && made.error.isEmpty && made.text.isEmpty, "\(made.error)")
            // The same files as in a folder, the manifest last; anybody's tar reads it.
            let names = try await daybook.shell("tar -tf '\(tar)'")
            #expect(names.lines.sorted() == ["catalog.db", "manifest.json", "orders.db", "reporting.db", "walks.db"])
            #expect(names.lines.last == "manifest.json")
            try await Self.stop(daybook)
            let restores = [
                "daybook restore '\(tar)'", "daybook restore - < '\(tar)'", "cat '\(tar)' | daybook restore -",
                "gzip -c '\(tar)' | daybook restore -", "daybook restore <(cat '\(tar)')",
                "mkdir t; tar -xf '\(tar)' -C t; tar -c -C t . | daybook restore -", "daybook restore t",
            ]
            for restore in restores {
                try #require(try await daybook.shell("rm -rf '\(daybook.home)'").code == 0)
                let output = try await daybook.shell("cd '\(daybook.folder)'; \(restore)")
                try #require(output.code == 0, "\(restore): \(output.error)")
                #expect(output.lines.count == 5 && output.error.isEmpty, "\(restore): \(output.text)\(output.error)")
                let marks = DurableFile.names(in: daybook.home).filter { $0.hasSuffix(".restored") }
                #expect(marks.count == 4)
            }
            for service in ServiceName.all { try await daybook.start(service) }
            let after = try await daybook.shell(Self.look)
            #expect(after.text == before.text, "\(after.error)")
            #expect(try await daybook.run("verify").code == 0)
        }
    }

    @Test func oneThatIsCutOrDamagedIsNotPutBack() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try await Self.day(daybook)
            let tar = "\(daybook.folder)/books.tar"
            try #require(try await daybook.shell("daybook backup - > '\(tar)'").code == 0)
            let bytes = try #require(File.read(tar))
            let other = "\(daybook.folder)/other"
            let variables = ["DAYBOOK_HOME": other, "DAYBOOK_RUNTIME": ""]
            func expectRefused(_ what: String, _ text: String, _ bytes: [UInt8]) async throws {
                try File.write(bytes, to: "\(daybook.folder)/bad.tar")
                let output = try await daybook.shell(
                    "daybook restore - < '\(daybook.folder)/bad.tar'",
                    variables: variables
                )
                #expect(output.code == 1 && output.error.contains(text), "\(what): \(output.error)")
                #expect(DurableFile.names(in: other).allSatisfy { $0.hasSuffix(".lock") }, "\(what)")
            }
            // In the middle of a store, of a header, of the manifest, and where all stores are whole.
            let manifest = try #require(bytes.lastRange(of: Array("manifest.json\u{0}".utf8)))
            for length in [
                0, 100, 512, 5000, bytes.count / 2, manifest, manifest + 100, manifest + 512, manifest + 600,
            ] {
                try await expectRefused("cut to \(length)", "", Array(bytes.prefix(length)))
            }
            var changed = bytes
            changed[bytes.count / 2] ^= 1
            try await expectRefused("one byte", "is not what was backed up", changed)
            try await expectRefused("no archive", "tar archive", Array(String(repeating: "books ", count: 1000).utf8))
            // What of another kind is called by its name, in both directions.
            let export = "\(daybook.folder)/business.tar"
            try #require(try await daybook.run("export", "--all", export).code == 0)
            try await expectRefused("an export", "'daybook import --all' reads it", try #require(File.read(export)))
            let imported = try await daybook.run("import", "--all", tar)
            #expect(imported.code == 1 && imported.error.contains("'daybook restore' reads it"), "\(imported.error)")
            // Nobody can be asked where the backup comes in.
            try await Self.stop(daybook)
            let unasked = try await daybook.shell("daybook restore - < '\(tar)'")
            #expect(unasked.code == 2 && unasked.error.contains("--yes"), "\(unasked.error)")
            #expect(try await daybook.shell("daybook restore - orders --yes < '\(tar)'").code == 0)
        }
    }

    @Test func whatCannotBeWrittenIsSaid() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try await Self.day(daybook)
            let full = try await daybook.shell("daybook backup - > /dev/full")
            #expect(full.code == 1 && full.error.contains("No space left"), "\(full.error)")
            #expect(full.error.contains("no whole backup"))
            for command in ["backup -", "export --all -"] {
                // Into a pipe that nobody reads.
                let gone = try await daybook.shell(
                    "mkfifo \"$HOME/p\"; exec 4<>\"$HOME/p\" 5>\"$HOME/p\" 4<&-; rm \"$HOME/p\"; daybook \(command) >&5"
                )
                #expect(gone.code == 1 && gone.error.contains("Broken pipe"), "\(command): \(gone.error)")
            }
            let keep = try await daybook.shell("daybook backup - --keep 3 | cat; exit ${PIPESTATUS[0]}")
            #expect(keep.code == 2 && keep.error.contains("--keep") && keep.text.isEmpty)
            let terminal = try await daybook.shell("script -qec 'daybook backup -' /dev/null </dev/null")
            #expect(terminal.code == 2 && terminal.text.contains("nothing for a terminal"), "\(terminal.text)")
            // Keys come along where they are asked for.
            try #require(try await daybook.run("keys", "new", "ada", "--role", "writer").code == 0)
            let keyed = "\(daybook.folder)/keyed.tar"
            try #require(try await daybook.shell("daybook backup - --with-keys > '\(keyed)'").code == 0)
            let other = ["DAYBOOK_HOME": "\(daybook.folder)/other", "DAYBOOK_RUNTIME": ""]
            let restored = try await daybook.run("restore", keyed, "--with-keys", variables: other)
            #expect(restored.code == 0, "\(restored.error)")
            let key = try #require(File.read("\(daybook.home)/keys/ada.key_secret"))
            #expect(File.read("\(daybook.folder)/other/keys/ada.key_secret") == key)
            // A service that is down is told before a byte is written.
            try await daybook.stop(.walks)
            let down = try await daybook.shell("daybook backup - --timeout 1 | wc -c; exit ${PIPESTATUS[0]}")
            #expect(down.code == 3 && down.lines == ["0"], "\(down.error)")
        }
    }
}

extension [UInt8] {
    /// Where these bytes stand last.
    fileprivate func lastRange(of other: [UInt8]) -> Int? {
        indices.reversed().first { index in self[index...].starts(with: other) }
    }
}
