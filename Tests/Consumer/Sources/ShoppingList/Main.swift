@main
struct Main {
    /// Shows the list and, behind each change, what a table view is told.
    static func main() throws {
        var shopping = try ShoppingList([Item("Milk"), Item("Bread"), Item("Apples")])
        print(shopping)
        for item in shopping.items.rows where item.name != "Milk" {
            if let batch = try shopping.buy(item.id) { print(batch.described) }
        }
        if let batch = try shopping.add(Item("Eggs")) { print(batch.described) }
        if let batch = try shopping.clear() { print(batch.described) }
        print(shopping)
    }
}
