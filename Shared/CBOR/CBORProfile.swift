// CBOR (RFC 8949) for Codable types and for types that read and write their bytes themselves.
//
// One worked example, the value Line(service: "Bath", sum: 1250, note: nil, done: true) as its bytes:
//
//     a3                        map of 3 pairs: the absent note is left out
//        67 73657276696365      text(7)  "service"
//        64 42617468            text(4)  "Bath"
//        63 73756d              text(3)  "sum"
//        19 04e2                unsigned 1250, in the shortest head that holds it
//        64 646f6e65            text(4)  "done"
//        f5                     true

/// Which bytes a decoder accepts.
///
/// Both profiles refuse invalid UTF-8, duplicate keys, trailing bytes after the one item, and nesting beyond the
/// maximum depth, and neither allocates by a declared length.
public enum CBORProfile: Sendable {
    /// All well-formed CBOR of RFC 8949: indefinite lengths, tags, keys of any type, floats of any width.
    case rfc8949
    /// The strict profile of the protocol: definite lengths, shortest forms, text keys, no tags.
    ///
    /// Shortest holds for floats too: the narrowest of half, single and double that keeps the value, and `f97e00` for
    /// every NaN.
    case wire
}
