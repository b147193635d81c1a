public import CBOR
public import Messages
public import Store

/// Why a handler did not do what was asked.
public enum ServiceError: Error, Sendable {
    /// The request is answered with this status and body; nothing it did is kept.
    case refused(Status, ErrorBody)
    /// The request can only be decided once the log of this service was followed to its head. The loop does that
    /// and runs the handler again, once.
    case awaiting(ServiceName)
    /// The request can only be decided with a result that is computed aside. The loop has it computed and runs the
    /// handler again, once.
    case aside(AsideWork)
    /// The request is about the past, which takes long to read. The loop has the handler run again on the reader of the
    /// past.
    case past
    /// It can't be done now, and may be tried again after this many milliseconds.
    case unavailable(String, retryAfter: Int)
    /// The store could not do its part.
    case store(StoreError)

    /// The request can't be right.
    public static func invalid(field: String, found: String? = nil, _ message: String) -> ServiceError {
        .refused(.invalid, ErrorBody(code: Status.invalid.rawValue, message: message, field: field, found: found))
    }

    /// A refusal with the status's own code.
    ///
    /// - Parameters:
    ///   - message: one sentence for a person: what was asked, what was found, what to try.
    ///   - current: the record as it is now, in a conflict.
    public static func refused(
        _ status: Status,
        _ message: String,
        field: String? = nil,
        found: String? = nil,
        current: EncodedCBOR? = nil
    ) -> ServiceError {
        let body = ErrorBody(code: status.rawValue, message: message, field: field, found: found, current: current)
        return .refused(status, body)
    }
}

/// Runs store work inside a handler, whose errors are the service's.
@discardableResult
package func storing<Result>(_ body: () throws(StoreError) -> Result) throws(ServiceError) -> Result {
    do throws(StoreError) { return try body() } catch { throw .store(error) }
}

/// Encodes what is ours: that can't fail but by a fault of the type.
package func encoded(_ value: some Encodable) throws(ServiceError) -> [UInt8] {
    do throws(CBORError) {
        return try CBOREncoder().encode(value)
    } catch {
        throw .store(.fault("can't encode \(type(of: value)): \(error)"))
    }
}

/// Decodes what we stored ourselves.
package func decodeStored<T: Decodable>(_ type: T.Type, _ bytes: [UInt8]) throws(ServiceError) -> T {
    do throws(CBORError) {
        return try CBORDecoder().decode(type, from: bytes)
    } catch {
        throw .store(.fault("can't decode a stored \(type): \(error)"))
    }
}
