import Messages

extension ServiceName {
    /// The service that keeps tasks.
    public static let tasks = ServiceName(rawValue: "tasks")
}

/// Something to do.
public struct Task: Record {
    public static let entity = "task"
    public static let service = ServiceName.tasks

    public var id: Identifier
    public var version: Int
    /// Required.
    public var title: String
    public var due: CalendarDay?
    public var done: Bool
    /// Who does it.
    public var owner: String?

    public init(
        id: Identifier = .make(),
        version: Int = 0,
        title: String,
        due: CalendarDay? = nil,
        done: Bool = false,
        owner: String? = nil
    ) {
        self.id = id
        self.version = version
        self.title = title
        self.due = due
        self.done = done
        self.owner = owner
    }
}
