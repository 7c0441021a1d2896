// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Media
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
            (position: $0 < .seconds(700) ? $0 - .seconds(35) : $0 + .seconds(60), anchor: $1)
        }
        let moved = try stage.library.bookmarks(of: 1)
        #expect(moved.map(\.position) == [0, 40, 50, 860].map { .seconds($0) })
        #expect(moved.map(\.version) == ["12 bytes", "7 bytes", nil, "12 bytes"])
        #expect(try stage.library.bookmarks(of: 2).map(\.position) == [.seconds(10)])
    }

    @Test("Estimated bookmarks become exact by the correction of their packet, and others stay")
    func corrected() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(2), .numbered(1)], into: try stage.subscribe())
        let anchor = TimeAnchor(offset: 3000, time: .seconds(400), totalLength: 9000)
        let other = TimeAnchor(offset: 5000, time: .seconds(600), totalLength: 9000)
        let made = [(1, 410, anchor), (1, 90, anchor), (1, 610, other), (1, 50, nil), (2, 410, anchor)]
        for (episode, seconds, from) in made {
            try stage.library.addBookmark(Int64(episode), at: .seconds(seconds), from: from)
        }
        try stage.library.correctBookmarks(of: 1, from: anchor, by: .seconds(-100))
        let bookmarks = try stage.library.bookmarks(of: 1)
        #expect(bookmarks.map(\.position) == [0, 50, 310, 610].map { .seconds($0) })
        #expect(bookmarks.map(\.anchor) == [nil, nil, nil, other])
        #expect(try stage.library.bookmarks(of: 2).map(\.anchor) == [anchor])
    }

    @Test("An estimated bookmark keeps the packet from which it counts in another version")
    func movedEstimate() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(1)], into: try stage.subscribe())
        let old = TimeAnchor(offset: 4, time: .seconds(30), totalLength: 9)
        let new = TimeAnchor(offset: 7, time: .seconds(65), totalLength: 12)
        try stage.library.addBookmark(1, at: .seconds(28), from: old, version: "9 bytes")
        try stage.library.moveBookmarks(of: 1, from: "9 bytes", to: "12 bytes") { position, anchor in
            (position: position + .seconds(35), anchor: anchor == old ? new : nil)
        }
        let moved = try #require(try stage.library.bookmarks(of: 1).first)
        #expect(moved.position == .seconds(63) && moved.anchor == new && moved.version == "12 bytes")
    }

    @Test("A bookmark whose place in another version is unknown stays with its version")
    func unmoved() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(1)], into: try stage.subscribe())
        let anchor = TimeAnchor(offset: 4, time: .seconds(30), totalLength: 9)
        try stage.library.addBookmark(1, at: .seconds(28), from: anchor, version: "9 bytes")
        try stage.library.moveBookmarks(of: 1, from: "9 bytes", to: "12 bytes") { _, _ in nil }
        let bookmark = try #require(try stage.library.bookmarks(of: 1).first)
        #expect(bookmark.position == .seconds(28) && bookmark.anchor == anchor && bookmark.version == "9 bytes")
    }

    @Test("A bookmark is exact in the version that was downloaded, or else played last, and not in another one")
    func otherVersion() throws {
        let stage = try LibraryStage()
        let library = stage.library
        try stage.merge([.numbered(1)], into: try stage.subscribe())
        let anchor = TimeAnchor(offset: 4, time: .seconds(30), totalLength: 9)
        try library.addBookmark(1, at: .seconds(10), version: "9 bytes")
        try library.addBookmark(1, at: .seconds(20), version: "12 bytes")
        try library.addBookmark(1, at: .seconds(30))
        try library.addBookmark(1, at: .seconds(40), from: anchor, version: "9 bytes")
        #expect(try library.bookmarks(of: 1).map(\.isExact) == [true, true, true, false])
        try library.save(PlaybackPosition(position: .seconds(5), version: "9 bytes"), of: 1, .act)
        #expect(try library.bookmarks(of: 1).map(\.isExact) == [true, false, true, false])
        try library.requestDownload(1, by: .listener)
        try library.noteDownload(1, .complete, total: 12, extents: [0..<12])
        #expect(try library.bookmarks(of: 1).map(\.isExact) == [false, true, true, false])
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
        let found = try? stage.library.place(named: name, in: 1)
        #expect(found?.name == number.map { "\($0)" })
    }
}
