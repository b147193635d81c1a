public import CBOR

extension Put: CBORDirect, CBORShortcut where R: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("record", record, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        record = try reader.required("record", &map)
        try reader.close(map)
    }
}

extension Get: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("id", id, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        id = try reader.required("id", &map)
        try reader.close(map)
    }
}

extension Delete: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("id", id, &map)
        writer.optional("version", version, &map)
        writer.optional("force", force, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        id = try reader.required("id", &map)
        version = try reader.optional("version", &map)
        force = try reader.optional("force", &map)
        try reader.close(map)
    }
}

extension Page: CBORDirect, CBORShortcut where R: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("rows", rows, &map)
        writer.optional("next", next, &map)
        writer.optional("asOf", asOf, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        rows = try reader.required("rows", &map)
        next = try reader.optional("next", &map)
        asOf = try reader.optional("asOf", &map)
        try reader.close(map)
    }
}

extension AsOf.Listed: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("sequence", sequence, &map)
        writer.optional("time", time, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        sequence = try reader.required("sequence", &map)
        time = try reader.optional("time", &map)
        try reader.close(map)
    }
}

extension SortKey: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("field", field, &map)
        writer.optional("descending", descending, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        field = try reader.required("field", &map)
        descending = try reader.optional("descending", &map)
        try reader.close(map)
    }
}
