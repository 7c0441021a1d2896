// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Media

/// The digests that identify an episode, the best evidence first. Packed, because the merge of a feed with many
/// thousand episodes holds two of them for each.
struct EpisodeEvidence: Sendable, Equatable {
    private var values: (Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0)
    /// A bit for each value that is present.
    private var present: UInt8 = 0
    /// True if the feed gives the episode a GUID; otherwise `guid` is the digest of its address, which a host changes
    /// more easily.
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

    /// Returns the stored value if it is present.
    private func value(_ stored: Int64, _ place: Int) -> Int64? {
        let bit: UInt8 = 1 << place
        return present & bit == 0 ? nil : stored
    }

    /// Records the presence of a value.
    /// - Returns: the number to store.
    private mutating func note(_ value: Int64?, _ place: Int) -> Int64 {
        let bit: UInt8 = 1 << place
        present = value == nil ? present & ~bit : present | bit
        return value ?? 0
    }

    /// The digest of the GUID.
    var guid: Int64? {
        get { value(values.0, 0) }
        set { values.0 = note(newValue, 0) }
    }
    /// The digest of the `EnclosureIdentity`.
    var enclosure: Int64? {
        get { value(values.1, 1) }
        set { values.1 = note(newValue, 1) }
    }
    /// The digest of the title's letters and digits.
    var title: Int64? {
        get { value(values.2, 2) }
        set { values.2 = note(newValue, 2) }
    }
    /// The publication time in seconds since 1970.
    var published: Int64? {
        get { value(values.3, 3) }
        set { values.3 = note(newValue, 3) }
    }
    /// The duration in microseconds.
    var duration: Int64? {
        get { value(values.4, 4) }
        set { values.4 = note(newValue, 4) }
    }
    /// The digest of the entire entry; entries with equal digests are the same entry.
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

    /// Returns the title without case, punctuation and blanks, which publishers often correct later.
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

    /// The largest correction of a date in seconds, less than a day: a daily show keeps its hour.
    static let longestCorrection: Int64 = 86_400 - 1
    private static let microsecondsBetween: Int64 = 600_000_000

    /// The digest of the title and the date. A title alone is not evidence: some shows have an episode named "News"
    /// every hour.
    var titleAndDate: Int64? {
        guard let title, let published else { return nil }
        var digest = ContentDigest()
        digest.add(title)
        digest.add(published)
        return digest.value
    }

    /// The digest of the title, the date and the audio.
    var titleDateAndAudio: Int64? {
        guard let titleAndDate, let enclosure else { return nil }
        var digest = ContentDigest()
        digest.add(titleAndDate)
        digest.add(enclosure)
        return digest.value
    }

    /// True if the titles are equal, the dates differ by at most `tolerance` seconds, and the durations, if both are
    /// known, differ by at most ten minutes.
    func resembles(_ other: EpisodeEvidence, within tolerance: Int64) -> Bool {
        guard distance(to: other, \.title) == 0, let time = distance(to: other, \.published) else { return false }
        return time <= tolerance && distance(to: other, \.duration) ?? 0 <= Self.microsecondsBetween
    }

    /// True if the GUIDs differ and the dates differ by more than `tolerance` seconds, or by more than
    /// `longestCorrection` if the feed gives no GUID.
    func isAnotherIssue(than other: EpisodeEvidence, beyond tolerance: Int64) -> Bool {
        guard differs(from: other, \.guid), let time = distance(to: other, \.published) else { return false }
        return time > (hasOwnGUID ? tolerance : Self.longestCorrection)
    }

    /// True if both audio and title differ, so that a GUID shared by several episodes does not identify the episode.
    func contradicts(_ other: EpisodeEvidence) -> Bool {
        differs(from: other, \.enclosure) && differs(from: other, \.title)
    }

    /// True if both audio and date differ.
    func hasOtherAudioAndDate(than other: EpisodeEvidence) -> Bool {
        differs(from: other, \.enclosure) && differs(from: other, \.published)
    }

    /// True if both title and duration differ.
    func hasOtherTitleAndDuration(than other: EpisodeEvidence) -> Bool {
        differs(from: other, \.title) && differs(from: other, \.duration)
    }

    /// Returns the distance between the values of a field; `nil` if one is missing.
    private func distance(to other: EpisodeEvidence, _ field: (EpisodeEvidence) -> Int64?) -> UInt64? {
        guard let one = field(self), let two = field(other) else { return nil }
        return one < two ? UInt64(bitPattern: two &- one) : UInt64(bitPattern: one &- two)
    }

    /// True if both values of a field are present and differ.
    private func differs(from other: EpisodeEvidence, _ field: (EpisodeEvidence) -> Int64?) -> Bool {
        distance(to: other, field) ?? 0 > 0
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isAlphabeticOrDigit: Bool { isAlphabetic || numericType != nil }
}

extension Duration {
    /// The duration rounded towards zero, clamped to the range of `Int64`.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !whole.overflow else { return seconds < 0 ? .min : .max }
        return whole.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000_000).partialValue
    }
}
