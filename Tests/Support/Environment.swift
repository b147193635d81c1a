import Glibc

/// What surrounds the tests.
public enum Environment {
    /// A variable of the test run.
    public static subscript(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The folder of the executables: the test runner's own, or `DAYBOOK_BIN`.
    public static let programs: String = {
        if let folder = Environment["DAYBOOK_BIN"] { return folder }
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        let text = String(decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return String(text.prefix(upTo: text.lastIndex(of: "/") ?? text.startIndex))
    }()

    /// The checkout.
    public static let checkout = folder(above: #filePath, levels: 3)

    /// The data that lie beside the checkout; nil where they do not.
    public static let sharedData: String? = {
        let path = "\(folder(above: checkout, levels: 1))/shared/data"
        return File.exists(path) ? path : nil
    }()

    private static func folder(above path: String, levels: Int) -> String {
        path.split(separator: "/").dropLast(levels).reduce(into: "") { $0 += "/\($1)" }
    }
}
