import RecipeFiles
import Testing

struct PageTests {
    private func page(_ blocks: String...) -> String {
        "<!DOCTYPE html>\n<html><head><title>x</title></head><body>\n"
            + blocks.map { "<script type=\"application/ld+json\">\($0)</script>\n" }.joined()
    }

    private let soup = #"{"@type":"Recipe","name":"Soup","recipeYield":4}"#

    @Test func badBlocksArePassedOverWithANoticeAndTheirLines() {
        let reading = Reading(page("foo", "\"foo\"", "", soup), named: "page.html")
        #expect(reading.recipes.map(\.name) == ["Soup"])
        #expect(reading.problems.isEmpty)
        #expect(reading.notes.map(\.place.line) == [3, 4, 5])
    }

    @Test(
        arguments: [
            "<![CDATA[\nX]]>", "//<![CDATA[\nX\n//]]>", "/*<![CDATA[*/X/*]]>*/", "<!--\nX\n-->", "X;",
            "\n\u{FEFF} X \n", "X\n;\n",
        ]
    )
    func whatSurroundsTheJSONIsTakenAway(wrapper: String) {
        let reading = Reading(page(wrapper.replacing("X", with: soup)))
        #expect(reading.recipes.map(\.name) == ["Soup"])
        #expect(reading.notes.isEmpty)
    }

    @Test func lineEndsWithinStringsAreTakenAsTheyAre() {
        #expect(
            Reading(page("{\"@type\":\"Recipe\",\"name\":\"x\",\"recipeInstructions\":\"Do a.\nDo b.\"}")).recipes
                .first?.steps.count == 2
        )
    }

    @Test func whatThePageSaysTwiceIsOneAndLinksToOthersAreNone() {
        let link =
            #"{"@type":"ItemList","itemListElement":[{"@type":"Recipe","name":"Other","url":"https://e.test/2"}]}"#
        #expect(Reading(page(soup, link, soup)).recipes.map(\.name) == ["Soup"])
        let known = #"{"@type":"Recipe","@id":"https://e.test/1","name":"Soup","recipeYield":4}"#
        #expect(Reading(page(soup, known)).recipes.map(\.name) == ["Soup"])
    }

    @Test func referencesReachOverBlocks() {
        let recipe = ##"{"@type":"Recipe","name":"x","recipeYield":1,"image":{"@id":"#i"}}"##
        #expect(Reading(page(recipe, ##"{"@id":"#i","url":"i.jpg"}"##)).recipes.first?.picture?.name == "i.jpg")
    }

    @Test func aPageWithoutRecipesSaysWhatItLacks() {
        #expect(Reading("<html><p>Soup").problems.first?.sentence.contains("no recipe that programs can read") == true)
        #expect(
            Reading(page(#"{"@type":"WebSite"}"#)).problems.first?.sentence.contains("JSON-LD has no recipe") == true
        )
    }

    @Test func utf16IsRead() {
        let text = page(#"{"@type":"Recipe","name":"Käse","recipeYield":4}"#)
        let bytes: [UInt8] = text.utf16.reduce(into: [0xFF, 0xFE]) { $0 += [UInt8($1 & 0xFF), UInt8($1 >> 8)] }
        #expect(Reading(RecipeReader(contents: bytes, named: "x")).recipes.map(\.name) == ["Käse"])
    }
}
