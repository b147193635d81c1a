extension ParsableArguments {
    /// The process's arguments without the program's name, each checked to be UTF-8.
    ///
    /// `CommandLine.arguments` silently puts U+FFFD for what is not UTF-8; a name that was typed in Latin-1 would
    /// be stored mutilated.
    /// - Throws: `UsageError.Problem.notUTF8` for the first argument that is not.
    public static func validatedArguments() throws(UsageError) -> [String] {
        let raw = (1..<max(1, Int(CommandLine.argc))).compactMap { position -> [UInt8]? in
            guard let start = CommandLine.unsafeArgv[position] else { return nil }
            var bytes: [UInt8] = []
            var next = start
            while next.pointee != 0 {
                bytes.append(UInt8(bitPattern: next.pointee))
                next += 1
            }
            return bytes
        }
        return try validated(raw)
    }

    /// Decodes raw arguments, counted from 1.
    static func validated(_ raw: [[UInt8]]) throws(UsageError) -> [String] {
        var arguments: [String] = []
        for (index, bytes) in raw.enumerated() {
            guard let argument = String(validating: bytes, as: UTF8.self) else {
                let problem = UsageError.Problem.notUTF8(position: index + 1, shown: escaped(bytes))
                throw UsageError(problem, command: CommandNode(Self.self).name)
            }
            arguments.append(argument)
        }
        return arguments
    }
}

/// `bytes` as text, with `\xNN` for control characters and for every byte outside ASCII: `caf\xE9`.
private func escaped(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        if (0x20..<0x7F).contains(byte) { return String(UnicodeScalar(byte)) }
        let digits = String(byte, radix: 16, uppercase: true)
        return "\\x" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
}
