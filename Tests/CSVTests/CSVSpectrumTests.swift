import CSV
import Foundation
import Testing

/// The published suite csv-spectrum: twelve files, each with its rows as JSON.
private let spectrum: URL = {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    return here.appending(path: "../../../shared/data/csv-spectrum").standardizedFileURL
}()

private let isThere: Bool = {
    let found = FileManager.default.fileExists(atPath: spectrum.appending(path: "csvs").path)
    if !found { print("csv-spectrum is skipped: no folder ../shared/data/csv-spectrum beside the checkout") }
    return found
}()

@Suite(.enabled(if: isThere, "needs ../shared/data/csv-spectrum beside the checkout"))
struct CSVSpectrumTests {
    @Test(arguments: [
        "comma_in_quotes", "empty", "empty_crlf", "escaped_quotes", "json", "newlines", "newlines_crlf",
        "quotes_and_newlines", "simple", "simple_crlf", "utf8",
    ])
    func equalsTheExpectedRows(_ name: String) throws {
        let expected = try JSONDecoder().decode([[String: String]].self, from: try contents("json/\(name).json"))
        let bytes = [UInt8](try contents("csvs/\(name).csv"))
        #expect(try CSVRowReader.rows(of: bytes).rows.map(\.dictionary) == expected)
        #expect(CSVDelimiter.detect(in: bytes) == .comma)
    }

    // This JSON holds one object, not an array, and a phone number other than the file's.
    @Test func readsQuotesInsideAnUnquotedField() throws {
        let json = try contents("json/location_coordinates.json")
        var expected = try JSONDecoder().decode([String: String].self, from: json)
        expected["Contact Phone Number"] = "2095257564"
        expected["Cities"] = "Modesto"
        expected["Counties"] = "Stanislaus"
        let (_, rows) = try CSVRowReader.rows(of: [UInt8](try contents("csvs/location_coordinates.csv")))
        #expect(rows.map(\.dictionary) == [expected])
    }

    private func contents(_ path: String) throws -> Data {
        try Data(contentsOf: spectrum.appending(path: path))
    }
}
