import Client
import Glibc
import LiveList
import Messages
import Tasks

/// Changes tasks, and shows them: once, or as they change.
@main
struct Main {
    static let usage = """
        Usage: TaskList add TITLE DAY OWNER   prints the task's id
               TaskList rename ID TITLE
               TaskList delete ID
               TaskList finish OWNER          prints how many were open
               TaskList list
               TaskList follow                prints the list after each change, each with an empty line behind it
        """

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    static func run(_ arguments: [String]) async throws {
        guard let folders = ServiceFolders() else { return print("neither DAYBOOK_HOME nor HOME is set") }
        let client = try DaybookClient(ClientConfiguration(folder: folders.runtime, services: [.tasks]))
        let words = Array(arguments.dropFirst())
        switch (arguments.first, words.count, words.first.flatMap { Identifier($0) }) {
        case ("add", 3, _):
            let task = Task(title: words[0], due: CalendarDay(words[1]), owner: words[2])
            print(try await client.send(Put(task)).value.id)
        case ("rename", 2, let id?):
            var task = try await client.send(Get<Task>(id: id)).value
            task.title = words[1]
            _ = try await client.send(Put(task))
        case ("delete", 1, let id?): _ = try await client.send(Delete<Task>(id: id))
        case ("finish", 1, _): print(try await client.send(FinishTasks(owner: words[0])).value.finished)
        case ("list", 0, _): try await list(client)
        case ("follow", 0, _): try await follow(client)
        default:
            print(usage)
            exit(2)
        }
    }

    /// The tasks as they are now, page by page.
    static func list(_ client: DaybookClient) async throws {
        var (section, item, owner) = (-1, 0, String??.none)
        for try await task in client.records(Task.self, sort: [SortKey("owner"), SortKey("due"), SortKey("title")]) {
            if owner != .some(task.owner) { (section, item, owner) = (section + 1, 0, task.owner) }
            print(line(task, at: ListPath(section, item)))
            item += 1
        }
    }

    /// The tasks of each owner, until the process is ended.
    static func follow(_ client: DaybookClient) async throws {
        var tasks = FetchedResults<Task>()
        for try await update in client.list(Task.self, section: .init("owner")) {
            if case .resync(let reason) = update { print("resync: \(reason)") }
            try tasks.apply(update)
            show(tasks)
        }
    }

    static func show(_ tasks: FetchedResults<Task>) {
        for (index, section) in tasks.sections.enumerated() {
            for (item, task) in section.rows.enumerated() { print(line(task, at: ListPath(index, item))) }
        }
        print()
        fflush(nil)
    }

    static func line(_ task: Task, at path: ListPath) -> String {
        let due = task.due?.description ?? "-"
        return "\(path.section).\(path.item) \(task.done ? "x" : "-") \(due) \(task.owner ?? "-"): \(task.title)"
    }
}
