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
        Row(testDescription: "all, the oldest first", choice: .all, selected: [2, 0, 1]),
        Row(testDescription: "number 1 is the newest", choice: .number(1), selected: [1]),
        Row(testDescription: "number 3 is the oldest", choice: .number(3), selected: [2]),
        Row(testDescription: "a number that is also a GUID is the number", choice: .number(2), selected: [0]),
        Row(
            testDescription: "a GUID that is a number beyond the last", choice: .number(47),
            episodes: dated + [candidate("47", "On Oars", 50)], selected: [3]),
        Row(
            testDescription: "a whole title before a GUID", choice: .named("on rivers"),
            episodes: dated + [candidate("on rivers", "On Oars", 50)], selected: [0]),
        Row(
            testDescription: "a serial begins with its first by number", choice: .nextOfSerial,
            episodes: serial(played: []), selected: [2]),
        Row(
            testDescription: "a serial goes on with the first unplayed", choice: .nextOfSerial,
            episodes: serial(played: [2, 0]), selected: [1]),
        Row(
            testDescription: "a serial that was played begins again", choice: .nextOfSerial,
            episodes: serial(played: [0, 1, 2, 3]), selected: [2]),
        Row(testDescription: "a serial without numbers goes by date", choice: .nextOfSerial, selected: [2]),
        Row(testDescription: "no fourth", choice: .number(4), selected: nil),
        Row(testDescription: "no zeroth", choice: .number(0), selected: nil),
        Row(testDescription: "no negative", choice: .number(-1), selected: nil),
        Row(testDescription: "a GUID", choice: .named("b"), selected: [1]),
        Row(testDescription: "words in any case and order", choice: .named("rivers BEES"), selected: [1]),
        Row(testDescription: "of several the newest", choice: .named("rivers"), selected: [1]),
        Row(testDescription: "letters beyond ASCII", choice: .named("über"), selected: [2]),
        Row(testDescription: "a word that is missing", choice: .named("rivers wasps"), selected: nil),
        Row(testDescription: "blanks name nothing", choice: .named("  "), selected: nil),
        Row(
            testDescription: "without dates the first is the newest", choice: .latest, episodes: undated,
            selected: [0]),
        Row(testDescription: "and the last the oldest", choice: .all, episodes: undated, selected: [2, 1, 0]),
        Row(testDescription: "undated stays behind its neighbour", choice: .all, episodes: mixed, selected: [2, 1, 0]),
        Row(testDescription: "nothing to choose from", choice: .latest, episodes: [], selected: nil),
        Row(testDescription: "nothing of all", choice: .all, episodes: [], selected: nil),
        Row(testDescription: "number 1 of nothing", choice: .number(1), episodes: [], selected: nil),
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
