public import CBOR

extension OrderRow: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("id", id, &map)
        writer.optional("service", service, &map)
        writer.optional("serviceName", serviceName, &map)
        writer.optional("text", text, &map)
        writer.optional("quantity", quantity, &map)
        writer.optional("unitPrice", unitPrice, &map)
        writer.optional("taxRate", taxRate, &map)
        writer.required("sum", sum, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        id = try reader.required("id", &map)
        service = try reader.optional("service", &map)
        serviceName = try reader.optional("serviceName", &map)
        text = try reader.optional("text", &map)
        quantity = try reader.optional("quantity", &map)
        unitPrice = try reader.optional("unitPrice", &map)
        taxRate = try reader.optional("taxRate", &map)
        sum = try reader.required("sum", &map)
        try reader.close(map)
    }
}

extension Payment: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("id", id, &map)
        writer.required("date", date, &map)
        writer.required("amount", amount, &map)
        writer.optional("note", note, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        id = try reader.required("id", &map)
        date = try reader.required("date", &map)
        amount = try reader.required("amount", &map)
        note = try reader.optional("note", &map)
        try reader.close(map)
    }
}

extension BilledWalk: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("walk", walk, &map)
        writer.required("dog", dog, &map)
        writer.optional("row", row, &map)
        writer.optional("number", number, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        walk = try reader.required("walk", &map)
        dog = try reader.required("dog", &map)
        row = try reader.optional("row", &map)
        number = try reader.optional("number", &map)
        try reader.close(map)
    }
}

extension Order: CBORShortcut {
    public func encode(into writer: inout CBORWriter) {
        var map = writer.openMap()
        writer.required("id", id, &map)
        writer.required("version", version, &map)
        writer.required("number", number, &map)
        writer.optional("numberYear", numberYear, &map)
        writer.required("date", date, &map)
        writer.optional("due", due, &map)
        writer.optional("customer", customer, &map)
        writer.optional("customerName", customerName, &map)
        writer.required("currency", currency, &map)
        writer.required("rows", rows, &map)
        writer.optional("taxIncluded", taxIncluded, &map)
        writer.optional("note", note, &map)
        writer.required("made", made, &map)
        writer.optional("madeOn", madeOn, &map)
        writer.required("paid", paid, &map)
        writer.optional("paidOn", paidOn, &map)
        writer.optional("paidByHand", paidByHand, &map)
        writer.optional("payments", payments, &map)
        writer.optional("cancelled", cancelled, &map)
        writer.optional("printed", printed, &map)
        writer.optional("net", net, &map)
        writer.optional("tax", tax, &map)
        writer.required("total", total, &map)
        writer.optional("open", open, &map)
        writer.optional("walks", walks, &map)
        writer.optional("reference", reference, &map)
        writer.close(map)
    }

    public init(from reader: inout CBORReader) throws(CBORError) {
        var map = try reader.openMap()
        id = try reader.required("id", &map)
        version = try reader.required("version", &map)
        number = try reader.required("number", &map)
        numberYear = try reader.optional("numberYear", &map)
        date = try reader.required("date", &map)
        due = try reader.optional("due", &map)
        customer = try reader.optional("customer", &map)
        customerName = try reader.optional("customerName", &map)
        currency = try reader.required("currency", &map)
        rows = try reader.required("rows", &map)
        taxIncluded = try reader.optional("taxIncluded", &map)
        note = try reader.optional("note", &map)
        made = try reader.required("made", &map)
        madeOn = try reader.optional("madeOn", &map)
        paid = try reader.required("paid", &map)
        paidOn = try reader.optional("paidOn", &map)
        paidByHand = try reader.optional("paidByHand", &map)
        payments = try reader.optional("payments", &map)
        cancelled = try reader.optional("cancelled", &map)
        printed = try reader.optional("printed", &map)
        net = try reader.optional("net", &map)
        tax = try reader.optional("tax", &map)
        total = try reader.required("total", &map)
        open = try reader.optional("open", &map)
        walks = try reader.optional("walks", &map)
        reference = try reader.optional("reference", &map)
        try reader.close(map)
    }
}
