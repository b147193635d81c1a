internal import CPostgreSQL
internal import Messages

/// The values of a statement's parameters, as they go over the wire: one after the other in one piece of memory.
///
///     .integer(258)   00 00 00 00 00 00 01 02
///     .text("a")      61
@safe struct PostgreSQLArguments {
    /// 0 for NULL.
    private(set) var types: [Oid] = []
    private var bytes: [UInt8] = []
    /// Where each begins; nil for NULL.
    private var starts: [Int?] = []
    private var lengths: [Int32] = []

    init(_ values: [Value]) {
        for value in values {
            let start = bytes.count
            var isNull = false
            switch value {
            case .null:
                types.append(0)
                isNull = true
            case .integer(let integer):
                types.append(LibPQ.DataType.int8)
                bytes += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: integer >> $0) }
            case .text(let text):
                types.append(LibPQ.DataType.text)
                bytes += text.utf8
            case .blob(let blob):
                types.append(LibPQ.DataType.bytes)
                bytes += blob
            case .id(let id):
                types.append(LibPQ.DataType.bytes)
                bytes += id.bytes
            }
            starts.append(isNull ? nil : start)
            lengths.append(Int32(bytes.count - start))
        }
        // An empty value is not NULL: it needs a place to point to.
        bytes.append(0)
    }

    func withPointers<Result>(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>
        ) -> Result
    ) -> Result {
        let formats = [Int32](repeating: 1, count: starts.count)
        return unsafe bytes.withUnsafeBytes { buffer in
            let base = unsafe buffer.baseAddress.unsafelyUnwrapped
            let pointers = unsafe starts.map { start in
                unsafe start.map { unsafe (base + $0).assumingMemoryBound(to: CChar.self) }
            }
            return unsafe pointers.withUnsafeBufferPointer { pointers in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        // Of an empty array there is no address, and none is looked at.
                        unsafe body(
                            pointers.baseAddress ?? UnsafePointer(bitPattern: 8).unsafelyUnwrapped,
                            lengths.baseAddress ?? UnsafePointer(bitPattern: 8).unsafelyUnwrapped,
                            formats.baseAddress ?? UnsafePointer(bitPattern: 8).unsafelyUnwrapped
                        )
                    }
                }
            }
        }
    }
}
