internal import JSON

extension SchemaRecipe {
    /// Adds what `recipeInstructions`, or a part of it, stands for: text, HowToStep, HowToSection, ItemList, ListItem,
    /// HowToDirection, and lists of them in lists.
    mutating func addSteps(_ value: JSONValue, _ steps: inout [RecipeDraft.Line], _ path: String) {
        let value = data.resolved(value)
        switch value {
        case .null: break
        case .array(let values):
            if values.count == 1 { return addSteps(values[0], &steps, "\(path)[0]") }
            for (index, value) in values.enumerated() {
                let path = "\(path)[\(index)]"
                if case .string = value { addStep(value, &steps, path) } else { addSteps(value, &steps, path) }
            }
        case .string:
            guard !isOwn, let text = text(value) else { return addStep(value, &steps, path) }
            steps += StepList.lines(of: text)
        case .object:
            let isStep =
                Schema.isA(value, "howtostep") || Schema.isA(value, "howtodirection") || Schema.isA(value, "howtotip")
            if !isStep, Schema.isA(value, "howtosection") || Schema.member(value, "itemListElement") != nil {
                addSection(value, &steps, path)
            } else if let item = Schema.member(value, "item") {
                addSteps(item, &steps, "\(path).item")
            } else {
                addStep(value, &steps, path)
            }
        case .number, .boolean: noteMeaningless(path, "step")
        }
    }

    private mutating func addSection(_ value: JSONValue, _ steps: inout [RecipeDraft.Line], _ path: String) {
        if let name = line(Schema.member(value, "name")) {
            let heading = isOwn ? name : StepList.heading(name, colons: true) ?? name
            steps.append(RecipeDraft.Line(heading, isHeading: true))
        }
        for key in ["itemListElement", "steps", "text"] {
            guard let items = Schema.member(value, key) else { continue }
            return addSteps(items, &steps, "\(path).\(key)")
        }
    }

    private mutating func addStep(_ value: JSONValue, _ steps: inout [RecipeDraft.Line], _ path: String) {
        guard let text = stepText(value).flatMap(DraftText.block) else {
            // An empty text is no step, and nothing is lost.
            if case .string = value { return }
            return noteMeaningless(path, "step")
        }
        if !isOwn, let heading = StepList.heading(text, colons: false) {
            return steps.append(RecipeDraft.Line(heading, isHeading: true))
        }
        steps.append(RecipeDraft.Line(text))
    }

    /// A step's text, or those of its parts, each on a line of its own.
    private func stepText(_ value: JSONValue) -> String? {
        guard case .object = value else { return text(value) }
        if let text = text(Schema.member(value, "text")), DraftText.line(text) != nil { return text }
        if case .array(let parts)? = Schema.member(value, "itemListElement") {
            let texts = parts.compactMap { stepText(data.resolved($0)) }
            if !texts.isEmpty { return texts.joined(separator: "\n") }
        } else if let part = Schema.member(value, "itemListElement"), let text = stepText(data.resolved(part)) {
            return text
        }
        for key in ["description", "name", "@value"] {
            if let text = text(Schema.member(value, key)), DraftText.line(text) != nil { return text }
        }
        return nil
    }
}
