// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import FoundationEssentials
import Media

/// One line of the output of `earshot export --json` (see docs/json-library.md).
enum ExportedLine {
    case library(Header)
    case podcast(LibraryCopy.Podcast)
    case episode(LibraryCopy.Episode)
    case smartQueue(LibraryCopy.SmartQueue)
    /// A kind of line that a later version of this program wrote.
    case other

    struct Header {
        let version: Int
        /// The number of lines of each kind that follow; `nil` in files of an earlier version of this program.
        let podcasts: Int?
        let episodes: Int?
        let smartQueues: Int?
        let settings: [LibraryCopy.Setting]
        let listening: [LibraryCopy.Listening]
    }
}

extension ExportedLine: Decodable {
    private enum Key: String, CodingKey {
        case kind, version, podcasts, episodes, settings, settingsChanged
        case feedURL, title, ownTitle, podcastGUID, folder, subscribed, formerAddresses, hasPassword
        case guid, enclosureURL, published, position, anchor, duration, played, finished, marked, listened, bookmarks
        case queuePlace, name, group, newestFirst, most, smartQueues, listening, transcriptShift, laterShifts
        case mergedGUIDs, mergedEnclosures
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        switch try values.decode(String.self, forKey: .kind) {
        case "library": self = .library(try Self.header(values))
        case "podcast": self = .podcast(try Self.podcast(values))
        case "episode": self = .episode(try Self.episode(values))
        case "smartQueue": self = .smartQueue(try Self.smartQueue(values))
        default: self = .other
        }
    }

    private static func header(_ values: KeyedDecodingContainer<Key>) throws -> Header {
        Header(
            version: try values.decode(Int.self, forKey: .version),
            podcasts: try count(.podcasts, values), episodes: try count(.episodes, values),
            smartQueues: try count(.smartQueues, values), settings: try settings(values),
            listening: try listening(values))
    }

    /// More lines of a kind than any library has, so that sums of counts cannot overflow.
    private static let mostLines = 1 << 40

    private static func count(_ key: Key, _ values: KeyedDecodingContainer<Key>) throws -> Int? {
        guard let count = try values.decodeIfPresent(Int.self, forKey: key) else { return nil }
        guard 0...mostLines ~= count else { throw outOfRange(count, key, values) }
        return count
    }

    private static func outOfRange(_ number: Int, _ key: Key, _ values: KeyedDecodingContainer<Key>) -> DecodingError {
        .dataCorruptedError(forKey: key, in: values, debugDescription: "\(number) is out of range")
    }

    private static func listening(_ values: KeyedDecodingContainer<Key>) throws -> [LibraryCopy.Listening] {
        try values.decodeIfPresent([ExportedListening].self, forKey: .listening)?.map(\.listening) ?? []
    }

    private static func settings(_ values: KeyedDecodingContainer<Key>) throws -> [LibraryCopy.Setting] {
        let texts = try values.decodeIfPresent([String: String].self, forKey: .settings) ?? [:]
        let times = try values.decodeIfPresent([String: ExportedTime].self, forKey: .settingsChanged) ?? [:]
        return texts.sorted { $0.key < $1.key }.map { .init(key: $0, value: $1, changed: times[$0]?.time) }
    }

    private static func podcast(_ values: KeyedDecodingContainer<Key>) throws -> LibraryCopy.Podcast {
        var podcast = LibraryCopy.Podcast(feedURL: try values.decode(String.self, forKey: .feedURL))
        podcast.ownTitle = try values.decodeIfPresent(String.self, forKey: .ownTitle)
        podcast.title = try values.decodeIfPresent(String.self, forKey: .title)
        podcast.guid = try values.decodeIfPresent(String.self, forKey: .podcastGUID)
        podcast.folder = try values.decodeIfPresent([String].self, forKey: .folder) ?? []
        podcast.subscribed = try values.decodeIfPresent(ExportedTime.self, forKey: .subscribed)?.time
        podcast.formerAddresses = try values.decodeIfPresent([String].self, forKey: .formerAddresses) ?? []
        podcast.needsPassword = try values.decodeIfPresent(Bool.self, forKey: .hasPassword) ?? false
        podcast.settings = try settings(values)
        podcast.listening = try listening(values)
        return podcast
    }

    private static func episode(_ values: KeyedDecodingContainer<Key>) throws -> LibraryCopy.Episode {
        var episode = LibraryCopy.Episode(feedURL: try values.decode(String.self, forKey: .feedURL))
        episode.guid = try values.decodeIfPresent(String.self, forKey: .guid)
        episode.enclosureURL = try values.decodeIfPresent(String.self, forKey: .enclosureURL)
        episode.title = try values.decodeIfPresent(String.self, forKey: .title)
        episode.published = try values.decodeIfPresent(ExportedTime.self, forKey: .published)?.time
        episode.position = try values.decodeIfPresent(ExportedSeconds.self, forKey: .position)?.duration ?? .zero
        episode.anchor = try values.decodeIfPresent(ExportedAnchor.self, forKey: .anchor)?.anchor
        episode.version = try values.decodeIfPresent(String.self, forKey: .version)
        episode.duration = try values.decodeIfPresent(ExportedSeconds.self, forKey: .duration)?.duration
        episode.played = try values.decodeIfPresent(ExportedTime.self, forKey: .played)?.time
        episode.finished = try values.decodeIfPresent(ExportedTime.self, forKey: .finished)?.time
        episode.marked = try values.decodeIfPresent(ExportedTime.self, forKey: .marked)?.time
        episode.listened =
            try values.decodeIfPresent([ExportedRange].self, forKey: .listened)?
            .compactMap(\.range) ?? []
        episode.bookmarks =
            try values.decodeIfPresent([ExportedBookmark].self, forKey: .bookmarks)?
            .map(\.bookmark) ?? []
        episode.transcriptShifts = try transcriptShifts(values)
        episode.queuePlace = try values.decodeIfPresent(Int.self, forKey: .queuePlace)
        episode.merged = LibraryCopy.MergedIdentifiers(
            guids: try digests(.mergedGUIDs, values), enclosures: try digests(.mergedEnclosures, values))
        return episode
    }

    private static func digests(_ key: Key, _ values: KeyedDecodingContainer<Key>) throws -> [Int64] {
        try values.decodeIfPresent([ExportedDigest].self, forKey: key)?.map(\.value) ?? []
    }

    private static func transcriptShifts(_ values: KeyedDecodingContainer<Key>) throws -> TranscriptShifts {
        let first = try values.decodeIfPresent(ExportedShift.self, forKey: .transcriptShift)?.duration ?? .zero
        let later = try values.decodeIfPresent([ExportedStep].self, forKey: .laterShifts) ?? []
        return TranscriptShifts([.init(start: .zero, shift: first)] + later.map(\.step))
    }

    private static func smartQueue(_ values: KeyedDecodingContainer<Key>) throws -> LibraryCopy.SmartQueue {
        let most = try values.decode(Int.self, forKey: .most)
        guard SmartQueue.limits.contains(most) else { throw outOfRange(most, .most, values) }
        return LibraryCopy.SmartQueue(
            name: try values.decode(String.self, forKey: .name),
            feedURL: try values.decodeIfPresent(String.self, forKey: .feedURL),
            group: try values.decodeIfPresent(String.self, forKey: .group),
            newestFirst: try values.decode(Bool.self, forKey: .newestFirst), most: most)
    }
}
