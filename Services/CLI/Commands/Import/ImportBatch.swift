import CBOR
import Messages

/// What one service takes of an import, cut into chunks.
struct ImportBatch: Sendable {
    struct Chunk: Sendable {
        var entity: String
        var items: [EncodedCBOR] = []
        var bytes = 0
    }

    /// A chunk's items have at most this many bytes together, well below what a request may have.
    static let chunkBytes = 500_000

    let service: ServiceName
    let id: Identifier
    private(set) var chunks: [Chunk] = []
    private(set) var count = 0

    init(_ service: ServiceName, of batch: Identifier) {
        self.service = service
        id = .imported("batch", batch.description, service.rawValue)
    }

    /// - Throws: ``CLIError/failure(_:)`` for a record that can't be written.
    mutating func add<R: Record>(_ items: [ImportItem<R>]) throws(CLIError) {
        guard !items.isEmpty else { return }
        chunks.append(Chunk(entity: R.entity))
        for item in items {
            let encoded: EncodedCBOR
            do throws(CBORError) {
                encoded = try EncodedCBOR(encoding: item)
            } catch {
                throw .failure("Line \(item.line): the \(R.entity) can't be written: \(error)")
            }
            if chunks[chunks.count - 1].bytes + encoded.bytes.count > Self.chunkBytes,
                chunks.last?.items.isEmpty == false
            {
                chunks.append(Chunk(entity: R.entity))
            }
            chunks[chunks.count - 1].items.append(encoded)
            chunks[chunks.count - 1].bytes += encoded.bytes.count
            count += 1
        }
    }
}
