// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioContainers

@Suite("VorbisChapters")
struct VorbisChaptersTests {
    private func list(_ entries: [(String, String)]) -> [Chapter] {
        var chapters = VorbisChapters()
        for (name, value) in entries { chapters.add(name, value) }
        return chapters.list.chapters
    }

    @Test("Starts, titles and URLs are read in any order, and the first of several values counts")
    func all() {
        let entries = [
            ("CHAPTER002URL", "https://x.example/2"), ("CHAPTER002NAME", "Two"), ("CHAPTER001", "00:00:00.000"),
            ("CHAPTER002", "01:02:03.4567"), ("CHAPTER001NAME", "One"), ("CHAPTER001NAME", "other"),
            ("CHAPTER003NAME", "without a start"), ("CHAPTER001", "00:00:09.000"), ("CHAPTER004", "x"),
            ("CHAPTER", "1"),
            ("CHAPTER1", "00:00:01.000"), ("CHAPTERONE", "00:00:01.000"), ("CHAPTER001X", "y"),
        ]
        #expect(
            list(entries) == [
                Chapter(start: .zero, title: "One"),
                Chapter(start: .milliseconds(3_723_457), title: "Two", url: "https://x.example/2"),
            ])
    }

    @Test(
        "A time has hours, minutes and seconds",
        arguments: [
            ("00:00:00", 0), ("0:0:0.5", 500), ("99:59:59.999", 359_999_999), ("999:00:00", 3_596_400_000),
            ("00:60:00", nil), ("1000:00:00", nil), ("-1:00:00", nil), ("00:00", nil), ("", nil), ("::", nil),
            ("0:0:nan", nil), ("0:0:inf", nil), ("0:0:1e1", 10_000), ("0:0:0:0", nil),
        ] as [(String, Int?)])
    func times(text: String, milliseconds: Int?) {
        #expect(list([("CHAPTER001", text)]).first?.start == milliseconds.map { .milliseconds($0) })
    }

    @Test("Numbers have three digits, or four after 999; long values are ignored")
    func limits() {
        let many = (0..<20_000).map {
            (
                "CHAPTER" + String(repeating: "0", count: max(0, 3 - "\($0)".count)) + "\($0)",
                "00:\($0 / 60 % 60):\($0 % 60)"
            )
        }
        #expect(list(many).count == 3600)
        let long = [("CHAPTER001", "0:0:1"), ("CHAPTER001NAME", String(repeating: "x", count: 5000))]
        #expect(list(long) == [Chapter(start: .seconds(1))])
    }
}
