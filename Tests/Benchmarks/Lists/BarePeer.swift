import Support
import ZeroMQ

/// The other side of a bare trip: answers each request with the frames that it was given, and publishes the others.
///
/// Behind the reply it tells when it published and when it replied, in nanoseconds of the machine's clock.
enum BarePeer {
    static let word = "bare-peer"

    /// - Parameter arguments: where to listen for requests, and where to publish; a secret key, where keys are used. Whoever
    ///   comes is let in.
    static func run(_ arguments: [String]) throws {
        guard 2...3 ~= arguments.count else { throw HarnessError("\(word) takes two endpoints, and perhaps a key") }
        let context = Context()
        let gate = try Socket(context, .rep)
        try gate.bind(ZAPRequest.endpoint)
        var options = SocketOptions()
        if arguments.count == 3 {
            options.curve = .server(try CurveKeyPair(secretKey: arguments[2]))
            options.zapDomain = word
        }
        let router = try Socket(context, .router, options: options)
        let publisher = try Socket(context, .xpub, options: options)
        _ = try router.bind(try Endpoint(parsing: arguments[0]))
        _ = try publisher.bind(try Endpoint(parsing: arguments[1]))
        tellReady()
        var poller = Poller()
        _ = poller.add(router, .receive)
        _ = poller.add(publisher, .receive)
        _ = poller.add(gate, .receive)
        var (reply, batch): ([Frame], [Frame]) = ([], [])
        while true {
            try poller.wait(timeout: nil)
            while let question = try gate.receive() {
                _ = try gate.send(ZAPRequest(question)?.admitted(as: word) ?? [Frame([])])
            }
            while let subscription = try publisher.receive() {
                // As a list's topic does: so that the subscriber knows that it is in force.
                _ = try publisher.send([Array(subscription.frames[0].bytes.dropFirst()), []])
            }
            while let message = try router.receive() {
                var frames = message.frames[1...]
                if frames.first?.bytes == Array("frames".utf8) {
                    frames = frames.dropFirst()
                    (reply, batch) = (Array(frames.dropLast(2)), Array(frames.suffix(2)))
                    _ = try router.send([message.frames[0]] + reply)
                    continue
                }
                let told = now()
                _ = try publisher.send(batch)
                let replied = now()
                let times = [told, replied].flatMap { time in withUnsafeBytes(of: time) { Array($0) } }
                _ = try router.send([message.frames[0]] + reply + [Frame(times)])
            }
        }
    }

    /// What the reply's last frame says.
    static func times(_ reply: [Frame]) throws -> (told: UInt64, replied: UInt64) {
        guard let bytes = reply.last?.bytes, bytes.count == 16 else { throw HarnessError("a reply without times") }
        return bytes.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }
}
