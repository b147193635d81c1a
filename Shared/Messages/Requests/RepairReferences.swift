/// Takes out references to other services' records that are not there, as ``VerifyLog`` counts them: such as after one
/// store alone was put back from a backup. Every service answers that follows others.
///
/// The other logs are read to their heads before; one that can't be reached is `unavailable`. Each record that is changed
/// has its event, so that it can be undone.
public struct RepairReferences: Request, Hashable {
    public static let operation = "references.repair"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable, Hashable {
        /// How many records were changed.
        public var records: Int64

        public init(records: Int64) {
            self.records = records
        }
    }

    public init() {}
}
