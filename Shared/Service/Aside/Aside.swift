internal import Messages
internal import Store
internal import ZeroMQ

extension Transaction {
    /// What takes too long for the loop: computed on a thread of its own, one at a time in each service.
    ///
    /// Handlers never wait: the first call ends the attempt without a trace. Then the closure is run, on a snapshot of what
    /// is committed, to read what is needed; the snapshot ends, and what it returned is run to compute. At last the command
    /// is decided again, and this call returns the result, or throws what either closure threw. The same command sent again
    /// meanwhile waits for the same result.
    ///
    ///     let sum = try transaction.computedAside { (reading) throws(ServiceError) in
    ///         let numbers = try numbers(reading)
    ///         return { (allowance) throws(ServiceError) in hardSum(numbers) }
    ///     }
    ///
    /// Others' commands are decided in between: that the result still fits what is stored is for the handler to check. A
    /// command may do this once. One too many that waits is refused with `unavailable`, one that is not done within its
    /// budget with `timed-out`.
    public func computedAside<Result: Sendable>(
        _ read:
            @escaping @Sendable (Reading) throws(ServiceError)
            -> (@Sendable (Allowance) throws(ServiceError) -> Result)
    ) throws(ServiceError) -> Result {
        guard let aside else {
            throw .aside(
                AsideWork { (reading) throws(ServiceError) in
                    let compute = try read(reading)
                    return { (allowance) throws(ServiceError) in try compute(allowance) }
                }
            )
        }
        guard let result = try aside.get() as? Result else {
            throw .store(.fault("the command was decided again with another computation's result"))
        }
        return result
    }
}

/// Something that a command wants to have computed before it is decided again.
public struct AsideWork: Sendable {
    typealias Computation = @Sendable (Allowance) throws(ServiceError) -> any Sendable

    let read: @Sendable (Reading) throws(ServiceError) -> Computation
}

/// How long something may be computed aside: to the end of the request's budget, and of the service.
public struct Allowance: Sendable {
    /// By `ServiceLoop.now`: in milliseconds.
    let deadline: Int64
    /// Readable, and never drained, once the service stops.
    let stopping: WakeUp

    /// The milliseconds that are left; 0 where the budget is used up.
    var remaining: Int64 { max(0, deadline - ServiceLoop.now) }

    /// Why nothing more may be computed.
    static let timedOut = ServiceError.refused(
        .timedOut,
        "this could not be computed in time: try again, with a longer timeout"
    )
    static let stopped = ServiceError.unavailable("the service is stopping: try again", retryAfter: 500)
}
