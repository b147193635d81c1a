import CBOR
import Testing

@Suite(.enabled(if: Vector.arePresent)) struct VectorTests {
    /// Under RFC 7049 this was simple(24); RFC 8949 (section 3.3) makes it malformed.
    private let withdrawn = "f818"

    /// Values whose last digit a JSON number can't tell.
    private let exact = [
        "1bffffffffffffffff": "18446744073709551615", "3bffffffffffffffff": "-18446744073709551616",
        "c249010000000000000000": "18446744073709551616", "c349010000000000000000": "-18446744073709551617",
    ]

    @Test func decodesAppendixAToTheGivenValues() throws {
        var decoded = 0
        for vector in try Vector.load("appendix_a.json") where vector.hex != withdrawn {
            let value = try CBORValue(decoding: bytes(vector.hex), profile: .rfc8949)
            decoded += 1
            if let number = exact[vector.hex] {
                #expect("\(value)" == number)
            } else if let diagnostic = vector.diagnostic {
                // A tree does not keep the chunks of an indefinite string.
                let joined = diagnostic == "(_ h'0102', h'030405')" ? "h'0102030405'" : diagnostic
                #expect("\(value)" == joined, "\(vector.hex)")
            } else {
                #expect((vector.decoded ?? .null).describes(value), "\(vector.hex): \(value)")
            }
        }
        #expect(decoded == 81)
    }

    @Test func refusesASimpleValueBelow32InTwoBytes() {
        #expect(
            refusal(bytes(withdrawn), .rfc8949)
                == .malformed(offset: 0, reason: "a simple value below 32 in two bytes")
        )
    }

    @Test func encodesAppendixAToTheSameBytes() throws {
        for vector in try Vector.load("appendix_a.json") where vector.roundtrip == true && vector.hex != withdrawn {
            #expect(hex(try CBORValue(decoding: bytes(vector.hex), profile: .rfc8949).encoded()) == vector.hex)
        }
    }

    @Test func refusesEveryMalformedVectorInBothProfiles() throws {
        let vectors = try Vector.load("cbor_malformed.json")
        #expect(vectors.count >= 100)
        for vector in vectors {
            #expect(refusal(bytes(vector.hex), .rfc8949) != nil, "\(vector.hex): \(vector.why ?? "")")
            #expect(refusal(bytes(vector.hex), .wire) != nil, "\(vector.hex): \(vector.why ?? "")")
        }
    }
}
