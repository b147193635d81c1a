public import CBOR

extension Customer: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("id", id, &map)
        writer.required("version", version, &map)
        writer.required("name", name, &map)
        writer.optional("info", info, &map)
        writer.optional("email", email, &map)
        writer.optional("phone", phone, &map)
        writer.optional("address", address, &map)
        writer.optional("reference", reference, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        id = try reader.required("id", &map)
        version = try reader.required("version", &map)
        name = try reader.required("name", &map)
        info = try reader.optional("info", &map)
        email = try reader.optional("email", &map)
        phone = try reader.optional("phone", &map)
        address = try reader.optional("address", &map)
        reference = try reader.optional("reference", &map)
        try reader.close(map)
    }
}
