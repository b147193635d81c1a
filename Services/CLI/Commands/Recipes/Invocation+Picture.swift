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
        guard !File.isFolder(text), let bytes = try File.contents(text) else {
            if name == text { return RecipeImage(name: name) }
            throw .usage("--image: there is no file \(quoted(text)); give a picture's file, or just a name.")
        }
        guard Self.isPicture(bytes) else {
            StandardError.write("\(quoted(text)) is no JPEG, PNG or WebP: only its name is kept.\n")
            return RecipeImage(name: name)
        }
        return RecipeImage(name: name, digest: try await upload(bytes))
    }

    /// Sends a picture in chunks, and returns its digest.
    private func upload(_ picture: [UInt8]) async throws(CLIError) -> [UInt8]? {
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

    /// By its first bytes: JPEG, PNG (RFC 2083, section 3.1), or WebP (RFC 9649, section 2.4).
    static func isPicture(_ bytes: [UInt8]) -> Bool {
        let isWebP = bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
        return isWebP || bytes.starts(with: [0xFF, 0xD8, 0xFF])
            || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }
}
