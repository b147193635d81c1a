import Messages

extension Invocation {
    /// Sends the picture of a recipe in chunks.
    ///
    /// - Returns: its digest.
    /// - Throws: what sending throws; ``Status/invalid`` for what is no picture.
    func storePicture(_ picture: [UInt8]) async throws(CLIError) -> [UInt8]? {
        let upload = Identifier.make()
        var digest: [UInt8]?
        for offset in stride(from: 0, to: picture.count, by: PutBlob.chunkBytes) {
            let chunk = Array(picture[offset..<min(offset + PutBlob.chunkBytes, picture.count)])
            digest = try await send(
                PutBlob(upload: upload, size: picture.count, offset: offset, bytes: chunk)
            ).digest
        }
        return digest
    }

    /// The bytes of a stored picture.
    func storedPicture(_ digest: [UInt8]) async throws(CLIError) -> [UInt8] {
        var picture: [UInt8] = []
        while true {
            let reply = try await send(GetBlob(digest: digest, offset: picture.count))
            picture += reply.bytes
            if picture.count >= reply.size || reply.bytes.isEmpty { return picture }
        }
    }
}
