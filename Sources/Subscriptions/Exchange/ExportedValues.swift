// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import FoundationEssentials
import Media

// The values in the lines of `earshot export --json`.

struct ExportedTime: Decodable {
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

struct ExportedSeconds: Decodable {
    let duration: Duration
    /// About thirty years, in seconds.
    fileprivate static let most = 1e9

    init(from decoder: any Decoder) throws { duration = try Self.duration(decoder, in: 0...Self.most) }

    /// - Parameter range: the possible numbers of seconds.
    fileprivate static func duration(_ decoder: any Decoder, in range: ClosedRange<Double>) throws -> Duration {
        let container = try decoder.singleValueContainer()
        let seconds = try container.decode(Double.self)
        guard range.contains(seconds) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(seconds) is out of range")
        }
        return .microseconds(Int64((seconds * 1e6).rounded()))
    }
}

/// A time to add, which may be negative.
struct ExportedShift: Decodable {
    let duration: Duration

    init(from decoder: any Decoder) throws {
        duration = try ExportedSeconds.duration(decoder, in: -ExportedSeconds.most...ExportedSeconds.most)
    }
}

/// A correction of a transcript from a time of the document on.
struct ExportedStep: Decodable {
    let step: TranscriptShifts.Step

    private enum Key: String, CodingKey { case start, shift }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        step = TranscriptShifts.Step(
            start: try values.decode(ExportedSeconds.self, forKey: .start).duration,
            shift: try values.decode(ExportedShift.self, forKey: .shift).duration)
    }
}

struct ExportedListening: Decodable {
    let listening: LibraryCopy.Listening

    private enum Key: String, CodingKey { case day, heard, took, savedByPauses }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let text = try values.decode(String.self, forKey: .day)
        guard let day = ListeningDay(text) else {
            throw DecodingError.dataCorruptedError(
                forKey: .day, in: values, debugDescription: "\"\(text)\" is not a date")
        }
        listening = LibraryCopy.Listening(
            day: day,
            time: ListeningTime(
                heard: try values.decode(ExportedSeconds.self, forKey: .heard).duration,
                wall: try values.decode(ExportedSeconds.self, forKey: .took).duration,
                trimmed: try values.decode(ExportedSeconds.self, forKey: .savedByPauses).duration))
    }
}

struct ExportedRange: Decodable {
    /// The range; `nil` if it is empty.
    let range: Range<Duration>?

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        let first = try container.decode(ExportedSeconds.self).duration
        let last = try container.decode(ExportedSeconds.self).duration
        range = first < last ? first..<last : nil
    }
}

/// The digest of an identifier, in hexadecimal digits.
struct ExportedDigest: Decodable {
    let value: Int64

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let bits = UInt64(text, radix: 16) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a digest")
        }
        value = Int64(bitPattern: bits)
    }
}

/// The packet from which an estimated position counts.
struct ExportedAnchor: Decodable {
    let anchor: TimeAnchor

    private enum Key: String, CodingKey { case offset, time, length }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        anchor = TimeAnchor(
            offset: try values.decode(Int64.self, forKey: .offset),
            time: try values.decode(ExportedSeconds.self, forKey: .time).duration,
            totalLength: try values.decode(Int64.self, forKey: .length))
    }
}

struct ExportedBookmark: Decodable {
    let bookmark: LibraryCopy.Bookmark

    private enum Key: String, CodingKey { case position, anchor, version, title, made }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        bookmark = LibraryCopy.Bookmark(
            position: try values.decode(ExportedSeconds.self, forKey: .position).duration,
            from: try values.decodeIfPresent(ExportedAnchor.self, forKey: .anchor)?.anchor,
            version: try values.decodeIfPresent(String.self, forKey: .version),
            title: try values.decodeIfPresent(String.self, forKey: .title),
            made: try values.decode(ExportedTime.self, forKey: .made).time)
    }
}
