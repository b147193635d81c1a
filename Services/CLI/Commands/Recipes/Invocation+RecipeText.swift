import Glibc
import Messages

extension Invocation {
    /// Lets the user change a recipe as a text in their editor, and stores what was changed.
    ///
    /// What was typed is never lost: whatever fails, the text is kept in a file that is named. What others changed
    /// meanwhile stays, unless it is the same line.
    ///
    /// - Throws: what finding, reading, the editor and sending throw.
    func editInEditor(_ text: String, key: Identifier?) async throws(CLIError) {
        _ = try Noun.recipe.selected(presentation.fields)
        let recipe = try await resolver.record(Recipe.self, text)
        let given = WrittenRecipe.text(of: recipe)
        let variables = ProcessEnvironment.variables
        let file = try EditedText(WrittenRecipe.explanation + given, named: "daybook-recipe", environment: variables)
        do throws(CLIError) {
            while let text = try file.edit(environment: variables) {
                guard let written = try read(text) else { continue }
                guard let stored = try await store(written, since: given, recipe, key: key) else { break }
                file.remove()
                return try presentation.show(stored, of: .recipe)
            }
        } catch {
            file.keep()
            throw error
        }
        file.remove()
        StandardError.write("Nothing was changed.\n")
    }

    /// The text, understood; nil where it is not and the user wants to go on with it.
    private func read(_ text: String) throws(CLIError) -> WrittenRecipe? {
        do throws(WrittenRecipe.Problem) {
            return try WrittenRecipe(text)
        } catch {
            let sentence = "The recipe can't be read: \(error.description)"
            guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { throw .failure(sentence) }
            StandardError.write("\(sentence)\nEdit it again? [Y/n] ")
            let answer = readLine()?.lowercased() ?? "n"
            guard ["", "y", "yes"].contains(answer) else { throw .failure(sentence) }
            return nil
        }
    }

    /// Stores what differs; nil where nothing does.
    private func store(
        _ written: WrittenRecipe,
        since text: String,
        _ recipe: Recipe,
        key: Identifier?
    ) async throws(CLIError) -> Recipe? {
        let given: WrittenRecipe
        do throws(WrittenRecipe.Problem) {
            given = try WrittenRecipe(text)
        } catch {
            throw .failure("This recipe can't be written as a text: \(error.description)")
        }
        let name = written.fields[.type].flatMap { $0.isEmpty || $0 == given.fields[.type] ? nil : $0 }
        let edit = written.edit(since: given, type: try await recipeType(name), key: key)
        return edit.isEmpty ? nil : try await store(edit, of: recipe, .recipe, key: key)
    }
}
