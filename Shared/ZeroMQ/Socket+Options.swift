import CZeroMQ

extension SocketType {
    var number: Int32 {
        switch self {
        case .router: ZMQ_ROUTER
        case .dealer: ZMQ_DEALER
        case .req: ZMQ_REQ
        case .rep: ZMQ_REP
        case .pub: ZMQ_PUB
        case .sub: ZMQ_SUB
        case .xpub: ZMQ_XPUB
        case .xsub: ZMQ_XSUB
        case .pair: ZMQ_PAIR
        case .push: ZMQ_PUSH
        case .pull: ZMQ_PULL
        }
    }
}

extension Socket {
    /// Everything that is set at creation (zmq_setsockopt(3)).
    func apply(_ options: SocketOptions) throws(ZeroMQError) {
        try setOption(ZMQ_LINGER, options.linger.milliseconds)
        try setOption(ZMQ_SNDHWM, options.sendHighWaterMark)
        try setOption(ZMQ_RCVHWM, options.receiveHighWaterMark)
        try setOption64(ZMQ_MAXMSGSIZE, Int64(options.maximumFrameBytes ?? -1))
        try setOption(ZMQ_RECONNECT_IVL, options.reconnectInterval.lowerBound.milliseconds)
        try setOption(ZMQ_RECONNECT_IVL_MAX, options.reconnectInterval.upperBound.milliseconds)

        // Without it the system tries one address for two minutes, whatever its name means meanwhile.
        try setOption(ZMQ_CONNECT_TIMEOUT, options.connectTimeout.milliseconds)
        // A peer that is silent, stuck in its handshake, or gone without a word. The TTL is sent in tenths of a second of
        // 16 bits: 65.6 s and more overflow.
        try setOption(ZMQ_HANDSHAKE_IVL, options.handshakeInterval.milliseconds)
        try setOption(ZMQ_HEARTBEAT_IVL, 2_000)
        try setOption(ZMQ_HEARTBEAT_TIMEOUT, 10_000)
        try setOption(ZMQ_HEARTBEAT_TTL, 15_000)
        try setOption(ZMQ_TCP_KEEPALIVE, 1)
        try setOption(ZMQ_TCP_KEEPALIVE_IDLE, 30)
        try setOption(ZMQ_TCP_KEEPALIVE_INTVL, 10)
        try setOption(ZMQ_TCP_KEEPALIVE_CNT, 3)

        try setOption(ZMQ_IMMEDIATE, options.immediate ?? (type == .dealer || type == .req) ? 1 : 0)
        if type == .router { try setOption(ZMQ_ROUTER_MANDATORY, 1) }
        if type == .xpub { try setOption(ZMQ_XPUB_VERBOSE, 1) }
        try applySecurity(options)
    }

    /// For the connections that are made from now on.
    func setAffinity(to endpoint: Endpoint) throws(ZeroMQError) {
        try setOption64(ZMQ_AFFINITY, context.affinity(endpoint))
    }

    private func applySecurity(_ options: SocketOptions) throws(ZeroMQError) {
        if case .server = options.curve, options.zapDomain?.isEmpty ?? true { throw .unprotectedCurve }
        if let domain = options.zapDomain {
            try setOption(ZMQ_ZAP_DOMAIN, domain)
            try setOption(CZEROMQ_ZAP_ENFORCE_DOMAIN, 1)
        }
        switch options.curve {
        case .server(let keys):
            try setOption(ZMQ_CURVE_SERVER, 1)
            try setOption(ZMQ_CURVE_SECRETKEY, keys.secretKey)
        case .client(let keys, let serverKey):
            guard CurveKeyPair.isKey(serverKey) else { throw .invalidKey }
            try setOption(ZMQ_CURVE_SERVERKEY, serverKey)
            try setOption(ZMQ_CURVE_PUBLICKEY, keys.publicKey)
            try setOption(ZMQ_CURVE_SECRETKEY, keys.secretKey)
        case nil:
            break
        }
    }

    func setOption(_ option: Int32, _ value: Int) throws(ZeroMQError) {
        var value = Int32(clamping: value)
        let handle = unsafe try open(.setOption)
        guard unsafe zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size) == 0 else {
            throw .last(.setOption)
        }
    }

    private func setOption64(_ option: Int32, _ value: Int64) throws(ZeroMQError) {
        var value = value
        let handle = unsafe try open(.setOption)
        guard unsafe zmq_setsockopt(handle, option, &value, MemoryLayout<Int64>.size) == 0 else {
            throw .last(.setOption)
        }
    }

    private func setOption(_ option: Int32, _ value: String) throws(ZeroMQError) {
        let handle = unsafe try open(.setOption)
        guard unsafe zmq_setsockopt(handle, option, value, value.utf8.count) == 0 else { throw .last(.setOption) }
    }

    func setTopic(
        _ option: Int32,
        _ prefix: some Collection<UInt8>,
        _ operation: ZeroMQError.Operation
    ) throws(ZeroMQError) {
        guard prefix.count <= Self.maximumTopicBytes else { throw .topicTooLong(prefix.count) }
        let handle = unsafe try open(operation)
        let topic = Array(prefix)
        guard unsafe zmq_setsockopt(handle, option, topic, topic.count) == 0 else { throw .last(operation) }
    }

    /// Where the last bind ended up.
    func lastEndpoint() throws(ZeroMQError) -> String {
        var buffer = [UInt8](repeating: 0, count: 512)
        var size = buffer.count
        let handle = unsafe try open(.readOption)
        guard unsafe zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &buffer, &size) == 0 else { throw .last(.readOption) }
        return String(decoding: buffer.prefix(max(0, size - 1)), as: UTF8.self)
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, from 0.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard self > .zero else { return 0 }
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return overflow
            ? Int.max
            : Int(
                product.addingReportingOverflow((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
                    .partialValue
            )
    }
}
