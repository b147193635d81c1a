/// The program's version.
enum Version {
    /// Semantic versioning.
    static let text = "0.1.0"
}
