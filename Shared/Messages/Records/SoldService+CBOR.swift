public import CBOR

extension SoldService: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("id", id, &map)
        writer.required("version", version, &map)
        writer.required("name", name, &map)
        writer.optional("info", info, &map)
        writer.optional("price", price, &map)
        writer.optional("reference", reference, &map)
        writer.optional("recipe", recipe, &map)
        writer.optional("recipeName", recipeName, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        id = try reader.required("id", &map)
        version = try reader.required("version", &map)
        name = try reader.required("name", &map)
        info = try reader.optional("info", &map)
        price = try reader.optional("price", &map)
        reference = try reader.optional("reference", &map)
        recipe = try reader.optional("recipe", &map)
        recipeName = try reader.optional("recipeName", &map)
        try reader.close(map)
    }
}
