// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Testing

@Suite("Bookmarks")
struct BookmarkTests {
    @Test("Bookmarks move to another version of the audio, and those of a third version stay")
    func moved() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(2), .numbered(1)], into: try stage.subscribe())
        let made = [(1, 10, "9 bytes"), (1, 800, "9 bytes"), (1, 40, "7 bytes"), (2, 10, "9 bytes")]
        for (episode, seconds, version) in made {
            try stage.library.addBookmark(Int64(episode), at: .seconds(seconds), version: version)
        }
        try stage.library.addBookmark(1, at: .seconds(50))
        try stage.library.moveBookmarks(of: 1, from: "9 bytes", to: "12 bytes") {
            $0 < .seconds(700) ? $0 - .seconds(35) : $0 + .seconds(60)
        }
        let moved = try stage.library.bookmarks(of: 1)
        #expect(moved.map(\.position) == [0, 40, 50, 860].map { .seconds($0) })
        #expect(moved.map(\.version) == ["12 bytes", "7 bytes", nil, "12 bytes"])
        #expect(try stage.library.bookmarks(of: 2).map(\.position) == [.seconds(10)])
    }

    @Test(
        "A bookmark is found by its number or title, without case, accents and punctuation",
        arguments: [
            ("3", 3), ("CAFE", 1), ("café!", 1), ("berlin cafe", 2), ("afe ber", 2), ("bar", 3),
            ("cafe bar", nil), ("&", nil),
        ] as [(String, Int64?)])
    func named(name: String, number: Int64?) throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(1)], into: try stage.subscribe())
        for (seconds, title) in [(10, "Café"), (20, "Café: Berlin"), (30, "The Bar")] {
            try stage.library.addBookmark(1, at: .seconds(seconds), title: title)
        }
        let found = try? stage.library.bookmark(named: name, of: 1)
        #expect(found?.id == number)
    }
}
