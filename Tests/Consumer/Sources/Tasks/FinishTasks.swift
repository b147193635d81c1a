import Messages

/// Marks all tasks of one owner as done, in one transaction.
public struct FinishTasks: Request {
    public static let operation = "task.finish"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = .tasks

    public struct Reply: Codable, Sendable {
        /// How many were not done before.
        public var finished: Int

        public init(finished: Int) {
            self.finished = finished
        }
    }

    /// Matched exactly.
    public var owner: String

    public init(owner: String) {
        self.owner = owner
    }
}
