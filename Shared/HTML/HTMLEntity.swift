internal import CXML2

/// The character references of HTML (HTML Living Standard, section 13.5).
public enum HTMLEntity {
    /// The character that is named, as in `&eacute;`; nil for a name that isn't known.
    ///
    /// Those of HTML 4 by libxml2, and the fractions that came with HTML 5.
    public static func character(named name: String) -> Unicode.Scalar? {
        if let fraction = fractions[name] { return fraction }
        guard !name.utf8.contains(0), let entity = unsafe htmlEntityLookup(name) else { return nil }
        return unsafe Unicode.Scalar(entity.pointee.value)
    }

    /// The character of a number, as in `&#8211;`; nil for what is none.
    ///
    /// The numbers 128 to 159 mean what they mean in Windows-1252, as in browsers.
    public static func character(numbered number: UInt32) -> Unicode.Scalar? {
        if 128...159 ~= number { return windows1252[Int(number) - 128].flatMap(Unicode.Scalar.init) }
        if number == 9 || number == 10 || number == 13 { return Unicode.Scalar(number) }
        return number < 32 || number == 127 ? nil : Unicode.Scalar(number)
    }

    private static let fractions: [String: Unicode.Scalar] = [
        "half": "½", "frac13": "⅓", "frac23": "⅔", "frac15": "⅕", "frac25": "⅖", "frac35": "⅗", "frac45": "⅘",
        "frac16": "⅙", "frac56": "⅚", "frac18": "⅛", "frac38": "⅜", "frac58": "⅝", "frac78": "⅞",
    ]

    /// From 128; nil where there is none.
    private static let windows1252: [UInt32?] = [
        0x20AC, nil, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, nil,
        0x017D,
        nil, nil, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, nil,
        0x017E, 0x0178,
    ]
}
