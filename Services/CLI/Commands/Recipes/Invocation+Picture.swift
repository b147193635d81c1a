import Messages

extension Invocation {
    /// What `--image` names: a picture's file, which is uploaded, or just the name of one.
    ///
    /// A file that is there and no picture gives its name, and a notice on standard error.
    ///
    /// - Throws: ``CLIError/usage(_:)`` for a path into a folder where there is no such file, and what sending throws.
    func picture(_ text: String?) async throws(CLIError) -> RecipeImage? {
        guard let text else { return nil }
        let name = text.split(separator: "/").last.map(String.init) ?? text
        guard !File.isFolder(text), let bytes = try File.contents(text, atMost: PutBlob.maximumBytes) else {
            if name == text { return RecipeImage(name: name) }
            throw .usage("--image: there is no file \(quoted(text)); give a picture's file, or just a name.")
        }
        guard PictureFormat(signature: bytes) != nil else {
            StandardError.write("\(quoted(text)) is no JPEG, PNG or WebP: only its name is kept.\n")
            return RecipeImage(name: name)
        }
        return RecipeImage(name: name, digest: try await upload(bytes, called: quoted(text)))
    }

    /// Sends a picture in chunks, with a bar where there are several, and returns its digest.
    ///
    /// - Parameter name: what it is called at the start of an error's sentence.
    /// - Throws: ``CLIError/failure(_:)`` for one that is too large, and what sending throws.
    func upload(_ picture: [UInt8], called name: String) async throws(CLIError) -> [UInt8]? {
        guard picture.count <= PutBlob.maximumBytes else {
            let most = PutBlob.maximumBytes / 1_048_576
            throw .failure(
                "\(name) has more than \(most) MiB, the most that a picture may have; make it smaller."
            )
        }
        let upload = Identifier.make()
        let offsets = stride(from: 0, to: picture.count, by: PutBlob.chunkBytes)
        var progress = ImportProgress(steps: picture.count / PutBlob.chunkBytes)
        defer { progress.clear() }
        var digest: [UInt8]?
        for offset in offsets {
            let chunk = Array(picture[offset..<min(offset + PutBlob.chunkBytes, picture.count)])
            if picture.count > PutBlob.chunkBytes {
                let isLast = offset + chunk.count == picture.count
                progress.show(isLast ? "making the thumbnail" : "sending the picture")
            }
            digest = try await send(
                PutBlob(upload: upload, size: picture.count, offset: offset, bytes: chunk)
            ).digest
            progress.advance()
        }
        return digest
    }

    /// Reads a stored picture.
    func blob(_ digest: [UInt8]) async throws(CLIError) -> [UInt8] {
        var picture: [UInt8] = []
        while true {
            let reply = try await send(GetBlob(digest: digest, offset: picture.count))
            picture += reply.bytes
            if picture.count >= reply.size || reply.bytes.isEmpty { return picture }
        }
    }
}
