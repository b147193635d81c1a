import Glibc
import Support

/// A PDF file as Poppler's programs read it.
struct PDFReading {
    private let folder: String

    /// Writes the file into a folder of its own below the temporary one.
    init(_ bytes: [UInt8]) throws {
        var template = Array("/tmp/daybook-paper-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw HarnessError("no temporary folder: \(errno)") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        try File.write(bytes, to: "\(folder)/file.pdf")
    }

    func text() async throws -> String {
        try await output(of: "/usr/bin/pdftotext", ["-layout", "\(folder)/file.pdf", "-"])
    }

    func info() async throws -> String { try await output(of: "/usr/bin/pdfinfo", ["\(folder)/file.pdf"]) }

    func remove() {
        for name in ["file.pdf", "output", "error"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private func output(of program: String, _ arguments: [String]) async throws -> String {
        var launch = ChildProcess.Launch(program: program)
        launch.arguments = arguments.map { Array($0.utf8) }
        launch.environment = ["LANG": "C.UTF-8"]
        launch.output = "\(folder)/output"
        launch.error = "\(folder)/error"
        let ending = await (try ChildProcess.start(launch)).ended()
        let complaints = File.text(launch.error)
        guard ending == .exited(0), complaints.isEmpty else {
            throw HarnessError("\(program): \(ending), \(complaints)")
        }
        return File.text(launch.output)
    }
}

/// What Poppler reads in a document's file.
func reading<Result>(
    _ bytes: [UInt8],
    _ body: (PDFReading) async throws -> Result
) async throws -> Result {
    let reading = try PDFReading(bytes)
    defer { reading.remove() }
    return try await body(reading)
}
