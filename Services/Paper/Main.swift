import CBOR
import Documents
import Glibc
import Paper

/// `daybook-paper`: a document (CBOR) on standard input becomes a PDF file on standard output.
///
/// A program of its own, so that the command starts without the libraries that know fonts. Exits with 1 and one
/// sentence on standard error where it can't; a sentence there with 0 is a warning.
@main
struct Main {
    static func main() {
        useFontsBesideThis()
        do throws(CBORError) {
            let document = try CBORDecoder().decode(Document.self, from: input())
            do throws(PaperError) {
                let file = try PDFFile(of: document)
                if file.charactersWithoutFont > 0 {
                    tell(
                        """
                        \(file.charactersWithoutFont) characters have no font here and show as boxes: \
                        install one that has them (fonts-noto-core, fonts-noto-cjk)
                        """
                    )
                }
                write(file.bytes)
            } catch {
                fail("\(error)")
            }
        } catch {
            fail("standard input holds no document of daybook: \(error)")
        }
    }

    /// Where the program has brought fonts, as from the archive that deploy/dist makes, it draws with these: the machine
    /// may have none. Who sets FONTCONFIG_FILE chooses others.
    private static func useFontsBesideThis() {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let own = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let fonts = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex) + "/fonts/fonts.conf"
        if access(String(fonts), R_OK) == 0 { setenv("FONTCONFIG_FILE", String(fonts), 0) }
    }

    private static func input() -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { fail("can't read standard input: \(String(cString: strerror(errno)))") }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    private static func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { fail("can't write standard output: \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(count)
        }
    }

    private static func tell(_ message: String) {
        let line = Array("daybook-paper: \(message)\n".utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }

    private static func fail(_ message: String) -> Never {
        tell(message)
        exit(1)
    }
}
