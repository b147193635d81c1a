internal import Service

@main
struct Main {
    static func main() {
        ServiceProcess.run(Reporting.definition)
    }
}
