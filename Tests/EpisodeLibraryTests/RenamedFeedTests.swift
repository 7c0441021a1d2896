// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Testing

/// Changes by publishers and hosts to feeds whose episodes stay the same.
@Suite("A feed with new identifiers for its episodes")
struct RenamedFeedTests {
    private static let hour: Int64 = 3600

    /// - Parameters:
    ///   - host: a prefix of the GUID and the address.
    ///   - shift: an offset of the date in seconds.
    private static func episode(
        _ day: Int, guid: String, host: String, title: String? = nil, shift: Int64 = 0
    ) -> ParsedEpisode {
        var episode = ParsedEpisode.numbered(
            day, guid: "\(guid)\(day)", title: title, url: "https://\(host).example/\(day).mp3")
        episode.published = episode.published.map { UTCTime(secondsSince1970: $0.secondsSince1970 + shift) }
        return episode
    }

    /// - Returns: the number of new episodes for each document.
    private func merge(_ documents: [ParsedEpisode]...) throws -> [Int] {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        return try documents.map { try stage.merge($0, into: podcast).new.count }
    }

    @Test("A new host with other GUIDs and addresses adds no duplicates", arguments: [1, 2, 5])
    func migration(count: Int) throws {
        let before = (1...count).reversed().map { Self.episode($0, guid: "a", host: "old") }
        let after = (1...count).reversed().map { Self.episode($0, guid: "b", host: "new") }
        #expect(try merge(before, after, before) == [count, 0, 0])
    }

    @Test("A new host adds only the episodes that are new")
    func migrationWithNews() throws {
        let before = (1...5).reversed().map { Self.episode($0, guid: "a", host: "old") }
        let after = (1...6).reversed().map { Self.episode($0, guid: "b", host: "new") }
        #expect(try merge(before, after) == [5, 1])
    }

    @Test("A new host of a show with one title for all adds no duplicates")
    func migrationOfNews() throws {
        let before = (1...5).reversed().map { Self.episode($0, guid: "a", host: "old", title: "News") }
        let after = (1...5).reversed().map { Self.episode($0, guid: "b", host: "new", title: "News") }
        #expect(try merge(before, after) == [5, 0])
    }

    @Test("A new host with dates in another time zone adds no duplicates", arguments: [-8, -1, 1, 5, 13])
    func otherTimeZone(hours: Int64) throws {
        let before = (1...5).reversed().map { Self.episode($0 * 7, guid: "a", host: "old") }
        let after = (1...5).reversed().map { Self.episode($0 * 7, guid: "b", host: "new", shift: hours * Self.hour) }
        #expect(try merge(before, after) == [5, 0])
        // The two time zones are equal for half of the year.
        let mixed = (1...5).reversed().map {
            Self.episode($0 * 7, guid: "b", host: "new", shift: $0 < 3 ? 0 : hours * Self.hour)
        }
        #expect(try merge(before, mixed) == [5, 0])
    }

    @Test("GUIDs regenerated for each request add no duplicates, even if a date is corrected")
    func regeneratedGUIDs() throws {
        let document = { (request: Int) in
            (1...5).reversed().map {
                Self.episode($0, guid: "\(request)-", host: "host", shift: $0 == 2 ? Int64(request) * Self.hour : 0)
            }
        }
        #expect(try merge(document(1), document(2), document(3)) == [5, 0, 0])
    }

    @Test("GUIDs and dates regenerated for each request add no duplicates")
    func regeneratedDates() throws {
        let document = { (request: Int64) in
            (1...5).reversed().map { day in
                var episode = Self.episode(day, guid: "\(request)-", host: "host")
                episode.published = UTCTime(secondsSince1970: LibraryStage.newYear + request * Self.hour)
                return episode
            }
        }
        #expect(try merge(document(1), document(2), document(3)) == [5, 0, 0])
    }

    @Test("An episode without a GUID keeps its row when its address gets a token and its date is corrected")
    func withoutGUID() throws {
        let episode = { (token: Int, shift: Int64) in
            let url = "https://host.example/1.mp3?token=\(token)"
            var episode = Self.episode(1, guid: url, host: "host", shift: shift)
            episode.guid = nil
            episode.enclosures = [ParsedEnclosure(url: url)]
            return episode
        }
        #expect(try merge([episode(1, 0)], [episode(2, 2 * Self.hour)]) == [1, 0])
    }

    @Test("If the others keep their GUIDs, an episode with its own GUID and audio is new", arguments: [0, 60])
    func insertion(seconds: Int64) throws {
        let window = (1...5).map { Self.episode($0, guid: "a", host: "host", title: "News") }
        var special = Self.episode(6, guid: "a", host: "host", title: "News")
        special.published = window[0].published.map { UTCTime(secondsSince1970: $0.secondsSince1970 + seconds) }
        #expect(try merge(window, Array(window.dropFirst()) + [special]) == [5, 1])
    }

    @Test(
        "A window whose bulletins are all replaced has only new episodes, also if their times touch or overlap",
        arguments: [[540, 480, 420], [390, 480]] as [[Int64]])
    func replacedWindow(minutes: [Int64]) throws {
        let titles = ["Weather", "Traffic", "Sport"]
        let window = { (first: Int, minutes: [Int64]) in
            zip(minutes.indices, minutes).map { index, minutes in
                var episode = Self.episode(first + index, guid: "a", host: "host", title: titles[index])
                episode.published = UTCTime(secondsSince1970: LibraryStage.newYear + minutes * 60)
                return episode
            }
        }
        #expect(try merge(window(1, [420, 360]), window(3, minutes)) == [2, minutes.count])
    }
}
