import Glibc
public import ZeroMQ

/// Why a key can't be used: a sentence for a person, without any part of the key.
public enum KeyError: Error, Equatable, Sendable {
    /// There is no such file.
    case missing(String)
    /// The file can't be read.
    case unreadable(String, SystemError)
    /// The file is none of a key, and why.
    case malformed(String, String)
    /// Others may read the secret, or write who is allowed.
    case exposed(String)
}

extension KeyError: CustomStringConvertible {
    /// One sentence: what was looked for, what was found, what to do.
    public var description: String {
        switch self {
        case .missing(let path):
            "There is no key file \(path): 'daybook keys new' makes keys, and those of others are copied there."
        case .unreadable(let path, let error): "The key file \(path) can't be read: \(error)."
        case .malformed(let path, let reason): "The key file \(path) can't be used: \(reason)."
        case .exposed(let path): "Others than its owner may read or change \(path): 'chmod go= \(path)' first."
        }
    }
}
