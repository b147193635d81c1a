/// Where one property's value arrives while parsing.
///
/// A reference, because the parser reaches properties through reflection, which only reads.
class Occurrences {
    /// What was written for the property, in order: values, or the names of flags.
    var given: [String] = []
}

final class Slot<Value>: Occurrences {
    var value: Value?

    init(_ value: Value?) {
        self.value = value
    }

    /// The value; a missing one is a fault of the program: it read an instance that it made itself.
    func read() -> Value {
        guard let value else {
            preconditionFailure("an argument without a default was read before it was parsed")
        }
        return value
    }
}

/// Reads one value of type `Value` from one argument.
struct ValueReader<Value> {
    var allowedValues: [String] = []
    var completion: CompletionKind = .default
    var describe: (Value) -> String?
    let read: @Sendable (String) throws -> Value

    /// Reads with the type's own initializer.
    init(_ type: Value.Type = Value.self) where Value: ExpressibleByArgument {
        allowedValues = Value.allValueStrings
        completion = Value.defaultCompletionKind
        describe = { $0.defaultValueDescription }
        read = { argument in
            guard let value = Value(argument: argument) else {
                throw UnreadableValue(reason: expectation(of: Value.self, found: argument))
            }
            return value
        }
    }

    /// Reads with a closure; what it throws becomes the reason in the user's message.
    init(transform: @escaping @Sendable (String) throws -> Value) {
        describe = { ($0 as? any CustomStringConvertible)?.description }
        read = { argument in
            do {
                return try transform(argument)
            } catch {
                throw UnreadableValue(reason: String(describing: error))
            }
        }
    }
}

/// A value that was refused, with what the user should know.
struct UnreadableValue: Error {
    var reason: String?
}

/// What a value of `type` should have been, or `nil` where the type says nothing.
private func expectation<T: ExpressibleByArgument>(of type: T.Type, found: String) -> String? {
    let allowed = T.allValueStrings
    if !allowed.isEmpty { return "expected " + allowed.map { quoted($0) }.joined(by: "or") }
    if let integer = type as? any FixedWidthInteger.Type { return outOfRange(integer, found: found) }
    if type is any BinaryFloatingPoint.Type { return "expected a number" }
    return nil
}

private func outOfRange<T: FixedWidthInteger>(_ type: T.Type, found: String) -> String {
    let digits = found.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let isNumber = !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isNumber ? "it is not between \(T.min) and \(T.max)" : "expected a whole number"
}

/// The part of a wrapper that does not depend on whether it is an option or an argument.
struct Declaration<Value> {
    var initial: Value?
    var defaultDescription: String?
    var isRequired: Bool
    var isRepeating: Bool
    var allowedValues: [String]
    var completion: CompletionKind
    var help: ArgumentHelp
    /// Reads an argument into the slot.
    let accept: @Sendable (String, Slot<Value>) throws -> Void

    /// One value; required unless there is a default.
    init(_ reader: ValueReader<Value>, default initial: Value?, _ help: ArgumentHelp?, _ completion: CompletionKind?) {
        self.init(reader, initial: initial, help, completion, isRepeating: false, isRequired: initial == nil) {
            [read = reader.read] in $1.value = try read($0)
        }
        defaultDescription = initial.flatMap(reader.describe)
    }

    /// A value that may be absent.
    init<T>(optional reader: ValueReader<T>, _ help: ArgumentHelp?, _ completion: CompletionKind?) where Value == T? {
        self.init(reader, initial: .some(nil), help, completion, isRepeating: false, isRequired: false) {
            [read = reader.read] in $1.value = .some(try read($0))
        }
    }

    /// Any number of values; at least one unless there is a default, which the first value replaces.
    init<T>(array reader: ValueReader<T>, default initial: [T]?, _ help: ArgumentHelp?, _ completion: CompletionKind?)
    where Value == [T] {
        self.init(reader, initial: initial, help, completion, isRepeating: true, isRequired: initial == nil) {
            [read = reader.read] in
            let element = try read($0)
            $1.value = ($1.given.isEmpty ? [] : $1.value ?? []) + [element]
        }
        defaultDescription = initial?.compactMap(reader.describe).joined(separator: ", ")
    }

    private init<T>(
        _ reader: ValueReader<T>,
        initial: Value?,
        _ help: ArgumentHelp?,
        _ completion: CompletionKind?,
        isRepeating: Bool,
        isRequired: Bool,
        accept: @escaping @Sendable (String, Slot<Value>) throws -> Void
    ) {
        self.initial = initial
        self.isRequired = isRequired
        self.isRepeating = isRepeating
        self.allowedValues = reader.allowedValues
        self.completion = completion ?? reader.completion
        self.help = help ?? ArgumentHelp()
        self.accept = accept
    }
}
