import RecipeFiles

extension FuzzTarget {
    /// Recipes of other programs, in each form that is read; what is exported of them is read back as the same.
    static let recipes = FuzzTarget(
        name: "recipes",
        seeds: [
            #"{"@context":"https://schema.org","@graph":[7,{"@type":["Recipe"],"name":"Soup &amp; bread","recipeYield":["4"],"prepTime":"PT5M","recipeIngredient":["1 leek"],"recipeInstructions":[{"@type":"HowToSection","name":"Glaze","itemListElement":[{"@type":"HowToStep","text":"Mix."}]}],"image":"data:image/png;base64,iVBORw0KGgo="}]}"#,
            "<html><script type=\"application/ld+json\">foo</script><SCRIPT type='application/ld+json'>{\"@type\":\"Recipe\",\"name\":\"Pie\"}</SCRIPT></html>",
            "Title,Course,Ingredients,Directions\r\nPie,Dessert,\"1 egg\n2 apples\",\"Mix.\nBake.\"\r\n",
            #"{"name":"Toast","ingredients":"2 eggs\n1 bread","directions":"Fry.","uid":"A1","photo_data":"/9j/4A=="}"#,
        ].map { Array($0.utf8) }
    ) { (bytes) throws(Finding) in
        var reader = RecipeReader(contents: bytes, named: "file")
        var drafts: [RecipeDraft] = []
        while let entry = reader.next() {
            if case .recipe(let draft, _, _) = entry { drafts.append(draft) }
        }
        for draft in drafts.prefix(3) {
            _ = RecipeFormat.markdown.text(of: RecipeExport(draft))
            for format in [RecipeFormat.jsonld, .html] {
                let once = readBack(draft, format)
                try require(once != nil, "\(draft) as \(format) is not read back")
                // What is said in other words the first time is said in the same the second.
                guard let once else { return }
                let twice = readBack(once, format)
                try require(twice == once, "\(once) as \(format) is read back as \(twice.debugDescription)")
            }
        }
    }

    private static func readBack(_ draft: RecipeDraft, _ format: RecipeFormat) -> RecipeDraft? {
        let text = format.opening([draft.name]) + format.text(of: RecipeExport(draft)) + format.closing(1)
        var reader = RecipeReader(contents: Array(text.utf8), named: "file")
        guard case .recipe(let again, _, _)? = reader.next() else { return nil }
        return again
    }
}
