import CBOR
import Messages
import Support
import Testing

/// What an earlier release left: the events of its services, and what its reports said of them.
struct OldRelease: CustomTestStringConvertible, Sendable {
    static let services: [ServiceName] = [.catalog, .orders, .walks]
    static let folder = "\(Environment.checkout)/Tests/ReportingTests/Fixtures"
    /// The oldest first.
    static let all: [OldRelease] = File.text("\(folder)/releases.txt").split(separator: "\n").map {
        OldRelease(version: String($0))
    }

    let version: String
    var testDescription: String { version }

    /// A service's events, as they stood in its log.
    func events(of service: ServiceName) throws -> [EncodedCBOR] {
        // A sequence in brackets is an array of indefinite length.
        let array = [0x9F] + (try bytes("\(service).events")) + [0xFF]
        let items = try CBORDecoder(profile: .rfc8949).decode([EncodedCBOR].self, from: array)
        return try items.map { try EncodedCBOR($0.bytes) }
    }

    func reports() throws -> String {
        String(decoding: try bytes("reports.txt"), as: UTF8.self)
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        let path = "\(Self.folder)/\(version)/\(name)"
        guard let bytes = File.read(path) else { throw HarnessError("can't read \(path)") }
        return bytes
    }
}
