import Client
import Glibc
import Messages
import Support
import ZeroMQ

/// When a watcher has the batch of a commit, beside a bare ZeroMQ trip of the same frames.
enum FirstBatch {
    static var benchmark: Benchmark {
        Benchmark(
            name: "first-batch",
            title: "commit → batch at the watcher, 1,000 rows, one command in flight; ratio to the bare trip over ipc",
            rounds: 7,
            prepare: { scratch in
                let list = try await WatchedList(scratch, "first")
                try list.asking.subscribe(list.topic)
                let sample = try list.asking.ask(try list.change(), wanting: Asking.isBatch)
                let folder = scratch.folder
                let ipc = ServiceEndpoints(requests: .ipc(path: "\(folder)/bare"), events: .ipc(path: "\(folder)/told"))
                let tcp = ServiceEndpoints(requests: try freePort(), events: try freePort())
                let bare = try await Bare(scratch, ipc, list, sample)
                let bareTCP = try await Bare(scratch, tcp, list, sample)
                return [
                    Case(name: "bare ZeroMQ, ipc", measure: bare.measure),
                    Case(name: "bare ZeroMQ, tcp", measure: bareTCP.measure),
                    Case(name: "Daybook, ipc") { try measure(list, replyTrip: bare.replyTrip) },
                ]
            }
        )
    }

    private static let commands = 300

    /// A port that nobody has now.
    private static func freePort() throws -> Endpoint {
        let socket = try Socket(Context(), .router)
        defer { socket.close() }
        return try socket.bind(try Endpoint(parsing: "tcp://127.0.0.1:*"))
    }

    /// The commit itself can't be seen from outside. Its reply leaves right behind it, and takes a bare trip.
    private static func measure(_ list: WatchedList, replyTrip: UInt64) throws -> [Figure] {
        var times = Times()
        for _ in 0..<commands {
            let answer = try list.asking.ask(try list.change(), wanting: Asking.isBatch)
            times.add(answer, trip: answer.heard - min(answer.heard, answer.replied - min(answer.replied, replyTrip)))
        }
        return times.figures
    }

    private struct Times {
        private var trips: [UInt64] = []
        private var replies: [UInt64] = []
        private var batches: [UInt64] = []

        mutating func add(_ answer: Asking.Answer, trip: UInt64) {
            trips.append(trip)
            replies.append(answer.replied)
            batches.append(answer.heard)
        }

        var figures: [Figure] {
            Figure.times("commit → batch", trips) + Figure.times("command → reply", replies)
                + Figure.times("command → batch", batches)
        }
    }

    /// The same frames through a process that does nothing with them.
    private final class Bare {
        private let asking: Asking
        private let list: WatchedList
        /// The median of the last round, in nanoseconds.
        private(set) var replyTrip: UInt64 = 0

        init(
            _ scratch: Scratch,
            _ endpoints: ServiceEndpoints,
            _ list: WatchedList,
            _ sample: Asking.Answer
        ) async throws {
            self.list = list
            let arguments = [BarePeer.word, endpoints.requests.description, endpoints.events.description]
            _ = try await scratch.startPeer(arguments)
            asking = try Asking(endpoints)
            try asking.send([Array("frames".utf8)] + sample.reply.map(\.bytes) + sample.told.map(\.bytes))
            _ = try asking.reply()
            try asking.subscribe(list.topic)
        }

        func measure() throws -> [Figure] {
            var times = Times()
            var replyTrips: [UInt64] = []
            for _ in 0..<FirstBatch.commands {
                let answer = try asking.ask(try list.likeChange(), wanting: { $0.count == 2 })
                let (told, replied) = try BarePeer.times(answer.reply)
                times.add(answer, trip: answer.sentAt + answer.heard - told)
                replyTrips.append(answer.sentAt + answer.replied - replied)
            }
            replyTrip = replyTrips.sorted()[replyTrips.count / 2]
            return times.figures
        }
    }
}
