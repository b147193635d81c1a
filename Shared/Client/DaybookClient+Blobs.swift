public import Messages

extension DaybookClient {
    /// Uploads a picture in chunks.
    ///
    /// - Returns: Its digest, under which a recipe's image names it.
    /// - Throws: `ClientError.refused` with `invalid` for what is no picture, or too large.
    public func upload(_ picture: [UInt8]) async throws(ClientError) -> PutBlob.Reply {
        let upload = Identifier.make()
        var reply = PutBlob.Reply()
        var offset = 0
        repeat {
            let chunk = Array(picture[offset..<min(offset + PutBlob.chunkBytes, picture.count)])
            let request = PutBlob(upload: upload, size: picture.count, offset: offset, bytes: chunk)
            reply = try await send(request).value
            offset += chunk.count
        } while offset < picture.count
        return reply
    }

    /// Reads a stored picture.
    public func picture(_ digest: [UInt8]) async throws(ClientError) -> [UInt8] {
        var picture: [UInt8] = []
        while true {
            let reply = try await send(GetBlob(digest: digest, offset: picture.count)).value
            picture += reply.bytes
            if picture.count >= reply.size || reply.bytes.isEmpty { return picture }
        }
    }
}
