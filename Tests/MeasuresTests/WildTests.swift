import Messages
import Support
import Testing

@testable import Measures

/// The lists of real lines, counted, so that the README's table says what is so.
@Suite(.enabled(if: WildLines.areThere, "the folder ../shared/data is absent"))
struct WildTests {
    @Test func readsEveryDurationOfKnownLength() throws {
        var known = 0
        for row in try WildLines.rows("wild-durations.tsv") where row[2] == "valid" {
            let text = try #require(WildLines.texts(try WildLines.json(row[1])).first)
            let duration = RecipeDuration(text)
            #expect(duration?.seconds == Int(row[3]), "\(text)")
            #expect(duration?.isRepaired == false, "\(text)")
            known += 1
        }
        #expect(known == 236)
    }

    @Test func readsAsManyOtherDurationsAsTheReadmeSays() throws {
        let others = try WildLines.rows("wild-durations.tsv").filter { $0[2] != "valid" }
        let read = try others.filter { row in
            WildLines.texts(try WildLines.json(row[1])).first.flatMap { RecipeDuration($0) } != nil
        }
        #expect(others.count == 30)
        #expect(read.count == 20)
    }

    @Test func readsAsManyLinesAsTheReadmeSays() throws {
        var counts: [String: Int] = [:]
        for row in try WildLines.rows("wild-ingredients.tsv") {
            let text = try #require(try WildLines.json(row[1]) as? String)
            let line = IngredientLine(WildLines.plain(text))
            switch line.unread {
            case nil: counts[line.hasOtherNumbers ? "read in part" : "read", default: 0] += 1
            case .heading: counts["heading", default: 0] += 1
            case .noAmount: counts["no amount", default: 0] += 1
            case .ambiguous: counts["ambiguous", default: 0] += 1
            case .severalIngredients: counts["two ingredients", default: 0] += 1
            }
            #expect((line.amount != nil) == (line.unread == nil), "\(text)")
        }
        #expect(
            counts == [
                "read": 167, "read in part": 32, "heading": 15, "no amount": 27, "ambiguous": 1, "two ingredients": 1,
            ]
        )
    }

    @Test func readsAsManyYieldsAsTheReadmeSays() throws {
        var (read, unread) = (0, [String]())
        for row in try WildLines.rows("wild-yields.tsv") {
            let yield = RecipeYield(WildLines.texts(try WildLines.json(row[1])))
            if yield.amount == nil { unread.append(yield.text) } else { read += 1 }
        }
        #expect(read == 370)
        #expect(unread == ["", "Diverse mogelijkheden"])
    }
}
