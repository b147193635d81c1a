import Messages
import RecipeFiles

extension RecipeDraft {
    /// The id that the recipe is stored under: the UUID that the file names, or one made from what it is known by.
    var recipeID: Identifier {
        let scheme = "urn:uuid:"
        if let identifier, identifier.hasPrefix(scheme), let id = Identifier(String(identifier.dropFirst(scheme.count)))
        {
            return id
        }
        var hash = ContentHash()
        hash.add(Recipe.entity.utf8)
        for part in identity {
            hash.add(CollectionOfOne(0))
            hash.add(part.utf8)
        }
        return hash.identifier
    }

    /// The recipe without type and picture. The ids of its parts come from its own.
    func record(_ id: Identifier) -> Recipe {
        func part(_ kind: String, _ index: Int) -> Identifier { .imported(kind, id.description, String(index)) }
        return Recipe(
            id: id,
            name: name,
            prepTime: prepTime,
            cookTime: cookTime,
            totalTime: totalTime,
            yield: yield,
            source: source,
            overview: overview,
            ingredients: ingredients.enumerated().map { index, line in
                Ingredient(id: part("ingredient", index), line: line.text, isHeading: line.isHeading ? true : nil)
            },
            steps: steps.enumerated().map { index, line in
                RecipeStep(id: part("step", index), text: line.text, isHeading: line.isHeading ? true : nil)
            }
        )
    }

    /// A stored recipe, to be written.
    ///
    /// - Parameter picture: the bytes of its picture, where it has any.
    init(_ recipe: Recipe, picture: [UInt8]?) {
        self.init(
            identifier: "urn:uuid:\(recipe.id)",
            name: recipe.name,
            overview: recipe.overview,
            category: recipe.typeName,
            source: recipe.source,
            yields: recipe.yield.map { [$0] } ?? [],
            prepTime: recipe.prepTime,
            cookTime: recipe.cookTime,
            totalTime: recipe.totalTime,
            ingredients: recipe.ingredients.map { Line($0.line, isHeading: $0.isHeading == true) },
            steps: recipe.steps.map { Line($0.text, isHeading: $0.isHeading == true) },
            picture: recipe.image.map { Picture(name: $0.name, bytes: picture) }
        )
    }
}
