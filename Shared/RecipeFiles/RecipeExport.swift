internal import JSON

/// A recipe to be written.
public struct RecipeExport: Sendable, Hashable {
    public var draft: RecipeDraft
    /// Of the picture's bytes: `image/jpeg`.
    public var contentType: String?

    public init(_ draft: RecipeDraft, contentType: String? = nil) {
        self.draft = draft
        self.contentType = contentType
    }

    /// The picture as a `data:` URL (RFC 2397); nil where there are no bytes.
    var pictureAddress: String? {
        draft.picture?.bytes.map { "data:\(contentType ?? "application/octet-stream");base64,\(Base64.text($0))" }
    }
}

/// The forms in which recipes are written.
public enum RecipeFormat: String, Sendable, Hashable, CaseIterable {
    /// schema.org in JSON-LD, which ``RecipeReader`` reads back equal.
    case jsonld
    /// CommonMark, for people; pictures are left out.
    case markdown
    /// A page that stands alone, to look at and to print, with the JSON-LD within.
    case html

    /// What a file's name ends with.
    public var fileEnding: String {
        switch self {
        case .jsonld: "jsonld"
        case .markdown: "md"
        case .html: "html"
        }
    }

    /// What stands before the first recipe of a file.
    ///
    /// - Parameter names: of all recipes that follow.
    public func opening(_ names: [String]) -> String {
        switch self {
        case .jsonld: names.count == 1 ? "" : "{\n  \"@context\": \"https://schema.org\",\n  \"@graph\": [\n"
        case .markdown: ""
        case .html: RecipePage.opening(names)
        }
    }

    /// One of the recipes.
    ///
    /// - Parameters:
    ///   - index: from 0.
    ///   - count: of the recipes in the file.
    public func text(of recipe: RecipeExport, index: Int = 0, of count: Int = 1) -> String {
        switch self {
        case .jsonld:
            let text = LinkedDataText.node(recipe, hasContext: count == 1).text(indentation: 2)
            return text + (index == count - 1 ? "\n" : ",\n")
        case .markdown: return (index == 0 ? "" : "\n---\n\n") + RecipeMarkdown.text(recipe)
        case .html: return RecipePage.article(recipe, index: index)
        }
    }

    /// What stands behind the last recipe.
    public func closing(_ count: Int) -> String {
        switch self {
        case .jsonld: count == 1 ? "" : "  ]\n}\n"
        case .markdown: ""
        case .html: RecipePage.closing
        }
    }
}
