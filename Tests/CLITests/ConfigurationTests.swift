import Client
import Messages
import Testing
import ZeroMQ

@testable import CLI

struct ConfigurationTests {
    private func load(
        flags: ConfigurationFlags = ConfigurationFlags(),
        _ environment: [String: String] = [:],
        file: String? = nil,
        folders: Set<String> = []
    ) throws(CLIError) -> Configuration {
        try Configuration.load(
            flags: flags,
            environment: ["HOME": "/home/ann"].merging(environment) { $1 },
            directory: "/srv",
            contents: { path throws(CLIError) in
                path == "\(environment["XDG_CONFIG_HOME"] ?? "/home/ann/.config")/daybook/config.json"
                    ? file.map { Array($0.utf8) } : nil
            },
            isFolder: folders.contains
        )
    }

    @Test func hasDefaults() throws {
        let configuration = try load()
        #expect(configuration.home == "/home/ann/.local/share/daybook")
        #expect(configuration.runtime == "/home/ann/.local/share/daybook/run")
        #expect(configuration.currency == .eur)
        #expect(configuration.timeout == .seconds(10))
        #expect(configuration.format == .table)
        #expect(configuration.endpoints[.orders] == .ipc(folder: configuration.runtime, .orders))
        #expect(configuration.reach.commandLine("daybook", "status") == "daybook status")
    }

    @Test func takesTheFlagThenTheEnvironmentThenTheFile() throws {
        let file = #"{"home": "/file", "timeout": 1, "format": "csv", "currency": "USD"}"#
        let environment = ["DAYBOOK_HOME": "/variable", "DAYBOOK_TIMEOUT": "2", "DAYBOOK_FORMAT": "jsonl"]
        let flags = ConfigurationFlags(home: "/flag", timeout: "0.5", format: .json)

        let fromFile = try load(file: file)
        #expect(fromFile.home == "/file")
        #expect(fromFile.timeout == .seconds(1))
        #expect(fromFile.format == .csv)
        #expect(fromFile.currency == .usd)
        let fromEnvironment = try load(environment, file: file)
        #expect(fromEnvironment.home == "/variable")
        #expect(fromEnvironment.timeout == .seconds(2))
        #expect(fromEnvironment.format == .jsonl)
        let fromFlags = try load(flags: flags, environment, file: file)
        #expect(fromFlags.home == "/flag")
        #expect(fromFlags.timeout == .milliseconds(500))
        #expect(fromFlags.format == .json)
    }

    @Test func treatsAnEmptyVariableAsUnset() throws {
        #expect(try load(["DAYBOOK_HOME": "", "DAYBOOK_CURRENCY": ""]).home == "/home/ann/.local/share/daybook")
    }

