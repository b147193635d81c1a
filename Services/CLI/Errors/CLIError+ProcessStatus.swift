import Client
import Messages

extension CLIError {
    /// What the process ends with.
    var processStatus: ProcessStatus {
        switch self {
        case .closedPipe: .success
        case .failure, .notFound, .badConfiguration, .unwritable, .system: .failure
        case .usage, .unknownField, .ambiguous, .badSetting, .needsConfirmation: .usage
        case .unanswered: .unreachable
        case .queued: .queued
        case .client(let error): error.processStatus
        }
    }
}

extension ClientError {
    /// What the process ends with after this error.
    var processStatus: ProcessStatus {
        switch self {
        case .unknownService, .unreachable, .handshake(_, _, .unfinished): .unreachable
        case .refused(_, let status, _): status.processStatus
        case .malformedReply, .requestTooLarge, .invalidRequest, .cancelled, .closed, .handshake, .key, .transport,
            .noThread:
            .failure
        }
    }
}

extension Status {
    /// What the process ends with after a refusal of this kind.
    var processStatus: ProcessStatus {
        switch self {
        case .ok: .success
        case .conflict: .conflict
        case .unavailable, .timedOut: .unreachable
        case .invalid, .notFound, .gone, .inUse, .keyReused, .keyExpired, .storageFull, .tooLarge,
            .unsupportedVersion, .unknownOperation, .notAllowed, .resync, .internal:
            .failure
        }
    }
}
