/// What the store could not do, by what the caller can do about it.
public enum StoreError: Error, Sendable, Equatable {
    /// Another connection holds what is needed; trying again may help.
    case busy
    /// A constraint of the schema refused the change.
    case constraint(String)
    /// The disk, or the quota, is full. Nothing of the transaction is stored.
    case full
    /// The file or its folder can't be written, or not be opened.
    case notWritable(path: String, reason: String)
    /// Another process has the store open.
    case inUse(path: String)
    /// The store was made by a newer program.
    case newer(path: String, found: Int, known: Int)
    /// The file is no store of this service.
    case notOurs(path: String, reason: String)
    /// The file is damaged.
    case corrupt(path: String, reason: String)
    /// A sum of integers is larger than one can be.
    case overflow
    /// Reading or writing failed below SQLite: what reached the disk is unknown. The process must end and reopen.
    case inputOutput(String)
    /// The server can't be reached, or ended the connection: nothing of the open transaction is stored. Opening another
    /// connection may help.
    case unavailable(String)
    /// The server's answer to a commit was lost: all of the transaction is stored, or nothing. Whoever asked for it finds
    /// out by asking again with the same idempotency key, over another connection.
    case ambiguous(String)
    /// A column holds another type than was asked for, or a statement can't be right: a fault of ours.
    case fault(String)
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .busy: "the store is busy; try again"
        case .constraint(let reason): "the store refused the change: \(reason)"
        case .full: "the disk is full; free some space and try again"
        case .notWritable(let path, let reason): "can't write \(path): \(reason)"
        case .inUse(let path): "\(path) is in use by another process; stop that one first"
        case .newer(let path, let found, let known):
            "\(path) has schema \(found), and this program knows up to \(known): use the newer program, or a copy from before"
        case .notOurs(let path, let reason): "\(path) is not a store of this service: \(reason)"
        case .corrupt(let path, let reason): "\(path) is damaged (\(reason)); restore it from a backup"
        case .overflow: "the numbers add up to more than one can be"
        case .inputOutput(let reason): "reading or writing the disk failed: \(reason)"
        case .unavailable(let reason): "the database server can't be used: \(reason)"
        case .ambiguous(let reason): "it is not known whether the last changes are stored: \(reason)"
        case .fault(let reason): "store fault: \(reason)"
        }
    }
}
