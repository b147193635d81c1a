import Messages

/// A long text as an option takes it: the text itself, `@file`, or `-` for standard input.
///
/// Two `@` in front stand for a text that begins with one.
enum TextSource {
    /// The text; nil where no argument was given.
    ///
    /// - Throws: ``CLIError/usage(_:)`` for a file that isn't there or isn't UTF-8, ``CLIError/system(action:path:code:)``
    ///   for one that can't be read.
    static func text(_ argument: String?, option: String) throws(CLIError) -> String? {
        guard let argument else { return nil }
        if argument == "-" { return try contents("/dev/stdin", called: "standard input", option) }
        guard argument.utf8.first == UInt8(ascii: "@") else { return argument }
        let rest = String(argument.unicodeScalars.dropFirst())
        if rest.utf8.first == UInt8(ascii: "@") { return rest }
        return try contents(rest, called: quoted(rest), option)
    }

    private static func contents(_ path: String, called name: String, _ option: String) throws(CLIError) -> String {
        guard let bytes = try File.contents(path) else {
            throw .usage("\(option): there is no file \(name); a text that begins with @ is written with two.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .usage("\(option): \(name) is not UTF-8; convert it first.")
        }
        return text
    }
}
