// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
/// For the modules that wrap C: every unsafe use is marked.
let wrapping = settings + [.strictMemorySafety()]

/// A folder of `Shared`.
func shared(
    _ name: String,
    _ dependencies: [Target.Dependency],
    exclude: [String] = [],
    _ settings: [SwiftSetting] = settings
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Shared/\(name)",
        exclude: exclude,
        swiftSettings: settings
    )
}

/// A service's executable: what it defines, run by the kernel.
func service(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["Messages", "Service", "Store", "Text"] + more,
        path: "Services/\(name)",
        swiftSettings: settings
    )
}

/// The tests of a module, in `Tests/<Module>Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.target(name: name)] + dependencies,
        path: "Tests/\(name)Tests",
        exclude: exclude,
        swiftSettings: settings
    )
}

let package = Package(
    name: "daybook",
    products: [
        .executable(name: "daybook", targets: ["CLI"]),
        .executable(name: "daybook-catalog", targets: ["Catalog"]),
        .executable(name: "daybook-orders", targets: ["Orders"]),
        .executable(name: "daybook-paper", targets: ["PaperProgram"]),
        .executable(name: "daybook-reporting", targets: ["Reporting"]),
        .executable(name: "daybook-thumbnail", targets: ["Thumbnail"]),
        .executable(name: "daybook-walks", targets: ["Walks"]),
        // What other packages build on, by what it links: nothing, libzmq, and all of them.
        .library(name: "DaybookLiveList", targets: ["CBOR", "LiveList", "Messages"]),
        .library(name: "DaybookClient", targets: ["CBOR", "Client", "LiveList", "Messages", "ZeroMQ"]),
        .library(
            name: "DaybookService",
            targets: ["CBOR", "Client", "LiveList", "Messages", "Service", "Store", "Text", "ZeroMQ"]
        ),
    ],
    targets: [
        .target(name: "CLibArchive", path: "Shared/CLibArchive"),
        // Below SQLite in debug builds; empty in release builds.
        .target(
            name: "CFaultyDisk",
            path: "Shared/CFaultyDisk",
            cSettings: [.define("FAILPOINTS", .when(configuration: .debug))]
        ),
        .target(name: "CMicroHTTPD", path: "Shared/CMicroHTTPD"),
        .target(name: "CPostgreSQL", path: "Shared/CPostgreSQL"),
        .target(name: "CSystem", path: "Shared/CSystem"),
        .target(name: "CUnicode", path: "Shared/CUnicode"),
        .systemLibrary(name: "CExif", path: "Shared/CExif"),
        .systemLibrary(name: "CGD", path: "Shared/CGD"),
        .systemLibrary(name: "CMinizip", path: "Shared/CMinizip"),
        .systemLibrary(name: "CPango", path: "Shared/CPango", pkgConfig: "cairo"),
        .systemLibrary(name: "CSodium", path: "Shared/CSodium"),
        .systemLibrary(name: "CSQLite", path: "Shared/CSQLite"),
        .systemLibrary(name: "CWebP", path: "Shared/CWebP"),
        // Its headers lie in a folder of their own, which pkg-config tells.
        .systemLibrary(name: "CXML2", path: "Shared/CXML2", pkgConfig: "libxml-2.0"),
        .systemLibrary(name: "CZeroMQ", path: "Shared/CZeroMQ"),
        shared("Archive", ["CLibArchive", "CMinizip"], wrapping),
        shared("ArgumentParser", []),
        shared("CBOR", []),
        shared("CSV", []),
        shared("Documents", ["Messages"]),
        // Places at which tests end services: there is nothing of it in release builds.
        shared("Failpoints", [], wrapping + [.define("FAILPOINTS", .when(configuration: .debug))]),
        shared("HTML", ["CXML2"], wrapping),
        shared("JSON", []),
        shared("LiveList", ["CBOR", "Messages"], exclude: ["README.md"]),
        shared("Measures", ["Messages"], exclude: ["README.md"]),
        shared("Messages", ["CBOR"], exclude: ["PROTOCOL.md", "daybook.cddl"]),
        shared("Paper", ["CPango", "Documents", "Messages"], wrapping),
        shared("Pictures", ["CExif", "CGD", "CWebP", "Messages"], wrapping),
        shared("Metrics", ["CMicroHTTPD"], wrapping),
        shared("RecipeFiles", ["Archive", "CSV", "HTML", "JSON", "Measures", "Text"]),
        shared("SHA2", ["CSodium"], wrapping),
        shared("Text", ["CUnicode"], wrapping),
        shared("ZeroMQ", ["CZeroMQ"], wrapping),
        shared("Store", ["CFaultyDisk", "CPostgreSQL", "CSQLite", "Failpoints", "Messages"], wrapping),
        shared("Client", ["CBOR", "LiveList", "Messages", "ZeroMQ"]),
        shared(
            "Service",
            ["CBOR", "CSystem", "Client", "Failpoints", "LiveList", "Messages", "Metrics", "Store", "Text", "ZeroMQ"]
        ),
        .executableTarget(
            name: "CLI",
            dependencies: [
                "Archive", "ArgumentParser", "CBOR", "CSV", "Client", "Documents", "JSON", "LiveList", "Measures",
                "Messages", "RecipeFiles", "SHA2", "Store", "Text", "ZeroMQ",
            ],
            path: "Services/CLI",
            swiftSettings: settings
        ),
        service("Catalog", ["Measures", "SHA2"]),
        service("Orders"),
        .executableTarget(
            name: "PaperProgram",
            dependencies: ["CBOR", "Documents", "Paper"],
            path: "Services/Paper",
            swiftSettings: settings
        ),
        service("Reporting", ["LiveList"]),
        service("Walks"),
        .executableTarget(
            name: "Thumbnail",
            dependencies: ["CSystem", "Messages", "Pictures"],
            path: "Services/Thumbnail",
            swiftSettings: settings
        ),
        tests("Metrics", ["Support"]),
        tests("Archive", ["Support"]),
        tests("ArgumentParser", []),
        tests("CBOR", []),
        tests(
            "CLI",
            [
                "RecipeFiles", "ArgumentParser", "CBOR", "CSV", "Client", "Documents", "JSON", "LiveList", "Measures",
                "Messages", "Support", "Text", "ZeroMQ",
            ]
        ),
        tests("CSV", []),
        tests("Catalog", ["CBOR", "Messages", "Pictures", "Service", "Store", "Support", "ZeroMQ"]),
        tests("Client", ["CBOR", "LiveList", "Messages", "ZeroMQ"]),
        tests("Documents", []),
        tests("HTML", []),
        tests("JSON", []),
        tests("LiveList", ["CBOR", "Messages"]),
        tests("Measures", ["Messages", "Support"]),
        tests("Messages", ["CBOR", "Support"], exclude: ["Golden/bytes.txt"]),
        tests("Paper", ["Documents", "Messages", "Support"], exclude: ["run-declarations"]),
        tests("Pictures", ["Messages", "Support"], exclude: ["Samples"]),
        tests(
            "Reporting",
            ["CBOR", "Catalog", "LiveList", "Messages", "Orders", "Service", "Store", "Support", "Text", "Walks"],
            exclude: ["Fixtures"]
        ),
        tests("RecipeFiles", ["Support"]),
        tests("Service", ["CBOR", "Client", "LiveList", "Messages", "Metrics", "Store", "Support", "Text", "ZeroMQ"]),
        tests("Store", ["Messages", "MigratingStore", "Support"]),
        .executableTarget(
            name: "MigratingStore",
            dependencies: ["Store"],
            path: "Tests/MigratingStore",
            swiftSettings: settings
        ),
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                "CBOR", "Catalog", "CLI", "Client", "JSON", "LiveList", "Messages", "Orders", "PaperProgram",
                "Reporting",
                "Store", "Support", "Text", "Walks", "ZeroMQ",
            ],
            path: "Tests/EndToEnd",
            swiftSettings: settings
        ),
        .testTarget(
            name: "Fuzz",
            dependencies: [
                "Archive", "ArgumentParser", "CBOR", "CLI", "CSV", "Catalog", "Client", "JSON", "LiveList", "Measures",
                "Messages", "Orders", "Pictures", "RecipeFiles", "Reporting", "Service", "Store", "Support", "Walks",
                "ZeroMQ",
            ],
            path: "Tests/Fuzz",
            exclude: ["README.md", "corpus", "run-fuzz"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["CBOR", "Client", "LiveList", "Messages", "Service", "Store", "Support", "ZeroMQ"],
            path: "Tests/Benchmarks",
            exclude: ["Limit", "README.md", "budget.json", "measure", "run-budget"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Recorder",
            dependencies: ["CBOR", "Client", "JSON", "LiveList", "Messages", "Support", "ZeroMQ"],
            path: "Tests/Faults/Recorder",
            swiftSettings: settings
        ),
        // In C, beside which the benchmarks measure the services.
        .executableTarget(
            name: "limit",
            path: "Tests/Benchmarks/Limit",
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("zmq")]
        ),
        .executableTarget(
            name: "Simulation",
            dependencies: ["CBOR", "Client", "LiveList", "Messages", "Service", "Store", "ZeroMQ"],
            path: "Tests/Simulation",
            exclude: ["README.md", "run-mutations"],
            swiftSettings: settings
        ),
        tests("Simulation", ["CBOR", "Client", "Messages", "Service", "Support", "ZeroMQ"]),
        .target(
            name: "Support",
            dependencies: ["CBOR", "Client", "Messages", "ZeroMQ"],
            path: "Tests/Support",
            swiftSettings: settings
        ),
        tests("Text", []),
        tests("ZeroMQ", []),
    ],
    swiftLanguageModes: [.v6]
)
