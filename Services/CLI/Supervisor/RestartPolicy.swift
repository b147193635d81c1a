/// When a service that died is started again: at first soon, then each time after twice as long, up to a limit.
struct RestartPolicy: Sendable, Hashable {
    /// The wait after the first death.
    var first = Duration.milliseconds(200)
    /// The longest wait.
    var longest = Duration.seconds(10)
    /// A service that lived this long starts over with the first wait.
    var healthyAfter = Duration.seconds(60)

    /// The wait before the next start.
    ///
    /// - Parameter deaths: in a row, from 1.
    func delay(deaths: Int) -> Duration {
        var delay = first
        for _ in 1..<max(1, min(deaths, 64)) where delay < longest { delay *= 2 }
        return min(delay, longest)
    }
}
