// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Podcasts

/// By what an episode can be told from others: digests, the best evidence first.
struct EpisodeEvidence: Sendable, Equatable {
    var guid: Int64?
    /// Whether the feed gives it a GUID; else `guid` is of its address, which a host changes more easily.
    var hasOwnGUID = true
    /// Of `EnclosureIdentity`.
    var enclosure: Int64?
    /// Of the title's letters and digits.
    var title: Int64?
    /// Seconds since 1970.
    var published: Int64?
    /// Microseconds.
    var duration: Int64?
    /// Of all that the feed says of it: an entry with the same is the same entry.
    var content: Int64?

    var isGUIDAlone: Bool { enclosure == nil && title == nil && published == nil && duration == nil }
}

extension EpisodeEvidence {
    init(_ episode: ParsedEpisode) {
        guid = ContentDigest.of(episode.id.rawValue)
        hasOwnGUID = episode.guid != nil
        enclosure = ContentDigest.of(
            episode.enclosures.first(where: \.isPlayable).flatMap { EnclosureIdentity.text($0.url) })
        title = ContentDigest.of(episode.title.map(Self.folded))
        published = episode.published?.secondsSince1970
        duration = episode.duration?.microseconds
    }

    /// Case, punctuation and blanks are what publishers mend later.
    static func folded(_ title: String) -> String {
        var title = title
        let ascii = title.withUTF8 { bytes -> [UInt8]? in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
            return bytes.compactMap { byte in
                switch byte {
                case 0x41...0x5A: byte | 0x20
                case 0x30...0x39, 0x61...0x7A: byte
                default: nil
                }
            }
        }
        return ascii.map { String(decoding: $0, as: UTF8.self) } ?? foldedScalars(title)
    }

    private static func foldedScalars(_ title: String) -> String {
        String(String.UnicodeScalarView(title.lowercased().unicodeScalars.filter(\.properties.isAlphabeticOrDigit)))
    }

    /// Less than a day: a daily show keeps to its hour.
    static let longestCorrection: Int64 = 86_400 - 1
    private static let microsecondsBetween: Int64 = 600_000_000

    /// Of the title and the date; a title alone is not evidence: shows have an episode called "News" every hour.
    var titleAndDate: Int64? {
        guard let title, let published else { return nil }
        var digest = ContentDigest()
        digest.add(title)
        digest.add(published)
        return digest.value
    }

    /// The same title, dates no further apart than `tolerance` seconds, and lengths within ten minutes of each other,
    /// where both are known.
    func resembles(_ other: EpisodeEvidence, within tolerance: Int64) -> Bool {
        guard let title, title == other.title, let published, let date = other.published,
            Self.distance(published, date) <= tolerance
        else { return false }
        guard let duration, let length = other.duration else { return true }
        return Self.distance(duration, length) <= Self.microsecondsBetween
    }

    /// Another GUID, and a date further away than `tolerance` seconds.
    func isAnotherIssue(than other: EpisodeEvidence, beyond tolerance: Int64) -> Bool {
        guard let guid, let name = other.guid, guid != name, let published, let date = other.published else {
            return false
        }
        return Self.distance(published, date) > (hasOwnGUID ? tolerance : Self.longestCorrection)
    }

    private static func distance(_ one: Int64, _ other: Int64) -> UInt64 {
        one < other ? UInt64(bitPattern: other &- one) : UInt64(bitPattern: one &- other)
    }

    /// Another audio and another title: a GUID that several have says nothing against that.
    func contradicts(_ other: EpisodeEvidence) -> Bool {
        guard let enclosure, let audio = other.enclosure, let title, let name = other.title else { return false }
        return enclosure != audio && title != name
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isAlphabeticOrDigit: Bool { isAlphabetic || numericType != nil }
}

extension Duration {
    /// Rounded towards zero; the nearest there is where it is out of range.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !whole.overflow else { return seconds < 0 ? .min : .max }
        return whole.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000_000).partialValue
    }
}
