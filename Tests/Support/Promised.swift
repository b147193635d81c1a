extension Duration {
    /// The limit for what is promised in so many seconds on a machine that does nothing else: tests share it with others, so
    /// four times that.
    public static func promised(seconds: Int) -> Duration { .seconds(4 * seconds) }
}
