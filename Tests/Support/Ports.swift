import Glibc
import Synchronization

/// TCP ports that nobody listens at.
public enum Ports {
    /// What was given out: whoever asked may not listen there yet.
    private static let given = Mutex<Set<UInt16>>([])

    /// The first of so many consecutive ports that were free at loopback just now.
    ///
    /// - Throws: ``HarnessError`` where there are none.
    public static func free(_ count: UInt16) throws -> UInt16 {
        for _ in 0..<100 {
            let first = UInt16.random(in: 10_000...(32_000 - count))
            let ports = first..<first + count
            let isNew = given.withLock { given in
                guard given.isDisjoint(with: ports) else { return false }
                given.formUnion(ports)
                return true
            }
            if isNew, ports.allSatisfy(isFree) { return first }
        }
        throw HarnessError("no \(count) free ports in a row")
    }

    private static func isFree(_ port: UInt16) -> Bool {
        // A program that is started meanwhile would hold the port with it.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
