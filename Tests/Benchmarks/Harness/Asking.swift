import CBOR
import Client
import Messages
import Support
import ZeroMQ

/// A DEALER that asks, and a SUB that hears one topic, on this thread.
final class Asking {
    struct Answer {
        var reply: [Frame]
        /// The first message on the topic that was wanted.
        var told: [Frame]
        /// In nanoseconds from sending.
        var replied: UInt64
        var heard: UInt64
        var sentAt: UInt64
    }

    private let context = Context()
    private let dealer: Socket
    private let sub: Socket
    private var poller = Poller()
    private let dealerSlot: Poller.Slot
    private let subSlot: Poller.Slot
    private static let patience = Duration.seconds(20)

    /// - Parameter curve: the keys; nil for a plain connection.
    init(_ endpoints: ServiceEndpoints, curve: SocketOptions.Curve? = nil) throws {
        var options = SocketOptions()
        options.curve = curve
        dealer = try Socket(context, .dealer, options: options)
        sub = try Socket(context, .sub, options: options)
        try dealer.connect(endpoints.requests)
        try sub.connect(endpoints.events)
        dealerSlot = poller.add(dealer, .receive)
        subSlot = poller.add(sub, .receive)
    }

    /// Subscribes, and waits for what the topic answers with.
    func subscribe(_ topic: String) throws {
        try sub.subscribe(topic.utf8)
        poller.set([], at: dealerSlot)
        defer { poller.set(.receive, at: dealerSlot) }
        guard try poller.wait(timeout: Self.patience) > 0, try sub.receive() != nil else {
            throw HarnessError("no answer to the subscription of \(topic)")
        }
    }

    func send(_ frames: [[UInt8]]) throws {
        while try dealer.send(frames) != .sent {
            var room = Poller()
            _ = room.add(dealer, .send)
            guard try room.wait(timeout: Self.patience) > 0 else { throw HarnessError("nobody takes the request") }
        }
    }

    /// The frames of the next reply.
    func reply() throws -> [Frame] {
        var replies = Poller()
        _ = replies.add(dealer, .receive)
        while true {
            if let message = try dealer.receive() { return message.frames }
            guard try replies.wait(timeout: Self.patience) > 0 else { throw HarnessError("no reply") }
        }
    }

    /// Sends a request, and gives the body of its reply.
    func ask<R: Request>(_ request: R) throws -> R.Reply {
        try send(try RawSocket.frames(request))
        let frames = try reply()
        let header = try frames[0].withUnsafeBytes { try CBORDecoder().decode(ReplyHeader.self, from: $0) }
        guard header.status == .ok else { throw HarnessError("\(R.operation) was answered with \(header.status)") }
        return try frames[1].withUnsafeBytes { try CBORDecoder().decode(R.Reply.self, from: $0) }
    }

    /// Sends a request, and waits for its reply and for a message of the topic that is wanted.
    func ask(_ frames: [[UInt8]], wanting isWanted: ([Frame]) -> Bool) throws -> Answer {
        var answer = Answer(reply: [], told: [], replied: 0, heard: 0, sentAt: now())
        try send(frames)
        while answer.reply.isEmpty || answer.told.isEmpty {
            guard try poller.wait(timeout: Self.patience) > 0 else { throw HarnessError("no reply, or no batch") }
            let time = now() - answer.sentAt
            if let message = try dealer.receive() { (answer.reply, answer.replied) = (message.frames, time) }
            while let message = try sub.receive() {
                if answer.told.isEmpty, isWanted(message.frames) {
                    (answer.told, answer.heard) = (message.frames, time)
                }
            }
        }
        return answer
    }

    /// Whether a message of a list's topic is a batch, not the state of each second.
    static func isBatch(_ frames: [Frame]) -> Bool { (try? batch(frames)) != nil }

    static func batch(_ frames: [Frame]) throws -> ListBatch {
        guard frames.count == 2 else { throw HarnessError("a list's message of \(frames.count) frames") }
        return try frames[1].withUnsafeBytes { try CBORDecoder().decode(ListBatch.self, from: $0) }
    }
}