    @Test func usesTheSessionsRuntimeFolderForTheDefaultHomeAlone() throws {
        let environment = ["XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(try load(environment, folders: ["/run/user/7"]).runtime == "/run/user/7/daybook")
        #expect(try load(environment).runtime == "/home/ann/.local/share/daybook/run")
        let other = try load(flags: ConfigurationFlags(home: "books"), environment, folders: ["/run/user/7"])
        #expect(other.runtime == "/srv/books/run")
    }

    /// A service that is started by itself, and another's program, find what the command finds.
    @Test(
        arguments: [
            [:], ["XDG_RUNTIME_DIR": "/run/user/7"], ["XDG_RUNTIME_DIR": "/run/gone"], ["XDG_DATA_HOME": "/data"],
            ["XDG_RUNTIME_DIR": "/run/user/7", "DAYBOOK_HOME": "/books"],
            ["DAYBOOK_HOME": "/home/ann/.local/share/daybook", "XDG_RUNTIME_DIR": "/run/user/7"],
            ["DAYBOOK_HOME": "/books", "DAYBOOK_RUNTIME": "/r"], ["DAYBOOK_HOME": "", "DAYBOOK_RUNTIME": ""],
        ] as [[String: String]]
    )
    func hasTheFoldersThatServicesHave(environment: [String: String]) throws {
        let configuration = try load(environment, folders: ["/run/user/7"])
        let all = ["HOME": "/home/ann"].merging(environment) { $1 }
        let folders = try #require(ServiceFolders(environment: { all[$0] }, isFolder: { $0 == "/run/user/7" }))
        #expect(folders.home == configuration.home && folders.runtime == configuration.runtime)
    }

    @Test func readsTheFileWhereXDGSays() throws {
        let environment = ["XDG_CONFIG_HOME": "/etc/ann", "XDG_DATA_HOME": "/data"]
        let configuration = try load(environment, file: #"{"runtime": "~/r"}"#)
        #expect(configuration.home == "/data/daybook")
        #expect(configuration.runtime == "/home/ann/r")
    }

    @Test func keepsTheDemonstrationApart() throws {
        let environment = ["DAYBOOK_RUNTIME": "/run/books", "DAYBOOK_CATALOG_ENDPOINT": "tcp://books.example:7401"]
        let real = try load(environment)
        #expect(real.endpoints[.catalog]?.requests == .tcp(host: "books.example", port: 7401))
        #expect(real.endpoints[.catalog]?.events == .tcp(host: "books.example", port: 7402))
        let demo = try load(environment.merging(["DAYBOOK_DEMO": "1"]) { $1 })
        #expect(demo.isDemo)
        #expect(demo.home == "\(real.home)-demo")
        #expect(demo.runtime == "/run/books-demo")
        #expect(demo.endpoints[.catalog] == .ipc(folder: "/run/books-demo", .catalog))
        #expect(demo.reach.commandLine("daybook", "status") == "DAYBOOK_RUNTIME=/run/books daybook --demo status")
    }

    @Test func walksAreBilledAsTheFileSaysUnlessTheEnvironmentSaysOtherwise() throws {
        #expect(try load().walkBilling == WalkBilling(service: nil, per: .walk, price: nil))
        let file = #"{"walks": {"service": "Walk, one hour", "per": "hour", "price": "15.00"}}"#
        let configured = WalkBilling(service: "Walk, one hour", per: .hour, price: "15.00")
        #expect(try load(file: file).walkBilling == configured)
        let environment = ["DAYBOOK_WALKS_PER": "dog", "DAYBOOK_WALKS_PRICE": "7"]
        #expect(
            try load(environment, file: file).walkBilling
                == WalkBilling(service: "Walk, one hour", per: .dog, price: "7")
        )
        let wrong = #expect(throws: CLIError.self) { try load(["DAYBOOK_WALKS_PER": "mile"], file: file) }
        #expect(wrong?.description.contains("DAYBOOK_WALKS_PER is 'mile': write walk, dog or hour") == true)
        let wrongInFile = #expect(throws: CLIError.self) { try load(file: #"{"walks": {"per": "mile"}}"#) }
        #expect(wrongInFile?.description.contains("walks.per") == true)
    }

    @Test func reachesAnotherMachineByItsNameAndAKey() throws {
        let file = #"{"host": "books.example", "key": "anna", "listen": "*"}"#
        let configuration = try load(["DAYBOOK_WALKS_ENDPOINT": "tcp://walks.example:9001"], file: file)
        #expect(configuration.endpoints[.catalog] == .tcp(host: "books.example", .catalog))
        #expect(configuration.endpoints[.reporting] == .tcp(host: "books.example", .reporting))
        #expect(configuration.endpoints[.walks]?.events == .tcp(host: "walks.example", port: 9002))
        let key = OwnKey(folder: KeyFolder(path: "/home/ann/.local/share/daybook/keys"), name: "anna")
        #expect(configuration.client.key == key)
        #expect(configuration.listen == "*")
        #expect(try load().client.key == nil)
        let elsewhere = try load(["DAYBOOK_KEYS": "keys/", "DAYBOOK_KEY": "otto", "DAYBOOK_HOST": "::1"], file: file)
        #expect(elsewhere.client.key == OwnKey(folder: KeyFolder(path: "/srv/keys"), name: "otto"))
        #expect(elsewhere.endpoints[.orders]?.requests == .tcp(host: "::1", port: 7411))
        // The demonstration stays on this machine.
        let demo = try load(["DAYBOOK_DEMO": "1"], file: file)
        #expect(demo.client.key == nil && demo.listen == nil)
        #expect(demo.endpoints[.catalog] == .ipc(folder: demo.runtime, .catalog))
    }

    @Test func tellsWhatANewShellNeeds() throws {
        let configuration = try load(flags: ConfigurationFlags(home: "/srv/Ann's books"))
        #expect(
            configuration.reach.commandLine("/opt/daybook", "status")
                == #"/opt/daybook --home '/srv/Ann'\''s books' status"#
        )
    }

