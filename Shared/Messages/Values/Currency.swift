/// A currency of ISO 4217, by its code of three capital letters.
///
/// Only active codes that have a minor unit are known, as listed at the end of 2025; metals, funds without decimals,
/// and test codes are not.
public struct Currency: Hashable, Sendable {
    /// The three letters above one byte for the decimals, so that ordering is by code.
    private let packed: UInt32

    /// Euro.
    public static let eur = Currency(packed: pack("EUR".utf8, decimals: 2))
    /// US dollar.
    public static let usd = Currency(packed: pack("USD".utf8, decimals: 2))

    /// The currency of this code.
    ///
    /// - Throws: ``AmountError/unknownCurrency(_:suggestion:)``: for other letters or lower case.
    public init(code: some StringProtocol) throws(AmountError) {
        guard let known = Self.known(code.utf8) else {
            throw .unknownCurrency(clipped(code), suggestion: Self.nearest(to: String(code)))
        }
        self = known
    }

    /// The currency of this code; nil where there is none.
    init?(utf8 code: UnsafeRawBufferPointer) {
        guard let known = Self.known(code) else { return nil }
        self = known
    }

    private init(packed: UInt32) {
        self.packed = packed
    }

    /// Three capital letters.
    public var code: String {
        String(decoding: [UInt8(packed >> 24), UInt8(packed >> 16 & 0xff), UInt8(packed >> 8 & 0xff)], as: UTF8.self)
    }

    /// How many decimals the minor unit makes: 0, 2, 3 or 4.
    public var decimals: Int { Int(packed & 0xff) }

    /// All known currencies, by code.
    public static var all: [Currency] { table.map(Currency.init(packed:)) }
}

extension Currency: Comparable {
    public static func < (left: Currency, right: Currency) -> Bool { left.packed < right.packed }
}

extension Currency: LosslessStringConvertible {
    /// As ``init(code:)``, with `nil` for what it refuses.
    public init?(_ code: String) {
        guard let known = Self.known(code.utf8) else { return nil }
        self = known
    }

    /// The code.
    public var description: String { code }
}

extension Currency: Codable {
    /// Reads the code.
    ///
    /// - Throws: `DecodingError` with the sentence of the ``AmountError``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let code = try container.decode(String.self)
        do throws(AmountError) {
            try self.init(code: code)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes the code.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}

extension Currency {
    /// Sorted by code.
    private static let table: [UInt32] = {
        let lists = [
            0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
            2: """
            AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE \
            CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD \
            HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP \
            MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD \
            SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS \
            VED VES WST XCD XCG YER ZAR ZMW ZWG
            """,
            3: "BHD IQD JOD KWD LYD OMR TND",
            4: "CLF UYW",
        ]
        return lists.flatMap { decimals, codes in
            codes.utf8.split(separator: UInt8(ascii: " ")).map { pack($0, decimals: UInt32(decimals)) }
        }.sorted()
    }()

    private static func pack(_ code: some Sequence<UInt8>, decimals: UInt32) -> UInt32 {
        code.reduce(0) { $0 << 8 | UInt32($1) } << 8 | decimals
    }

    /// The three letters, one after the other.
    var letters: (UInt8, UInt8, UInt8) {
        (UInt8(packed >> 24), UInt8(packed >> 16 & 0xff), UInt8(packed >> 8 & 0xff))
    }

    private static func known(_ code: some Collection<UInt8>) -> Currency? {
        guard code.count == 3 else { return nil }
        let letters = pack(code, decimals: 0)
        var (low, high) = (0, table.count)
        while low < high {
            let middle = (low + high) / 2
            if table[middle] < letters { low = middle + 1 } else { high = middle }
        }
        guard low < table.count, table[low] & ~0xff == letters else { return nil }
        return Currency(packed: table[low])
    }

    /// What was probably meant: a common sign or name, the same letters in lower case, two letters swapped, or one
    /// letter wrong, missing or too many; of several, a widely used one.
    private static func nearest(to text: String) -> Currency? {
        guard text.utf8.count <= 8 else { return nil }
        let signs = [
            "€": "EUR", "EURO": "EUR", "EUROS": "EUR", "$": "USD", "DOLLAR": "USD", "£": "GBP", "POUND": "GBP",
            "¥": "JPY", "YEN": "JPY",
        ]
        let upper = text.uppercased()
        if let code = signs[upper] { return Currency(code) }
        let letters = [UInt8](upper.utf8)
        if let same = known(letters) { return same }
        let widely = ["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "JPY", "CAD", "AUD"]
        return (widely.compactMap(Currency.init) + all).first { isNear([UInt8]($0.code.utf8), letters) }
    }

    private static func isNear(_ code: [UInt8], _ letters: [UInt8]) -> Bool {
        if code.count == letters.count {
            let differences = code.indices.filter { code[$0] != letters[$0] }
            return differences.count == 1 || differences.count == 2 && code.sorted() == letters.sorted()
        }
        let (short, long) = code.count < letters.count ? (code, letters) : (letters, code)
        return long.count == short.count + 1
            && long.indices.contains { skipped in short.elementsEqual(long[..<skipped] + long[(skipped + 1)...]) }
    }
}
