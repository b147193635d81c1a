/// Writes a line for what is tried again and again, such as to store while the disk is full: the first time, and then once a
/// minute with how often it was left out.
struct RepeatedLog {
    /// Between two lines about the same, in milliseconds.
    static let pause: Int64 = 60_000
    /// The most things that are remembered.
    static let mostSubjects = 100

    private let log: Log
    private var told: [String: (at: Int64, leftOut: Int)] = [:]

    init(_ log: Log) {
        self.log = log
    }

    /// - Parameters:
    ///   - subject: what the message is about, where that is less than its text.
    ///   - now: in milliseconds.
    mutating func tell(_ level: Log.Level, _ message: String, about subject: String? = nil, now: Int64) {
        let subject = subject ?? message
        if let last = told[subject], now - last.at < Self.pause {
            told[subject] = (last.at, last.leftOut + 1)
            return
        }
        let leftOut = told[subject]?.leftOut ?? 0
        log.write(level, message, leftOut == 0 ? [:] : ["repeated": String(leftOut)])
        if told.count >= Self.mostSubjects { told = [:] }
        told[subject] = (now, 0)
    }

    /// It goes on: the next line about it is a first one.
    mutating func settle(_ subject: String) { told[subject] = nil }
}
