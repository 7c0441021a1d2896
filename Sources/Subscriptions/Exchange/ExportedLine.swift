// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import FoundationEssentials
import Media

/// One line of the output of `earshot export --json` (see docs/json-library.md).
enum ExportedLine {
    case library(Header)
    case podcast(LibraryCopy.Podcast)
    case episode(LibraryCopy.Episode)
    /// A kind of line that a later version of this program wrote.
    case other

    struct Header {
        let version: Int
        /// The number of lines of each kind that follow; `nil` in files of an earlier version of this program.
        let podcasts: Int?
        let episodes: Int?
        let settings: [LibraryCopy.Setting]
    }
}

extension ExportedLine: Decodable {
    private enum Key: String, CodingKey {
        case kind, version, podcasts, episodes, settings, settingsChanged
        case feedURL, title, ownTitle, podcastGUID, folder, subscribed, formerAddresses, hasPassword
        case guid, enclosureURL, published, position, duration, played, finished, marked, listened, bookmarks
        case queuePlace
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        switch try values.decode(String.self, forKey: .kind) {
        case "library": self = .library(try Self.header(values))
        case "podcast": self = .podcast(try Self.podcast(values))
        case "episode": self = .episode(try Self.episode(values))
        default: self = .other
        }
    }

    private static func header(_ values: KeyedDecodingContainer<Key>) throws -> Header {
        Header(
            version: try values.decode(Int.self, forKey: .version),
            podcasts: try values.decodeIfPresent(Int.self, forKey: .podcasts),
            episodes: try values.decodeIfPresent(Int.self, forKey: .episodes), settings: try settings(values))
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
        return podcast
    }

    private static func episode(_ values: KeyedDecodingContainer<Key>) throws -> LibraryCopy.Episode {
        var episode = LibraryCopy.Episode(feedURL: try values.decode(String.self, forKey: .feedURL))
        episode.guid = try values.decodeIfPresent(String.self, forKey: .guid)
        episode.enclosureURL = try values.decodeIfPresent(String.self, forKey: .enclosureURL)
        episode.title = try values.decodeIfPresent(String.self, forKey: .title)
        episode.published = try values.decodeIfPresent(ExportedTime.self, forKey: .published)?.time
        episode.position = try values.decodeIfPresent(ExportedSeconds.self, forKey: .position)?.duration ?? .zero
        episode.version = try values.decodeIfPresent(String.self, forKey: .version)
        episode.duration = try values.decodeIfPresent(ExportedSeconds.self, forKey: .duration)?.duration
        episode.played = try values.decodeIfPresent(ExportedTime.self, forKey: .played)?.time
        episode.finished = try values.decodeIfPresent(ExportedTime.self, forKey: .finished)?.time
        episode.marked = try values.decodeIfPresent(ExportedTime.self, forKey: .marked)?.time
        episode.listened = try values.decodeIfPresent([ExportedRange].self, forKey: .listened)?
            .compactMap(\.range) ?? []
        episode.bookmarks = try values.decodeIfPresent([ExportedBookmark].self, forKey: .bookmarks)?
            .map(\.bookmark) ?? []
        episode.queuePlace = try values.decodeIfPresent(Int.self, forKey: .queuePlace)
        return episode
    }
}

private struct ExportedTime: Decodable {
    let time: UTCTime

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let time = UTCTime(iso8601: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a time")
        }
        self.time = time
    }
}

private struct ExportedSeconds: Decodable {
    let duration: Duration
    /// About thirty years, in seconds.
    private static let most = 1e9

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Double.self)
        guard seconds >= 0, seconds <= Self.most else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(seconds) is out of range")
        }
        duration = .microseconds(Int64((seconds * 1e6).rounded()))
    }
}

private struct ExportedRange: Decodable {
    /// The range; `nil` if it is empty.
    let range: Range<Duration>?

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let first = try container.decode(ExportedSeconds.self).duration
        let last = try container.decode(ExportedSeconds.self).duration
        range = first < last ? first..<last : nil
    }
}

private struct ExportedBookmark: Decodable {
    let bookmark: LibraryCopy.Bookmark

    private enum Key: String, CodingKey { case position, version, title, made }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        bookmark = LibraryCopy.Bookmark(
            position: try values.decode(ExportedSeconds.self, forKey: .position).duration,
            version: try values.decodeIfPresent(String.self, forKey: .version),
            title: try values.decodeIfPresent(String.self, forKey: .title),
            made: try values.decode(ExportedTime.self, forKey: .made).time)
    }
}
