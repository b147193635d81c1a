import CBOR
import Messages
import Testing

@Suite struct RationalTests {
    @Test func isReducedWithAPositiveDenominator() throws {
        #expect(try Rational(6, 4) == Rational(3, 2))
        #expect(try Rational(3, -6) == Rational(-1, 2))
        #expect(try Rational(0, -5) == Rational(0))
        #expect(try Rational(Int64.min, Int64.min) == Rational(1))
        #expect(try Rational(3, 2).description == "3/2")
        #expect(Rational(-7).description == "-7")
    }

    @Test func reportsWhatCannotBe() {
        #expect(throws: RationalError.divisionByZero) { try Rational(1, 0) }
        #expect(throws: RationalError.outOfRange) { try Rational(1, Int64.min) }
        #expect(throws: RationalError.outOfRange) { try Rational(Int64.max).adding(Rational(1)) }
        #expect(throws: RationalError.outOfRange) { try Rational(Int64.min).subtracting(Rational(1)) }
        #expect(throws: RationalError.outOfRange) { try Rational(Int64.max).multiplied(by: Rational(2)) }
        #expect(throws: RationalError.outOfRange) { try Rational(1, Int64.max).multiplied(by: Rational(1, 3)) }
        #expect(throws: RationalError.divisionByZero) { try Rational(1).divided(by: Rational(0)) }
        #expect(throws: RationalError.outOfRange) { try Rational(Int64.max).rounded(decimals: 1) }
    }

    @Test func calculatesExactly() throws {
        let third = try Rational(1, 3)
        #expect(try third.multiplied(by: Rational(3)) == Rational(1))
        #expect(try third.adding(Rational(1, 6)) == Rational(1, 2))
        #expect(try third.subtracting(Rational(1, 2)) == Rational(-1, 6))
        #expect(try third.divided(by: Rational(-2)) == Rational(-1, 6))
        // The intermediate products take more than 64 bits.
        #expect(try Rational(Int64.max, 3).multiplied(by: Rational(3, Int64.max)) == Rational(1))
    }

    @Test func comparesBeyondTheRangeOfProducts() throws {
        #expect(try Rational(Int64.max - 1, Int64.max) < Rational(1))
        #expect(try Rational(1, 3) < Rational(1, 2))
        #expect(try Rational(-1, 2) < Rational(-1, 3))
    }

    @Test func roundsHalvesAwayFromZero() throws {
        #expect(try Rational(5, 2).rounded(decimals: 0) == 3)
        #expect(try Rational(-5, 2).rounded(decimals: 0) == -3)
        #expect(try Rational(2, 3).rounded(decimals: 2) == 67)
        #expect(try Rational(-7, 2).floor == -4)
        #expect(try Rational(7, 2).floor == 3)
    }

    @Test func goesAroundAllFourOperations() throws {
        var seeded = Seeded(7)
        for _ in 0..<2000 {
            let left = try Rational(.random(in: -9999...9999, using: &seeded), .random(in: 1...999, using: &seeded))
            let right = try Rational(.random(in: 1...9999, using: &seeded), .random(in: 1...999, using: &seeded))
            #expect(try left.adding(right).subtracting(right) == left)
            #expect(try left.multiplied(by: right).divided(by: right) == left)
            #expect(try left < left.adding(right))
        }
    }

    @Test func isAPairOnTheWire() throws {
        let bytes = try CBOREncoder().encode(Rational(3, 2))
        #expect(bytes == [0x82, 0x03, 0x02])
        #expect(try CBORDecoder().decode(Rational.self, from: bytes) == Rational(3, 2))
    }

    @Test(
        arguments: [
            [0x82, 0x03, 0x00], [0x82, 0x03, 0x20], [0x82, 0x02, 0x04], [0x82, 0x00, 0x02], [0x81, 0x03],
            [0x83, 0x03, 0x02, 0x01], [0x03],
        ] as [[UInt8]]
    )
    func refusesAnyOtherForm(_ bytes: [UInt8]) {
        #expect(throws: (any Error).self) { try CBORDecoder().decode(Rational.self, from: bytes) }
    }
}

@Suite struct MeasuredAmountTests {
    @Test func isANumberOrARisingRange() throws {
        #expect(Amount(Rational(2), Rational(3))?.description == "2-3")
        #expect(Amount(Rational(0)) != nil)
        #expect(Amount(Rational(2), Rational(2)) == nil)
        #expect(Amount(Rational(3), Rational(2)) == nil)
        #expect(Amount(Rational(-1)) == nil)
    }

    @Test func scalesBothEnds() throws {
        let amount = try #require(Amount(Rational(2), Rational(3)))
        #expect(try amount.scaled(by: Rational(1, 2)) == Amount(Rational(1), Rational(3, 2)))
        #expect(try amount.scaled(by: Rational(0)) == nil)
        #expect(throws: RationalError.outOfRange) { try amount.scaled(by: Rational(Int64.max)) }
    }

    @Test func comesBackFromTheWire() throws {
        for amount in [Amount(Rational(2)), Amount(try Rational(1, 2), Rational(3))] {
            let amount = try #require(amount)
            #expect(try CBORDecoder().decode(Amount.self, from: CBOREncoder().encode(amount)) == amount)
        }
    }

    @Test func refusesAFallingRange() throws {
        struct Falling: Encodable {
            var lower = Rational(3)
            var upper = Rational(2)
        }
        let bytes = try CBOREncoder().encode(Falling())
        #expect(throws: (any Error).self) { try CBORDecoder().decode(Amount.self, from: bytes) }
    }
}
