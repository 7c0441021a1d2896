// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Feeds

@Suite("ShowNotesChapters")
struct ShowNotesChaptersTests {
    @Test(
        "A line that begins with a time has the rest as its title",
        arguments: [
            ("00:00 Intro", 0, "Intro"), ("1:02:03 Title", 3723, "Title"), ("75:30 Title", 4530, "Title"),
            ("(02:03) Title", 123, "Title"), ("[02:03] Title", 123, "Title"), ("[1:02:03]Title", 3723, "Title"),
            ("02:03 - Title", 123, "Title"), ("02:03 – Title", 123, "Title"), ("02:03: Title", 123, "Title"),
            ("02:03 | Title", 123, "Title"), ("- 02:03 Title", 123, "Title"), ("• 02:03 Title", 123, "Title"),
            ("> * 02:03 Title", 123, "Title"), ("3. 02:03 Title", 123, "Title"), ("12) 02:03 Title", 123, "Title"),
            ("02:03–04:05 Title", 123, "Title"), ("(02:03 - 04:05): Title", 123, "Title"),
            ("00:02:03.500 Title", 123, "Title"), ("02\u{FF1A}03 标题", 123, "标题"),
            ("02:03 1984 is a book", 123, "1984 is a book"),
            ("02:03 → Title (2/3)", 123, "Title (2/3)"), ("⏱ 02:03 Title", 123, "Title"),
            ("⏱\u{FE0F} [02:03] [Music] 🎉", 123, "[Music] 🎉"),
            ("02:03 🎉 Party", 123, "🎉 Party"),
            ("02:03, Title", 123, "Title"),
        ])
    func lines(line: String, seconds: Int, title: String) throws {
        let timed = try #require(TimedLine(line))
        #expect(timed.title == title)
        #expect(timed.start.components.seconds == seconds)
    }

    @Test(
        "Other lines are not chapters",
        arguments: [
            "", "Title", "Title 02:03", "02:03", "02:03 -", "2:3 Title", "02:60 Title", "1:60:00 Title",
            "1:2:3:4 Title",
            "10:30 AM Meeting", "10:30 p.m. Meeting", "20:15 Uhr im Kino", "10:30am Meeting", "1234:00 Title",
            "02.03 Title",
            "2024 was a year", ":30 Title", "3. Title", "16:9 Title", "Genesis 1:01 says", "02:03:1 Title",
            "99999999999999999999:00 Title",
        ])
    func others(line: String) { #expect(TimedLine(line) == nil) }

    private func titles(_ html: String) -> [String?]? { ShowNotesChapters.list(html)?.chapters.map(\.title) }

    @Test(
        "Paragraphs, line breaks, items and tables are lines",
        arguments: [
            "<p>All</p><p>00:00 a</p><p>01:00 <b>b</b></p><p>(02:00) <a href='https://x.example/'>c</a></p><p>x</p>",
            "00:00 a<br>01:00 b<br/>02:00 c", "<ul><li>00:00 a</li><li>01:00 b<li>02:00 c</ul>",
            "<ol><li>00:00 a</li><li>01:00 b</li><li>02:00 c</li></ol>",
            "<table><tr><td>00:00</td><td>a</td></tr><tr><td>01:00</td><td>b</td></tr><tr><td>02:00<td>c</table>",
            "<pre>00:00 a\n01:00 b\n02:00 c</pre>",
            "<a href='#t=0'>00:00</a> a<br><a href='#t=60'>01:00</a> b<br>02:00 c",
            "<blockquote>00:00 a<br>01:00 b<br>02:00 c</blockquote>",
        ])
    func markup(html: String) {
        let list = ShowNotesChapters.list(html)
        #expect(list?.chapters.map(\.title) == ["a", "b", "c"])
        #expect(list?.chapters.map(\.start) == [.zero, .seconds(60), .seconds(120)])
        #expect(list?.source == .notes)
    }

    @Test("Fewer than three ascending times are not chapters, and the longest ascending run counts")
    func runs() {
        #expect(titles("00:00 a<br>01:00 b") == nil)
        #expect(titles("02:00 a<br>01:00 b<br>00:00 c") == nil)
        #expect(titles("01:00 a<br>01:00 b<br>02:00 c") == nil)
        #expect(
            titles("09:00 x<br>00:00 a<br>01:00 b<br>01:00 bb<br>02:00 c<br>00:30 y<br>00:40 z") == ["a", "b", "c"])
        #expect(titles("00:01 a<br>00:02 b<br>00:03 c<br>00:01 d<br>00:02 e<br>00:03 f") == ["a", "b", "c"])
        #expect(titles("") == nil)
    }

    @Test("Many lines give at most 10,000 chapters")
    func limit() {
        let lines = (0..<12_000).map { "\($0 / 3600):\(Self.two($0 / 60 % 60)):\(Self.two($0 % 60)) x" }
        #expect(titles(lines.joined(separator: "<br>"))?.count == 10_000)
        let same = String(repeating: "00:00 a<br>", count: 20_000)
        #expect(titles(same) == nil)
        #expect(titles(String(repeating: "1:", count: 100_000)) == nil)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    @Test("Random notes give ascending chapters", arguments: 0..<LongTests.size(200, inFull: 5000))
    func random(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let pieces = [
            "0", "1:0", "2:30", ":", " ", "<br>", "<li>", "12:34", "(", ")", "-", "–", "a", ".", "\u{FF1A}", "&#58;",
        ]
        let html = (0..<200).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        let chapters = ShowNotesChapters.list(html)?.chapters ?? []
        #expect(chapters.isEmpty || chapters.count >= 3)
        #expect(zip(chapters, chapters.dropFirst()).allSatisfy { $0.start < $1.start })
        #expect(chapters.allSatisfy { $0.title?.isEmpty == false })
    }
}
