public import CBOR

extension Event: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("sequence", sequence, &map)
        writer.required("previous", previous, &map)
        writer.required("transaction", transaction, &map)
        writer.optional("last", last, &map)
        writer.required("type", type, &map)
        writer.required("subject", subject, &map)
        writer.required("time", time, &map)
        writer.required("version", version, &map)
        writer.optional("data", data, &map)
        writer.optional("before", before, &map)
        writer.optional("principal", principal, &map)
        writer.optional("cause", cause, &map)
        writer.optional("traceparent", traceparent, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        sequence = try reader.required("sequence", &map)
        previous = try reader.required("previous", &map)
        transaction = try reader.required("transaction", &map)
        last = try reader.optional("last", &map)
        type = try reader.required("type", &map)
        subject = try reader.required("subject", &map)
        time = try reader.required("time", &map)
        version = try reader.required("version", &map)
        data = try reader.optional("data", &map)
        before = try reader.optional("before", &map)
        principal = try reader.optional("principal", &map)
        cause = try reader.optional("cause", &map)
        traceparent = try reader.optional("traceparent", &map)
        try reader.close(map)
    }
}

extension EventsHeader: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("epoch", epoch, &map)
        writer.required("run", run, &map)
        writer.required("first", first, &map)
        writer.required("through", through, &map)
        writer.required("chain", chain, &map)
        writer.optional("chains", chains, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        epoch = try reader.required("epoch", &map)
        run = try reader.required("run", &map)
        first = try reader.required("first", &map)
        through = try reader.required("through", &map)
        chain = try reader.required("chain", &map)
        chains = try reader.optional("chains", &map)
        try reader.close(map)
    }
}

extension Heartbeat: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("epoch", epoch, &map)
        writer.required("run", run, &map)
        writer.required("sequence", sequence, &map)
        writer.required("entities", entities, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        epoch = try reader.required("epoch", &map)
        run = try reader.required("run", &map)
        sequence = try reader.required("sequence", &map)
        entities = try reader.required("entities", &map)
        try reader.close(map)
    }
}
