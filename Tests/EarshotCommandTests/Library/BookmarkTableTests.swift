// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Media
import Testing

@testable import TerminalInterface

@Suite("Lists of bookmarks")
struct BookmarkTableTests {
    private static let soundbites = [
        Soundbite(id: 1, start: .seconds(73), duration: .seconds(60), title: "The fog\u{1B}[2J"),
        Soundbite(id: 2, start: .seconds(1234.5), duration: .seconds(42.25)),
    ]

    private func bookmarks() throws -> [Bookmark] {
        let stage = try LibraryStage()
        try stage.merge([.numbered(1)], into: try stage.subscribe())
        try stage.library.addBookmark(1, at: .seconds(750), title: "the song")
        return try stage.library.bookmarks(of: 1)
    }

    @Test("The soundbites follow the bookmarks, with both ends")
    func plain() throws {
        let text = BookmarkTable.plain(try bookmarks(), soundbites: Self.soundbites, names: [:], ListLayout()).output
        let lines = text.split(separator: "\n")
        #expect(lines.first == "1  12:30  the song")
        #expect(lines.dropFirst().first?.hasPrefix("s1  1:13-2:13  The fog") == true && !text.contains("\u{1B}"))
        #expect(lines.last == "s2  20:34-21:16  (soundbite)")
    }

    @Test("An episode without both has no bookmarks")
    func none() {
        let report = BookmarkTable.plain([], soundbites: [], names: [:], ListLayout())
        #expect(report.output.isEmpty && report.errors == "No bookmarks.\n")
    }

    @Test("As JSON, a soundbite is a bookmark without a number and with a duration")
    func json() throws {
        let text = BookmarkTable.json(try bookmarks(), soundbites: Self.soundbites, of: 1).output
        let lines = text.split(separator: "\n")
        let last = try JSONValue(parsing: String(lines.last ?? ""))
        #expect(lines.count == 3 && last["id"] == .null && last["soundbite"]?.integer == 2)
        #expect(last["title"] == .null && last["episode"]?.integer == 1)
        #expect(last["position"]?.double == 1234.5 && last["duration"]?.double == 42.25)
    }
}
