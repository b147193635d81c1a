/// Marks a place at which a process can be made to die or to pause, for tests: see ``FailpointPlan``.
///
/// Nothing happens unless the environment's `DAYBOOK_FAILPOINTS` names the place. In release builds this does nothing at
/// all, and leaves neither its name nor a call behind.
///
/// - Parameter name: of one place in the code, as `commit.before`: what is done there, then when.
#if FAILPOINTS
public func failpoint(_ name: StaticString) {
    FailpointPlan.ofProcess?.pass(name)
}
#else
@inlinable
public func failpoint(_ name: StaticString) {}
#endif
