internal import Messages
internal import Service

@main
struct Main {
    static func main() {
        ServiceProcess.run(.orders) { (setting) throws(StartError) in
            Orders.definition(try Numbering(setting: setting("DAYBOOK_ORDER_NUMBERS")))
        }
    }
}
