/// A place in a service's event log: the log's epoch and a sequence number in it.
///
/// Two positions of one service can be compared only while their epochs are equal: a new epoch means
/// that the log was made anew or restored. On the wire `[epoch, sequence]`.
public struct Position: Hashable, Sendable, Codable {
    public var epoch: Identifier
    /// The number of the last event included; 0 before the first.
    public var sequence: Int64

    public init(epoch: Identifier, sequence: Int64) {
        self.epoch = epoch
        self.sequence = sequence
    }

    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        epoch = try container.decode(Identifier.self)
        sequence = try container.decode(Int64.self)
        guard sequence >= 0 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a sequence counts from 0")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(epoch)
        try container.encode(sequence)
    }
}

/// Positions by service name: what a list or a report shows may depend on several logs.
public typealias Positions = [String: Position]
