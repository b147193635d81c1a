internal import CMicroHTTPD
internal import Glibc

/// Serves a ``Metrics`` page over HTTP, at `/metrics`, on a thread of its own, until it is released. Plain HTTP without keys:
/// whoever reaches the address can read it.
@safe public final class MetricsServer {
    private let server: OpaquePointer
    /// Kept while the thread may ask it.
    private let metrics: Metrics

    /// Listens from now on.
    ///
    /// - Parameters:
    ///   - host: a name or an address of this machine; `*` is every one.
    ///   - port: 0 for one that is free; see ``port``.
    /// - Throws: ``MetricsServerError`` where it can't listen there.
    public init(_ metrics: Metrics, host: String, port: UInt16) throws(MetricsServerError) {
        var code: Int32 = 0
        var reason: UnsafePointer<CChar>?
        let server = unsafe daybook_serve_page(
            host == "*" ? "0.0.0.0" : host,
            String(port),
            "/metrics",
            Metrics.mediaType,
            { context, count in
                guard let context = unsafe context, let count = unsafe count else { return nil }
                let text = unsafe Array(Unmanaged<Metrics>.fromOpaque(context).takeUnretainedValue().text.utf8)
                unsafe count.pointee = text.count
                guard let bytes = unsafe malloc(max(1, text.count)) else { return nil }
                unsafe text.withUnsafeBytes { text in
                    unsafe UnsafeMutableRawBufferPointer(start: bytes, count: text.count).copyMemory(from: text)
                }
                return unsafe bytes.assumingMemoryBound(to: CChar.self)
            },
            Unmanaged.passUnretained(metrics).toOpaque(),
            &code,
            &reason
        )
        guard let server = unsafe server else {
            let why = unsafe String(cString: reason ?? UnsafePointer(strerror(code))).lowercased()
            throw MetricsServerError(description: "can't serve metrics at \(host):\(port): \(why)")
        }
        unsafe self.server = server
        self.metrics = metrics
    }

    deinit {
        unsafe daybook_page_server_stop(server)
    }

    /// The port that is listened at.
    public var port: UInt16 { unsafe UInt16(truncatingIfNeeded: daybook_page_server_port(server)) }
}

/// Why metrics can't be served: one sentence.
public struct MetricsServerError: Error, CustomStringConvertible {
    public let description: String
}
