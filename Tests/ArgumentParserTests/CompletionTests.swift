import Glibc
import Testing

@testable import ArgumentParser

@Suite struct CompletionTests {
    private static let lines: [(line: [String], expected: [String])] = [
        ([""], ["customers", "orders", "run", "help"]),
        (["o"], ["orders"]),
        (["orders", ""], ["add", "list", "help"]),
        (["order", "a"], ["add"]),
        (["-v", "orders", "l"], ["list"]),
        (["-f", "orders", "c"], ["customers"]),
        (["--format", ""], ["table", "json", "csv"]),
        (["-f", "j"], ["json"]),
        (["orders", "new", "--format", "c"], ["csv"]),
        (["orders", "list", "--format", "c"], ["csv"]),
        (["orders", "list", "--old"], ["--oldest-first"]),
        (["orders", "add", "--no"], ["--note", "--no-paid"]),
        (["orders", "add", "--tr"], []),
        (["orders", "add", "--date", ""], []),
        (["orders", "add", "--sum", "-5", "B"], ["Bob"]),
        (["orders", "add", "--", "B"], ["Bob"]),
        (["orders", "add", "Ann", "B"], []),
        (["help", "orders", "a"], ["add"]),
        (["--vers"], ["--version"]),
    ]

    @Test(arguments: lines + [(["--format", "=", "j"], ["json"]), (["--format", "="], ["table", "json", "csv"])])
    func bashCompletes(line: [String], expected: [String]) throws {
        let words = (["shop"] + line).map(\.shellQuoted).joined(separator: " ")
        let answer = try run(
            "bash",
            Shop.completionScript(for: .bash)
                + "\nCOMP_WORDS=(\(words)) COMP_CWORD=\(line.count)\n_shop\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
        )
        #expect(answer.filter { !$0.isEmpty } == expected)
    }

    @Test func bashQuotesWhatNeedsIt() throws {
        let call = "\nCOMP_WORDS=(shop orders add A) COMP_CWORD=3\n_shop\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
        #expect(try run("bash", Shop.completionScript(for: .bash) + call) == ["Ann\\ Smith"])
    }

    @Test func bashOffersFilesWithTheirExtension() throws {
        let call = """

            cd "$(dirname "$0")" && mkdir folder && touch a.png b.txt
            COMP_WORDS=(shop orders add --image '') COMP_CWORD=4
            _shop
            printf '%s\\n' "${COMPREPLY[@]}" | sort
            """
        #expect(try run("bash", Shop.completionScript(for: .bash) + call) == ["a.png", "folder"])
    }

    // Outside its editor zsh has none of the functions that offer something: these print it.
    @Test(
        .enabled(if: isInstalled("zsh"), "zsh is not installed"),
        arguments: lines + [(["--format=j"], ["json"])]
    )
    func zshCompletes(line: [String], expected: [String]) throws {
        let words = (["shop"] + line).map(\.shellQuoted).joined(separator: " ")
        let script = """
            compdef() { }
            compset() { current_word="${words[CURRENT]#*=}" }
            offer() { local each; for each in "$@"; do [[ $each == "$current_word"* ]] && print -r -- "$each"; done }
            compadd() { shift; offer "$@" }
            _describe() { local name="${@[-1]}"; offer "${(@)${(@P)name}%%:*}" }
            \(Shop.completionScript(for: .zsh))
            words=(\(words)) CURRENT=\(line.count + 1) current_word="${words[CURRENT]}"
            _shop
            """
        #expect(try run("zsh -f", script) == expected)
    }

    @Test(.enabled(if: isInstalled("fish"), "fish is not installed"), arguments: lines)
    func fishCompletes(line: [String], expected: [String]) throws {
        let script =
            Shop.completionScript(for: .fish)
            + "\ncomplete -C 'shop \(line.joined(separator: " "))'\n"
        let offered = try run("fish --no-config", script).map { String($0.prefix { $0 != "\t" }) }
        // fish sorts what it offers.
        #expect(offered.sorted() == expected.sorted())
    }

    @Test(arguments: CompletionShell.allCases.filter { isInstalled($0.rawValue) })
    func shellsAcceptTheSyntax(shell: CompletionShell) throws {
        #expect(try run("\(shell.rawValue) -n", Shop.completionScript(for: shell)) == [])
    }

    @Test(arguments: CompletionShell.allCases)
    func printsTheScriptOnRequest(shell: CompletionShell) {
        #expect(
            Shop.answer("--generate-completion-script \(shell.rawValue)") == Shop.completionScript(for: shell)
        )
    }

    @Test(arguments: CompletionShell.allCases.filter { isInstalled($0.rawValue) })
    func quotesWhatTextsContain(shell: CompletionShell) throws {
        struct Leaf: ParsableCommand {
            static let configuration = CommandConfiguration(abstract: "It's $(false) \\ `x`: \"y\".")
            @Option(help: "Don't; 'never'.", completion: .list(["it's", "a b", "$HOME"])) var what: String?
        }
        struct Tree: ParsableCommand {
            static let configuration = CommandConfiguration(subcommands: [Leaf.self])
        }
        #expect(try run("\(shell.rawValue) -n", Tree.completionScript(for: shell)) == [])
        guard shell == .bash else { return }
        let call = "\nCOMP_WORDS=(tree leaf --what '') COMP_CWORD=3\n_tree\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
        #expect(try run("bash", Tree.completionScript(for: .bash) + call) == ["it\\'s", "a\\ b", "\\$HOME"])
    }
}

private func isInstalled(_ program: String) -> Bool {
    ["/bin/", "/usr/bin/", "/usr/local/bin/"].contains { access($0 + program, X_OK) == 0 }
}

private struct Unavailable: Error {
    var what: String
}

/// Runs `script`, kept in a folder of its own, and returns the lines that it prints on stdout and stderr.
private func run(_ shell: String, _ script: String) throws -> [String] {
    var template = Array("/tmp/completion-XXXXXX".utf8CString)
    guard let created = mkdtemp(&template) else { throw Unavailable(what: "a folder") }
    let folder = String(cString: created)
    defer { _ = system("rm -r '\(folder)'") }
    guard let file = fopen("\(folder)/script", "w") else { throw Unavailable(what: "a file") }
    fputs(script, file)
    fclose(file)
    guard let output = popen("HOME='\(folder)' LC_ALL=C.UTF-8 \(shell) '\(folder)/script' 2>&1", "r") else {
        throw Unavailable(what: shell)
    }
    defer { pclose(output) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, output), count > 0 { bytes += buffer.prefix(count) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}
