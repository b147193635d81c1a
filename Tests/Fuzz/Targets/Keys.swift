import ZeroMQ

@testable import Client

extension FuzzTarget {
    /// Files of keys, addresses of services, and what libzmq asks of a handshake.
    static let keys = FuzzTarget(
        name: "keys",
        seeds: [
            """
            metadata
                name = "anna"
                role = "writer"
            curve
                public-key = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
                secret-key = "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs"
            """, "tcp://[::1]:7401", "tcp://*:*", "ipc:///run/daybook/catalog.events",
        ].map { Array($0.utf8) } + [
            Frames.joined(["1.0", "1", "daybook", "127.0.0.1", "", "CURVE"].map { Array($0.utf8) } + [Array(0..<32)]),
            Frames.joined(["1.0", "2", "daybook", "localhost:0:0:17", "", "NULL"].map { Array($0.utf8) }),
        ]
    ) { (bytes) throws(Finding) in
        let text = String(decoding: bytes, as: UTF8.self)
        if let key = try? KeyFile(parsing: text, path: "key") {
            let again = try? KeyFile(parsing: key.text, path: "key")
            try require(again == key, "a key is read back as another one")
        }
        if let endpoint = try? Endpoint(parsing: text) {
            let again = try? Endpoint(parsing: endpoint.description)
            try require(again == endpoint, "\(text) is \(endpoint), which is read as \(again.debugDescription)")
        }
        let frames = Frames.split(bytes)
        guard let request = ZAPRequest(Multipart(frames: frames.map { Frame($0) })) else { return }
        try require(request.refused.count == 6 && request.admitted(as: "x").count == 6, "an answer of ZAP has 6 frames")
    }
}
