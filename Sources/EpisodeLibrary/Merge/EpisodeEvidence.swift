// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Podcasts

/// By what an episode can be told from others: digests, the best evidence first. Packed, for the merge of a feed of
/// many thousand episodes holds two of them for each.
struct EpisodeEvidence: Sendable, Equatable {
    private var values: (Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0)
    /// A bit for each of the values that is there.
    private var present: UInt8 = 0
    /// Whether the feed gives it a GUID; else `guid` is of its address, which a host changes more easily.
    var hasOwnGUID = true

    init(
        guid: Int64? = nil, hasOwnGUID: Bool = true, enclosure: Int64? = nil, title: Int64? = nil,
        published: Int64? = nil, duration: Int64? = nil, content: Int64? = nil
    ) {
        (self.guid, self.hasOwnGUID, self.enclosure, self.title) = (guid, hasOwnGUID, enclosure, title)
        (self.published, self.duration, self.content) = (published, duration, content)
    }

    static func == (left: EpisodeEvidence, right: EpisodeEvidence) -> Bool {
        left.values == right.values && left.present == right.present && left.hasOwnGUID == right.hasOwnGUID
    }

    private func value(_ stored: Int64, _ place: Int) -> Int64? {
        let bit: UInt8 = 1 << place
        return present & bit == 0 ? nil : stored
    }

    /// - Returns: what is stored for it.
    private mutating func note(_ value: Int64?, _ place: Int) -> Int64 {
        let bit: UInt8 = 1 << place
        present = value == nil ? present & ~bit : present | bit
        return value ?? 0
    }

    var guid: Int64? {
        get { value(values.0, 0) }
        set { values.0 = note(newValue, 0) }
    }
    /// Of `EnclosureIdentity`.
    var enclosure: Int64? {
        get { value(values.1, 1) }
        set { values.1 = note(newValue, 1) }
    }
    /// Of the title's letters and digits.
    var title: Int64? {
        get { value(values.2, 2) }
        set { values.2 = note(newValue, 2) }
    }
    /// Seconds since 1970.
    var published: Int64? {
        get { value(values.3, 3) }
        set { values.3 = note(newValue, 3) }
    }
    /// Microseconds.
    var duration: Int64? {
        get { value(values.4, 4) }
        set { values.4 = note(newValue, 4) }
    }
    /// Of all that the feed says of it: an entry with the same is the same entry.
    var content: Int64? {
        get { value(values.5, 5) }
        set { values.5 = note(newValue, 5) }
    }

    var isGUIDAlone: Bool { enclosure == nil && title == nil && published == nil && duration == nil }
}

extension EpisodeEvidence {
    init(_ episode: ParsedEpisode) {
        self.init()
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
