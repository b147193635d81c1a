import Messages
import Service
import Store
import Tasks

@main
struct Main {
    static func main() {
        ServiceProcess.run(definition)
    }

    static var definition: ServiceDefinition {
        var routes = Routes()
        routes.entity(tasks)
        routes.command(FinishTasks.self, finish)
        return ServiceDefinition(name: .tasks, migrations: [Migration(tasks.schema)], routes: routes)
    }

    static let tasks = Entity<Task>(
        table: "tasks",
        columns: [
            .text("title") { $0.title },
            .day("due") { $0.due },
            .boolean("done") { $0.done },
            .text("owner") { $0.owner },
        ],
        indexes: ["due"],
        sort: [SortKey("due"), SortKey("title")],
        prepare: { (task, _, _) throws(ServiceError) in
            task.title = try TextRules.name(task.title, field: "title")
            task.owner = try TextRules.optional(task.owner, field: "owner")
        }
    )

    @Sendable static func finish(
        _ request: FinishTasks,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> FinishTasks.Reply {
        let open = try transaction.records(Task.self, where: "owner = $1 AND NOT done", .text(request.owner))
        for var task in open {
            task.done = true
            try transaction.put(task)
        }
        return FinishTasks.Reply(finished: open.count)
    }
}
