// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import SQLDatabase
import Testing

@testable import EpisodeLibrary

@Suite("Search")
struct SearchTests {
    private static let words = ["storm", "harbour", "lighthouse", "gull", "rope", "anchor", "fog", "tide"]

    private func indexed(_ library: Library) throws { while try library.indexSome() > 0 {} }

    @Test(
        "All words must occur, the last may be incomplete, and none of them is syntax",
        arguments: [
            ("storm", ["The storm"]), ("STORM", ["The storm"]), ("sto", ["The storm"]), ("sto the", []),
            ("the sto", ["The storm"]), ("storm gull", ["The storm"]), ("storm AND gull", []), ("storm OR fog", []),
            ("NOT fog", []), ("title:storm", []), ("\"storm", ["The storm"]), ("storm*", ["The storm"]),
            ("(storm", ["The storm"]), ("storm) OR (fog", []), ("st^orm", []), ("-storm", ["The storm"]),
            ("café", ["Fog"]), ("cafe", ["Fog"]), ("'; DROP TABLE episode; --", []), ("", []), ("...", []),
            ("NEAR(storm gull)", []),
        ] as [(String, [String])])
    func words(query: String, titles: [String]) throws {
        let stage = try LibraryStage()
        try stage.merge(
            [
                .numbered(2, title: "The storm", notes: "<p>A <b>gull</b> on a rope.</p>"),
                .numbered(1, title: "Fog", notes: "<p>In the caf\u{E9}.</p>"),
            ], into: try stage.subscribe())
        try indexed(stage.library)
        #expect(try stage.library.search(query, limit: 9).map(\.name) == titles)
    }

    @Test("A hit in the title comes before one in the notes")
    func order() throws {
        let stage = try LibraryStage()
        try stage.merge(
            [
                .numbered(2, title: "Rope", notes: "<p>A storm.</p>"),
                .numbered(1, title: "Storm", notes: "<p>A rope.</p>"),
            ], into: try stage.subscribe())
        try indexed(stage.library)
        #expect(try stage.library.search("storm", limit: 9).map(\.name) == ["Storm", "Rope"])
        #expect(try stage.library.search("rope", limit: 1).map(\.name) == ["Rope"])
    }

    @Test("Words removed by an edit are no longer found")
    func edited() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        try stage.merge([.numbered(1, title: "Storm", notes: "<p>gull</p>")], into: podcast)
        try indexed(stage.library)
        try stage.merge([.numbered(1, title: "Fog", notes: "<p>rope</p>")], into: podcast)
        #expect(try stage.library.search("gull", limit: 9).isEmpty)
        try indexed(stage.library)
        for (word, count) in [("storm", 0), ("gull", 0), ("fog", 1), ("rope", 1)] {
            #expect(try stage.library.search(word, limit: 9).count == count)
        }
    }

    @Test("An unsubscribed podcast is not searched")
    func unsubscribed() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        try stage.merge([.numbered(1, title: "Storm")], into: podcast)
        try indexed(stage.library)
        try stage.library.unsubscribe(podcast)
        #expect(try stage.library.search("storm", limit: 9).isEmpty)
    }

    @Test(
        "After a thousand edits the index equals a direct comparison of every episode", arguments: [1, 2] as [UInt64])
    func edits(seed: UInt64) throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        var random = ShuffleOrder(seed: seed)
        var texts: [Int: (title: String, notes: String)] = [:]
        let some = { (random: inout ShuffleOrder) in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.words.randomElement(using: &random) ?? "" }
                .joined(separator: " ")
        }
        for round in 0..<50 {
            for _ in 0..<20 {
                let day = Int.random(in: 1...40, using: &random)
                texts[day] = (some(&random), some(&random))
            }
            if let gone = texts.keys.sorted().randomElement(using: &random), round % 3 == 0 { texts[gone] = nil }
            let episodes = texts.sorted { $0.key > $1.key }.map { day, text in
                ParsedEpisode.numbered(day, title: text.title, notes: "<p>\(text.notes)</p>")
            }
            try stage.merge(episodes, into: podcast)
            // Index every second round, so that an edit finds both indexed and unindexed episodes.
            if round % 2 == 0 { try indexed(stage.library) }
        }
        try indexed(stage.library)
        for word in Self.words {
            let found = Set(try stage.library.search(word, limit: 100).map(\.guid))
            let scanned = texts.filter { _, text in
                (text.title + " " + text.notes).split(separator: " ").contains { $0 == word }
            }
            #expect(found == Set(scanned.keys.map { "g\($0)" }), "\(word)")
        }
    }

    @Test("The words of notes are unchanged; a change requires a new SearchIndex.version")
    func version() throws {
        let html =
            "<p>A&amp;B &eacute;t\u{E9} caf&#233;<br>x<b>y</b></p><script>no</script>"
            + "<ul><li>one<li>two</ul>a\u{A0}b"
        #expect(EpisodeNotes.words(html: html, summary: "Short") == "A&B \u{E9}t\u{E9} caf\u{E9} xy one two a b Short")
        #expect(SearchIndex.version == 4)
    }

    @Test("An index of another version is rebuilt")
    func anew() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(1, title: "Storm")], into: try stage.subscribe())
        try indexed(stage.library)
        try stage.library.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 99") }
        let library = try stage.another()
        #expect(try library.search("storm", limit: 9).isEmpty)
        #expect(try library.countToIndex() == 1)
        try indexed(library)
        #expect(try library.search("storm", limit: 9).count == 1)
    }
}
