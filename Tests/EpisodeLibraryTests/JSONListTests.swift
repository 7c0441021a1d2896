// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import EpisodeLibrary

@Suite("JSONList")
struct JSONListTests {
    @Test(
        "A list that an earlier version stored is read and written unchanged",
        arguments: [
            ("[]", []), (#"["Sea","Ports"]"#, ["Sea", "Ports"]), (#"["a\"b\\c\nd"]"#, ["a\"b\\c\nd"]),
            (#"["https://a/b?c","é 日 🎧",""]"#, ["https://a/b?c", "é 日 🎧", ""]),
        ] as [(String, [String])])
    func stored(text: String, strings: [String]) {
        #expect(JSONList.strings(text) == strings)
        #expect(JSONList.text(strings) == text)
    }

    @Test("Any text survives", arguments: ["\t\r\u{0}\u{1F}\u{7F}\u{80}\u{2028}", "\\u0041", "]", "\",\""])
    func roundTrip(string: String) {
        #expect(JSONList.strings(JSONList.text([string, string])) == [string, string])
    }

    @Test(
        "Damaged text is an empty list",
        arguments: ["", "null", "7", "[", "[1]", #"["a""#, #"["a"]x"#, #"{"a":"b"}"#, #"["\ud800"]"#])
    func damaged(text: String) {
        #expect(JSONList.strings(text) == [])
    }
}
