public import CBOR

extension Position: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        writer.arrayHead(2)
        epoch.encode(into: &writer)
        writer.int(sequence)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        guard try reader.arrayHead() == 2 else { throw reader.givingUp() }
        epoch = try Identifier(from: &reader)
        sequence = try reader.int()
        guard sequence >= 0 else { throw reader.givingUp() }
    }
}

extension Status: CBORShortcut {
    public func encode(into writer: inout CBORWriter) { writer.text(rawValue) }

    public init(from reader: inout CBORReader) throws(CBORError) {
        guard let status = Status(rawValue: try reader.text()) else { throw reader.givingUp() }
        self = status
    }
}

extension RequestHeader: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("version", version, &map)
        writer.required("id", id, &map)
        writer.required("operation", operation, &map)
        writer.optional("key", key, &map)
        writer.optional("timeout", timeout, &map)
        writer.optional("after", after, &map)
        writer.optional("traceparent", traceparent, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        version = try reader.required("version", &map)
        id = try reader.required("id", &map)
        operation = try reader.required("operation", &map)
        key = try reader.optional("key", &map)
        timeout = try reader.optional("timeout", &map)
        after = try reader.optional("after", &map)
        traceparent = try reader.optional("traceparent", &map)
        try reader.close(map)
    }
}

extension ReplyHeader: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("version", version, &map)
        writer.required("id", id, &map)
        writer.required("status", status, &map)
        writer.optional("positions", positions, &map)
        writer.optional("run", run, &map)
        writer.optional("replayed", replayed, &map)
        writer.optional("retryAfter", retryAfter, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        version = try reader.required("version", &map)
        id = try reader.required("id", &map)
        status = try reader.required("status", &map)
        positions = try reader.optional("positions", &map)
        run = try reader.optional("run", &map)
        replayed = try reader.optional("replayed", &map)
        retryAfter = try reader.optional("retryAfter", &map)
        try reader.close(map)
    }
}
