internal import CSodium

/// SHA-256 (FIPS 180-4), by libsodium, which libzmq brings along.
///
///     var hash = SHA256()
///     hash.add(Array("abc".utf8))
///     hash.finish()  // ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad
@safe public struct SHA256 {
    private var state = crypto_hash_sha256_state()

    public init() {
        // Never fails: it sets the initial values.
        _ = unsafe crypto_hash_sha256_init(&state)
    }

    /// Adds bytes; may be called any number of times.
    public mutating func add(_ bytes: [UInt8]) {
        _ = unsafe crypto_hash_sha256_update(&state, bytes, UInt64(bytes.count))
    }

    /// The 32 bytes of the hash. Nothing can be added afterwards.
    public consuming func finish() -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        _ = unsafe crypto_hash_sha256_final(&state, &hash)
        return hash
    }

    /// The hash of these bytes alone.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.add(bytes)
        return hash.finish()
    }
}
