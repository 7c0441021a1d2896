// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import ProgressiveDownload

@Suite("File names from titles")
struct TitleFileNameTests {
    @Test(
        "A title becomes a valid name on any file system, with the extension of the kept file",
        arguments: [
            ("Rain on the old harbour", "Rain on the old harbour.mp3"), ("talk.mp3", "talk.mp3"),
            ("AC/DC: what?", "AC-DC- what-.mp3"), ("../../etc/passwd", "etc-passwd.mp3"), ("-rf", "rf.mp3"),
            ("  a \n\t b\u{7}c  ", "a b c.mp3"), ("\u{202E}cod", "cod.mp3"), ("第1回：雨", "第1回：雨.mp3"),
            ("ends. . .", "ends.mp3"), ("", nil), ("...", nil), ("\u{0}", nil), ("/", nil),
        ] as [(String, String?)])
    func names(title: String, name: String?) {
        #expect(TitleFileName.name(for: title, like: "talk-0123.mp3") == name)
    }

    @Test("A long name is shortened to the limit of a file system without splitting a character")
    func long() throws {
        let name = try #require(TitleFileName.name(for: String(repeating: "雨", count: 300), like: "a.opus"))
        #expect(name.utf8.count <= 205 && name.hasSuffix("雨.opus"))
    }
}
