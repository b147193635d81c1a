import CBOR
import Client
import Glibc
import Messages
import Support
import ZeroMQ

/// Events of a large transaction, from the first message at any subscriber to the last one at all of them, beside a process
/// that does nothing but send the same frames.
enum FanOut {
    static var benchmark: Benchmark {
        Benchmark(
            name: "fan-out",
            title: "the events of one transaction to so many subscribers; ratio to libzmq sending the same frames",
            rounds: 9,
            prepare: { scratch in
                var sides: [Side] = []
                for count in [10, 100] { sides.append(try await Side(scratch, count)) }
                let all = sides
                return [
                    Case(name: "libzmq") { try all.map { try $0.measure() } },
                    // Of the same round: its frames are those that were sent.
                    Case(name: "Daybook") { all.map(\.daybook) },
                ]
            }
        )
    }

    /// How many a transaction has.
    static let events = 3000

    /// An orders service and a bare publisher, each with so many subscribers in another process and one in this.
    private final class Side {
        private let count: Int
        private let asking: Asking
        private let service: Hearing
        private let bare: Hearing
        private let publisher: Socket
        private var poller = Poller()
        private var time: UInt64 = 0

        init(_ scratch: Scratch, _ count: Int) async throws {
            self.count = count
            let (_, endpoints) = try await scratch.start(.orders, in: "fan-\(count)")
            asking = try Asking(endpoints)
            service = try await Hearing(scratch, endpoints.events, count, "service-\(count)")
            let (requests, events) = (
                "ipc://\(scratch.folder)/peer-\(count)", "ipc://\(scratch.folder)/peer-\(count)-events"
            )
            _ = try await scratch.startPeer([FanPeer.word, requests, events])
            bare = try await Hearing(scratch, try Endpoint(parsing: events), count, "bare-\(count)")
            publisher = try Socket(Context(), .push)
            try publisher.connect(try Endpoint(parsing: requests))
            _ = poller.add(publisher, .send)
        }

        var daybook: Figure { rate(time) }

        /// A round of both.
        func measure() throws -> Figure {
            let batch = Identifier.make()
            let day = try CalendarDay(year: 2026, month: 1, day: 1)
            var chunks = 0
            for start in stride(from: 0, to: FanOut.events, by: 500) {
                let items = try (start..<start + 500).map { number in
                    let rows = (0..<3).map { OrderRow(text: "Bath", sum: Int64(number + $0)) }
                    let order = Order(date: day, currency: .eur, rows: rows, note: String(repeating: "c", count: 145))
                    return try EncodedCBOR(encoding: ImportItem(record: order, line: number))
                }
                _ = try asking.ask(ImportStage(batch: batch, chunk: chunks, entity: Order.entity, items: items))
                chunks += 1
            }
            try asking.send(try RawSocket.frames(ImportCommit(batch: batch, chunks: chunks)))
            let frames: [Frame]
            (frames, time) = try service.heard()
            _ = try asking.reply()
            guard try poller.wait(timeout: .seconds(20)) > 0, try publisher.send(frames) == .sent else {
                throw HarnessError("the bare publisher takes nothing")
            }
            let (sent, bareTime) = try bare.heard()
            guard sent == frames else { throw HarnessError("the bare publisher sent other frames") }
            return rate(bareTime)
        }

        private func rate(_ time: UInt64) -> Figure {
            Figure("events a second to \(count)", Double(FanOut.events) / Double(time) * 1e9, "/s")
        }
    }

    /// The subscribers of a publisher.
    private final class Hearing {
        private let subscriber: Socket
        private let reports: Socket
        private var told = Poller()
        private var reported = Poller()

        init(_ scratch: Scratch, _ events: Endpoint, _ count: Int, _ name: String) async throws {
            let context = Context()
            reports = try Socket(context, .pull)
            let endpoint = try reports.bind(.ipc(path: "\(scratch.folder)/hearing-\(name)"))
            _ = reported.add(reports, .receive)
            subscriber = try HearingPeer.subscriber(context, events)
            _ = told.add(subscriber, .receive)
            _ = try await scratch.startPeer([
                HearingPeer.word, events.description, String(count), endpoint.description,
            ])
        }

