/// Code that reads what strangers wrote, and what has to hold of it whatever the bytes are.
///
/// That it ends, within a second and without much memory, is held by who runs it: ``ReplayTests`` with the inputs that are
/// kept, and libFuzzer with all those that it thinks of.
struct FuzzTarget: Sendable {
    /// Reads an input, and throws what is not as it has to be.
    typealias Read = ([UInt8]) throws(Finding) -> Void

    /// The name of the folder in `corpus`, too.
    let name: String
    /// Inputs to begin with, beside those in `corpus`.
    let seeds: [[UInt8]]
    /// Makes what inputs are read with: once in a process of libFuzzer.
    let begin: @Sendable () throws -> Read

    init(name: String, seeds: [[UInt8]] = [], begin: @escaping @Sendable () throws -> Read) {
        self.name = name
        self.seeds = seeds
        self.begin = begin
    }

    /// One that needs nothing but the input.
    init(name: String, seeds: [[UInt8]] = [], read: @escaping @Sendable ([UInt8]) throws(Finding) -> Void) {
        self.init(name: name, seeds: seeds) { read }
    }

    /// All of them; each stands in a file of its own.
    static let all = [
        cbor, messages, requests, events, lists, csv, json, recipes, archives, pictures, measures, commandLine, queries,
        keys, files,
    ]
}

/// What does not hold for an input: one sentence.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Throws the finding unless the condition holds.
func require(_ condition: Bool, _ finding: @autoclosure () -> String) throws(Finding) {
    guard !condition else { return }
    throw Finding(finding())
}
