// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Glibc
import Testing

/// Recorded with `EARSHOT_RECORD_DUMPS=1 swift test --filter GoldenDump`; review a difference like code.
@Suite("Golden dumps of feeds")
struct GoldenDumpTests {
    @Test("Each fixture produces its recorded dump", arguments: Fixture.all)
    func matchesDump(_ fixture: Fixture) throws {
        // given
        let path = "Dumps/\(fixture.name).txt"
        let bytes = try fixture.bytes()
        // when
        let dump = Array(Self.dump(outcome(of: bytes)).utf8)
        // then
        if getenv("EARSHOT_RECORD_DUMPS") != nil { try TestFile.write(dump, to: path) }
        let recorded = try #require(TestFile.read(path), "no dump recorded for \(fixture.name)")
        #expect(String(decoding: dump, as: UTF8.self) == String(decoding: recorded, as: UTF8.self))
    }

    /// Returns the JSON document with each key on its own line, or the error.
    private static func dump(_ outcome: Outcome) -> String {
        switch outcome {
        case .error(let error): "error: \(error)\n"
        case .feed(let feed): lines(FeedDocument(feed).string) + (feed.isTruncated ? "truncated\n" : "")
        }
    }

    private static func lines(_ json: String) -> String {
        var lines = ""
        var isInString = false
        var isEscaped = false
        for character in json {
            if !isInString, "{}]".contains(character), lines.last != "\n" { lines += "\n" }
            lines.append(character)
            if !isInString, character == "," { lines += "\n" }
            if character == "\"", !isEscaped { isInString.toggle() }
            isEscaped = character == "\\" && !isEscaped
        }
        return lines.drop { $0 == "\n" } + "\n"
    }
}
