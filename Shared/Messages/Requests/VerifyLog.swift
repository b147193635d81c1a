/// Checks a service's log against itself and against its records. Every service answers.
///
/// The file is whole. The events follow each other without a hole, each has the digest of its bytes unless something was erased from it,
/// the chain runs over the digests, heads and versions agree, and folding the events over the base gives the records
/// as they are stored, what the service derives (names of others' records) left aside. References to others' records lead
/// to some.
public struct VerifyLog: Request {
    public static let operation = "log.verify"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable, Hashable {
        /// The last event that is no longer kept; 0 where all are.
        public var floor: Int64
        /// The last event.
        public var sequence: Int64
        /// How many events were checked.
        public var events: Int64
        /// How many records.
        public var records: Int64
        /// How many differences were found; 0 where all is well.
        public var differences: Int64
        /// How many records refer to another service's records that are not there; nil for none. ``RepairReferences`` takes
        /// these references out.
        public var dangling: Int64?
        /// The first of both, up to 20, a sentence each.
        public var examples: [String]

        public init(
            floor: Int64,
            sequence: Int64,
            events: Int64,
            records: Int64,
            differences: Int64,
            dangling: Int64? = nil,
            examples: [String]
        ) {
            self.floor = floor
            self.sequence = sequence
            self.events = events
            self.records = records
            self.differences = differences
            self.dangling = dangling
            self.examples = examples
        }
    }

    public init() {}
}