        /// All messages of a round, one after the other, and what the subscribers' round took.
        func heard() throws -> (frames: [Frame], time: UInt64) {
            var frames: [Frame] = []
            var events = 0
            while events < FanOut.events {
                guard try told.wait(timeout: .seconds(60)) > 0 else { throw HarnessError("no events") }
                while let message = try subscriber.receive() {
                    let count = try HearingPeer.events(message)
                    if count > 0 { frames += message.frames }
                    events += count
                }
            }
            guard try reported.wait(timeout: .seconds(60)) > 0, let report = try reports.receive() else {
                throw HarnessError("a subscriber lacks events")
            }
            return (frames, report.frames[0].withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
        }
    }
}

/// Many subscribers to the orders' events; tells of each round how long it took.
enum HearingPeer {
    static let word = "hearing-peer"

    /// - Parameter arguments: where events are published, how many hear them, where to report to.
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 3, let count = Int(arguments[1]), count > 0 else {
            throw HarnessError("\(word) takes events, number and reports")
        }
        let context = Context()
        let events = try Endpoint(parsing: arguments[0])
        let subscribers = try (0..<count).map { _ in try subscriber(context, events) }
        let reports = try Socket(context, .push)
        try reports.connect(try Endpoint(parsing: arguments[2]))
        tellReady()
        while true {
            var first: UInt64?
            for subscriber in subscribers {
                var heard = 0
                var poller = Poller()
                _ = poller.add(subscriber, .receive)
                while heard < FanOut.events {
                    guard let message = try subscriber.receive() else {
                        try poller.wait(timeout: nil)
                        continue
                    }
                    heard += try Self.events(message)
                    if first == nil, heard > 0 { first = now() }
                }
                guard heard == FanOut.events else { throw HarnessError("\(heard) events of \(FanOut.events)") }
            }
            let time = now() - (first ?? 0)
            _ = try reports.send([withUnsafeBytes(of: time) { Array($0) }])
        }
    }

    /// A subscriber whose subscription is in force: that to the heartbeat, made behind it, is answered.
    static func subscriber(_ context: Context, _ events: Endpoint) throws -> Socket {
        let socket = try Socket(context, .sub)
        try socket.subscribe(Topic.events(.orders, Order.entity).utf8)
        let heartbeat = Array(Topic.heartbeat(.orders).utf8)
        try socket.subscribe(heartbeat)
        try socket.connect(events)
        var poller = Poller()
        _ = poller.add(socket, .receive)
        guard try poller.wait(timeout: .seconds(20)) > 0, try socket.receive()?.frames.first?.bytes == heartbeat else {
            throw HarnessError("no answer to the subscription")
        }
        try socket.unsubscribe(heartbeat)
        return socket
    }

    /// How many events a message has; none where it is a heartbeat.
    static func events(_ message: Multipart) throws -> Int {
        guard message.frames.count == 3 else { return 0 }
        let header = try message.frames[1].withUnsafeBytes { try CBORDecoder().decode(EventsHeader.self, from: $0) }
        return Int(header.through - header.first) + 1
    }
}

/// Sends the frames that it is given, three to a message, and nothing else.
enum FanPeer {
    static let word = "fan-peer"

    /// - Parameter arguments: where it is given them, and where it publishes.
    static func run(_ arguments: [String]) throws {
        guard arguments.count == 2 else { throw HarnessError("\(word) takes two endpoints") }
        let context = Context()
        var options = SocketOptions()
        options.maximumFrames = 30_000
        let given = try Socket(context, .pull, options: options)
        let publisher = try Socket(context, .xpub)
        _ = try given.bind(try Endpoint(parsing: arguments[0]))
        _ = try publisher.bind(try Endpoint(parsing: arguments[1]))
        tellReady()
        var poller = Poller()
        _ = poller.add(given, .receive)
        _ = poller.add(publisher, .receive)
        while true {
            try poller.wait(timeout: nil)
            while let subscription = try publisher.receive() {
                // As a service answers that to its heartbeat.
                let bytes = subscription.frames[0].bytes
                if bytes.starts(with: [1, UInt8(ascii: "~")]) {
                    _ = try publisher.send([Array(bytes.dropFirst()), []])
                }
            }
            while let frames = try given.receive()?.frames {
                for start in stride(from: 0, to: frames.count, by: 3) {
                    _ = try publisher.send(Array(frames[start..<start + 3]))
                }
            }
        }
    }
}
