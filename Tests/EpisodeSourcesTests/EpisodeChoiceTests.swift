// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources
import Media
import Testing

@Suite("EpisodeChoice")
struct EpisodeChoiceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let choice: EpisodeChoice
        var episodes = EpisodeChoiceTests.dated
        /// The indexes of the selected episodes; `nil` if the selection fails.
        let selected: [Int]?
    }

    static func candidate(_ guid: String?, _ title: String, _ published: Int64?) -> EpisodeChoice.Candidate {
        .init(guid: guid, title: title, published: published)
    }

    /// Candidates that are not in the order of their dates.
    static let dated = [
        candidate("a", "On Rivers", 300), candidate("b", "On Bees and Rivers", 500), candidate("2", "Über Bienen", 100),
    ]
    static let undated = [candidate(nil, "C", nil), candidate(nil, "B", nil), candidate(nil, "A", nil)]
    static let mixed = [candidate("new", "N", 900), candidate("none", "M", nil), candidate("old", "O", 100)]

    /// Returns three chapters whose dates disagree with their numbers, and a trailer.
    static func serial(played: Set<Int>) -> [EpisodeChoice.Candidate] {
        let places: [(season: Int, number: Int?, isFull: Bool)] = [
            (1, 2, true), (2, 1, true), (1, 1, true), (1, nil, false),
        ]
        return places.enumerated().map { index, place in
            .init(
                guid: nil, title: "Chapter", published: Int64(100 + index * 100),
                place: .init(season: place.season, number: place.number, isFull: place.isFull),
                isPlayed: played.contains(index))
        }
    }

    static let table: [Row] = [
        Row(testDescription: "the newest by date", choice: .latest, selected: [1]),
        Row(testDescription: "the oldest by date", choice: .oldest, selected: [2]),
        Row(testDescription: "all episodes, oldest first", choice: .all, selected: [2, 0, 1]),
        Row(testDescription: "number 1 is the newest", choice: .number(1), selected: [1]),
        Row(testDescription: "number 3 is the oldest", choice: .number(3), selected: [2]),
        Row(testDescription: "a number precedes an equal GUID", choice: .number(2), selected: [0]),
        Row(
            testDescription: "a number above the last one is a GUID", choice: .number(47),
            episodes: dated + [candidate("47", "On Oars", 50)], selected: [3]),
        Row(
            testDescription: "a complete title precedes an equal GUID", choice: .named("on rivers"),
            episodes: dated + [candidate("on rivers", "On Oars", 50)], selected: [0]),
        Row(
            testDescription: "a serial starts with its lowest number", choice: .nextOfSerial,
            episodes: serial(played: []), selected: [2]),
        Row(
            testDescription: "a serial continues with its first unplayed episode", choice: .nextOfSerial,
            episodes: serial(played: [2, 0]), selected: [1]),
        Row(
            testDescription: "a completely played serial starts again", choice: .nextOfSerial,
            episodes: serial(played: [0, 1, 2, 3]), selected: [2]),
        Row(testDescription: "a serial without numbers is ordered by date", choice: .nextOfSerial, selected: [2]),
        Row(testDescription: "number 4 of three", choice: .number(4), selected: nil),
        Row(testDescription: "number 0", choice: .number(0), selected: nil),
        Row(testDescription: "a negative number", choice: .number(-1), selected: nil),
        Row(testDescription: "a GUID", choice: .named("b"), selected: [1]),
        Row(testDescription: "words in any case and order", choice: .named("rivers BEES"), selected: [1]),
        Row(testDescription: "the newest of several matches", choice: .named("rivers"), selected: [1]),
        Row(testDescription: "letters beyond ASCII", choice: .named("über"), selected: [2]),
        Row(testDescription: "a word that does not match", choice: .named("rivers wasps"), selected: nil),
        Row(testDescription: "blanks match nothing", choice: .named("  "), selected: nil),
        Row(
            testDescription: "without dates, the first is the newest", choice: .latest, episodes: undated,
            selected: [0]),
        Row(
            testDescription: "without dates, the last is the oldest", choice: .all, episodes: undated,
            selected: [2, 1, 0]),
        Row(
            testDescription: "an undated episode keeps its position after its neighbour", choice: .all, episodes: mixed,
            selected: [2, 1, 0]),
        Row(testDescription: "the newest of no episodes", choice: .latest, episodes: [], selected: nil),
        Row(testDescription: "all of no episodes", choice: .all, episodes: [], selected: nil),
        Row(testDescription: "number 1 of no episodes", choice: .number(1), episodes: [], selected: nil),
    ]

    @Test("An episode choice selects the expected episodes", arguments: table)
    func selects(row: Row) {
        do throws(MediaFailure) {
            #expect(try row.choice.select(from: row.episodes) == row.selected)
        } catch {
            #expect(row.selected == nil && error.kind == .missing)
        }
    }
}