    @Test(
        arguments: [
            (#"{"hoem": "/x"}"#, "'hoem' is no key of it; did you mean 'home'?"),
            (#"{"colour": "/x"}"#, "'colour' is no key of it; there are home, runtime"),
            (#"{"home": 3}"#, "'home' must be text in quotes."),
            (#"{"home": "books"}"#, "'home' must begin with / or ~/."),
            (#"{"timeout": "5"}"#, "'timeout' must be a number of seconds."),
            (#"{"endpoints": {"catalogue": "tcp://a:1"}}"#, "'endpoints.catalogue' is no key of it; did you mean"),
            (#"{"endpoints": []}"#, "'endpoints' must be an object."),
            (#"{"business": {"nmae": "x"}}"#, "'business.nmae' is no key of it; did you mean 'business.name'?"),
            (#"{"business": "x"}"#, "'business' must be an object."),
            (#"{"business": {"name": 3}}"#, "'business.name' must be text in quotes, or a list of lines."),
            (#"{"business": {"address": ["a", 3]}}"#, "'business.address' must be text in quotes, or a list of lines."),
            (#"{"walks": "Walk"}"#, "'walks' must be an object."),
            (#"{"walks": {"prize": "3"}}"#, "'walks.prize' is no key of it; did you mean 'walks.price'?"),
            (#"{"walks": {"price": 3}}"#, "'walks.price' must be text in quotes."),
            ("[]", "the file must hold one JSON object."),
            ("{\n\"home\": \"/x\",\n}", "line 3: a key in quotes is missing."),
        ]
    )
    func refusesAFile(text: String, sentence: String) {
        let error = #expect(throws: CLIError.self) { try load(file: text) }
        #expect(error?.description.hasPrefix("/home/ann/.config/daybook/config.json: \(sentence)") == true)
        #expect(error?.processStatus == .failure)
    }

    @Test(
        arguments: [
            (["DAYBOOK_TIMEOUT": "soon"], "DAYBOOK_TIMEOUT is 'soon': write seconds"),
            (["DAYBOOK_TIMEOUT": "0"], "DAYBOOK_TIMEOUT is '0'"), (["DAYBOOK_TIMEOUT": "1e9"], "DAYBOOK_TIMEOUT"),
            (["DAYBOOK_CURRENCY": "euro"], "DAYBOOK_CURRENCY is 'euro': write a code"),
            (["DAYBOOK_FORMAT": "pdf"], "DAYBOOK_FORMAT is 'pdf': there are table, json, jsonl, csv."),
            (["DAYBOOK_FORMAT": "xml"], "DAYBOOK_FORMAT is 'xml': there are table, json, jsonl, csv."),
            (["DAYBOOK_DEMO": "maybe"], "DAYBOOK_DEMO is 'maybe': write 1 or 0."),
            (["DAYBOOK_WALKS_ENDPOINT": "ws://x"], "DAYBOOK_WALKS_ENDPOINT is 'ws://x': write tcp://"),
            (["DAYBOOK_WALKS_ENDPOINT": "tcp://x:65535"], "DAYBOOK_WALKS_ENDPOINT"),
            (["DAYBOOK_WALKS_ENDPOINT": "tcp://*:7401"], "DAYBOOK_WALKS_ENDPOINT"),
            (["DAYBOOK_HOST": "*"], "DAYBOOK_HOST is '*': write the name or address"),
            (["DAYBOOK_HOST": "tcp://x"], "DAYBOOK_HOST is 'tcp://x': write the name or address"),
            (["DAYBOOK_KEY": "keys/anna"], "DAYBOOK_KEY is 'keys/anna': write the name of a key"),
            (["DAYBOOK_TAX_RATE": "a fifth"], "DAYBOOK_TAX_RATE is 'a fifth': write a percentage"),
            (["DAYBOOK_DUE_DAYS": "-1"], "DAYBOOK_DUE_DAYS is '-1': write a number of days"),
            (["DAYBOOK_ORDER_NUMBERS": "monthly"], "DAYBOOK_ORDER_NUMBERS is 'monthly': write running or yearly"),
            (["DAYBOOK_KEEP_EVENTS": "90d,forever"], "DAYBOOK_KEEP_EVENTS is '90d,forever', of which 'forever' can't"),
            (["DAYBOOK_RUNTIME": "/" + String(repeating: "x", count: 90)], "The runtime folder is"),
        ] as [([String: String], String)]
    )
    func refusesAVariable(environment: [String: String], sentence: String) {
        let error = #expect(throws: CLIError.self) { try load(environment) }
        #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "")")
        #expect(error?.processStatus == .usage)
    }

    @Test func readsTaxDueDaysAndNumbering() throws {
        let file = #"{"taxRate": 5.5, "dueDays": 14, "orderNumbers": "yearly"}"#
        let configuration = try load(file: file)
        #expect(configuration.taxRate == TaxRate(hundredths: 550))
        #expect(configuration.dueDays == 14 && configuration.orderNumbers == "yearly")
        #expect(try load(["DAYBOOK_DUE_DAYS": "0"], file: file).dueDays == 0)
    }

    @Test func readsWhoseBooksTheseAre() throws {
        let file = #"{"business": {"name": " Ada ", "address": ["Mill Lane 3", "Oslo"], "bank": "", "footer": "a\nb"}}"#
        let business = try load(file: file).business
        #expect(business.name == "Ada" && business.address == "Mill Lane 3\nOslo")
        #expect(business.bank == nil && business.taxNumber == nil)
        #expect(business.customerFooter == ["Ada", "a", "b"] && business.reportFooter == ["Ada"])
        #expect(try load().business.customerFooter.isEmpty)
        #expect(try load(["DAYBOOK_DEMO": "1"], file: file).business == DemoSample.business)
    }

    @Test func keepsEventsAsLongAsTheFlagThenTheEnvironmentThenTheFileSays() throws {
        let file = #"{"keepEvents": "52w"}"#
        let environment = ["DAYBOOK_KEEP_EVENTS": "500MB,12h"]
        #expect(try load().keepEvents == nil)
        #expect(try load(file: file).keepEvents == "52w")
        #expect(try load(environment, file: file).keepEvents == "500MB,12h")
        #expect(try load(flags: ConfigurationFlags(keepEvents: "90d"), environment, file: file).keepEvents == "90d")
    }

    @Test(arguments: ["", "d", "0d", "-1d", "90", "90 d", "90d,", "90d,12h", "1MB,2GB", "1mb", "9223372036854775807w"])
    func refusesALimitOfEvents(text: String) {
        let error = #expect(throws: CLIError.self) { try load(flags: ConfigurationFlags(keepEvents: text)) }
        #expect(error?.description.hasPrefix("--keep-events is '\(text)', of which '") == true)
        #expect(error?.processStatus == .usage)
    }
}
