import JSON

extension FuzzTarget {
    /// JSON, strict and lenient: what is read is written as what reads the same.
    static let json = FuzzTarget(
        name: "json",
        seeds: [
            #"{"a":[1,-2.5e+3,true,null,"é\u00e9\ud83d\ude00\n"],"":{}}"#, "{\"a\":1}\n{\"b\":[]}\n", "[1,]",
            "[\"line\nbreak\"]",
        ].map { Array($0.utf8) }
    ) { (bytes) throws(Finding) in
        for tolerance in [JSONReader.Tolerance(), JSONReader.Tolerance(rawValue: ~0)] {
            _ = try? JSONReader.elements(of: bytes, tolerating: tolerance)
            guard let value = try? JSONReader.value(of: bytes, tolerating: tolerance) else { continue }
            for text in [value.text(), value.text(indentation: 2), value.text(forScript: true)] {
                let again = try? JSONReader.value(of: Array(text.utf8))
                try require(again == value, "\(value) is written as \(text), and read as \(again.debugDescription)")
            }
        }
    }
}
