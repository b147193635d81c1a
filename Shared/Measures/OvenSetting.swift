public import Messages

/// A row of the table by which ovens are set: rounded temperatures that go together, not exact conversions.
///
/// The table is that of the recipe sample of Apple's Core Data documentation; British cookery books print the same.
public struct OvenSetting: Hashable, Sendable {
    /// Degrees Celsius, of an oven without a fan.
    public let celsius: Int
    /// Degrees Fahrenheit.
    public let fahrenheit: Int
    /// The mark on British gas ovens: ¼ to 9.
    public let gasMark: Rational
    /// What cooks call it: `very slow` to `very hot`.
    public let heat: String

    /// All eleven, from the coolest.
    public static let all: [OvenSetting] = {
        let rows: [(Int, Int, (Int64, Int64), String)] = [
            (110, 225, (1, 4), "very slow"), (120, 250, (1, 2), "very slow"), (140, 275, (1, 1), "slow"),
            (150, 300, (2, 1), "slow"), (160, 325, (3, 1), "moderate"), (180, 350, (4, 1), "moderate"),
            (190, 375, (5, 1), "moderately hot"), (200, 400, (6, 1), "moderately hot"), (220, 425, (7, 1), "hot"),
            (230, 450, (8, 1), "hot"), (240, 475, (9, 1), "very hot"),
        ]
        return rows.map { celsius, fahrenheit, mark, heat in
            guard let gasMark = try? Rational(mark.0, mark.1) else { preconditionFailure("\(mark) is no fraction") }
            return OvenSetting(celsius: celsius, fahrenheit: fahrenheit, gasMark: gasMark, heat: heat)
        }
    }()
}
