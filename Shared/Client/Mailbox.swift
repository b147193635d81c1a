/// What the thread of the sockets fills and a task reads.
protocol Mailbox: AnyObject, Sendable {
    /// Ends it behind what is in it; the first reason stays, and nil is an end that was asked for.
    func end(_ error: ClientError?)
}
