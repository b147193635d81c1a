import ArgumentParser
import Testing

@testable import CLI

/// What every command says of itself.
struct HelpTests {
    /// The command and all below it, each with its words.
    private static func commands(
        _ command: any ParsableCommand.Type = Daybook.self,
        _ words: [String] = ["daybook"]
    ) -> [(words: String, configuration: CommandConfiguration)] {
        let configuration = command.configuration
        return [(words.joined(separator: " "), configuration)]
            + configuration.subcommands.flatMap {
                commands($0, words + [$0.configuration.commandName ?? String(describing: $0)])
            }
    }

    @Test func sentencesAreWhole() {
        let all = Self.commands()
        #expect(all.count > 60)
        for (words, configuration) in all {
            #expect(configuration.abstract.hasSuffix("."), "\(words)")
            for line in configuration.discussion.split(separator: "\n") {
                #expect(!line.hasSuffix("\\") && !line.contains("  "), "\(words): \(line)")
            }
        }
    }

    /// An example that the parser refuses teaches a fault.
    @Test func examplesParse() throws {
        var count = 0
        for (words, configuration) in Self.commands() {
            for example in configuration.examples {
                guard let arguments = Self.arguments(example) else { continue }
                count += 1
                #expect(throws: Never.self, "\(words): \(example)") { try Daybook.parseAsRoot(arguments) }
            }
        }
        #expect(count > 100)
    }

    /// The words behind `daybook`, up to a pipe or a redirection; nil where the line begins with something else.
    private static func arguments(_ line: String) -> [String]? {
        var (words, word, quote, isWord) = ([String](), "", Character?.none, false)
        scan: for character in line {
            switch (quote, character) {
            case (let open?, character) where open == character: quote = nil
            case (nil, "'"), (nil, "\""): (quote, isWord) = (character, true)
            case (nil, "|"), (nil, ">"), (nil, "<"), (nil, "&"), (nil, "#"): break scan
            case (nil, " "):
                if isWord { words.append(word) }
                (word, isWord) = ("", false)
            default:
                word.append(character)
                isWord = true
            }
        }
        if isWord { words.append(word) }
        return words.first == "daybook" ? Array(words.dropFirst()) : nil
    }
}
