// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Testing

@Suite("Soundbites of the feed, which are found as bookmarks are")
struct SoundbiteTests {
    /// Returns a library with an episode that has three bookmarks and eight soundbites, two of them equal.
    private static func stage() throws -> LibraryStage {
        let stage = try LibraryStage()
        var episode = ParsedEpisode.numbered(1)
        episode.soundbites = [
            ParsedSoundbite(start: .seconds(90), duration: .seconds(30.5), title: "The Café"),
            ParsedSoundbite(start: .seconds(12), duration: .seconds(20)),
            ParsedSoundbite(start: .seconds(40), duration: .seconds(8), title: "The song"),
            ParsedSoundbite(start: .seconds(200), duration: .seconds(8), title: "Rain at noon"),
            ParsedSoundbite(start: .seconds(300), duration: .seconds(8), title: "Rain at night"),
            ParsedSoundbite(start: .seconds(400), duration: .seconds(5), title: "The best part"),
            ParsedSoundbite(start: .seconds(400), duration: .seconds(5), title: "The best part"),
            ParsedSoundbite(start: .seconds(410), duration: .seconds(5), title: "The harbour"),
        ]
        try stage.merge([episode], into: try stage.subscribe())
        try stage.library.addBookmark(1, at: .seconds(50), title: "my song")
        try stage.library.addBookmark(1, at: .seconds(60), title: "the harbour")
        try stage.library.addBookmark(1, at: .seconds(70), title: "the best part of all")
        return stage
    }

    @Test("They are read by position, with their titles")
    func order() throws {
        let found = try Self.stage().library.notes(of: 1).soundbites
        #expect(found.map { $0.start / .seconds(1) } == [12, 40, 90, 200, 300, 400, 410])
        #expect(found.map { $0.duration / .seconds(1) } == [20, 8, 30.5, 8, 8, 5, 5])
        #expect(found.map(\.title) == [
            nil, "The song", "The Café", "Rain at noon", "Rain at night", "The best part", "The harbour",
        ])
    }

    @Test("An episode without details has none")
    func noDetails() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(1)], into: try stage.subscribe())
        #expect(try stage.library.notes(of: 1).soundbites == [])
    }

    @Test(
        "A place is found by its number or title; a bookmark comes before a soundbite whose title fits as well",
        arguments: [
            ("2", 60, nil), ("harbour", 60, nil), ("song", 50, nil), ("cafe", 90, 30.5), ("the song", 40, 8),
            ("s1", 12, 20), ("S3", 90, 30.5), ("The harbour", 60, nil), ("the best part", 400, 5),
        ] as [(String, Int, Double?)])
    func place(name: String, position: Int, length: Double?) throws {
        let place = try Self.stage().library.place(named: name, in: 1)
        #expect(place.position == .seconds(position) && place.length == length.map { Duration.seconds($0) })
    }

    @Test("A name that several soundbites have is ambiguous, and an unknown one is missing")
    func unclear() throws {
        let library = try Self.stage().library
        let kind = { (name: String) -> LibraryError.Kind? in
            do throws(LibraryError) {
                _ = try library.place(named: name, in: 1)
                return nil
            } catch {
                return error.kind
            }
        }
        let (rain, snow) = (kind("rain"), kind("snow"))
        #expect(rain == .ambiguous && snow == .missing)
    }
}
