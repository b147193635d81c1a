// swift-tools-version: 6.3
import PackageDescription

// What others build on Daybook: a package of its own, which sees only what is public there.
let package = Package(
    name: "consumer",
    dependencies: [.package(name: "daybook", path: "../..")],
    targets: [
        // The messages: what the service and its clients share.
        .target(name: "Tasks", dependencies: [.product(name: "DaybookLiveList", package: "daybook")]),
        .executableTarget(
            name: "TaskService",
            dependencies: ["Tasks", .product(name: "DaybookService", package: "daybook")]
        ),
        .executableTarget(
            name: "TaskList",
            dependencies: ["Tasks", .product(name: "DaybookClient", package: "daybook")]
        ),
        // A live list inside one process, without services.
        .executableTarget(
            name: "ShoppingList",
            dependencies: [.product(name: "DaybookLiveList", package: "daybook")]
        ),
    ]
)
