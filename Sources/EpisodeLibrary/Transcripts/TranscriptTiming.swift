// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// The agreement between the times of a transcript and the audio.
public enum TranscriptTiming: String, Sendable {
    /// The transcript has no times.
    case none
    /// Nothing shows that the times belong to another version of the audio. They may still be inexact.
    case unverified
    /// The audio differs from the version for which the transcript was made, for example by advertisements.
    case approximate
}

/// The known properties of a version of the audio.
public struct AudioVersion: Sendable, Equatable {
    /// The counted or declared duration.
    public var duration: Duration?
    /// The length of the file in bytes.
    public var length: Int64?

    public init(duration: Duration? = nil, length: Int64? = nil) {
        (self.duration, self.length) = (duration, length)
    }

    /// The name of the version whose file has this many bytes, as positions and bookmarks have it.
    public static func name(length: Int64) -> String { "\(length) bytes" }
}

/// The evidence that the times of a transcript belong to another version of the audio. Pure.
struct TranscriptEvidence: Sendable, Equatable {
    /// The length of the version to which the times belong; `nil` if it is unknown.
    var ownLength: Int64?
    /// The audio that the feed describes.
    var claimed = AudioVersion()
    /// The audio that was downloaded or played last.
    var known = AudioVersion()

    /// The tolerance for a last cue that starts after the end of the audio.
    private static let endTolerance = Duration.seconds(2)
    /// The shortest advertisement lasts longer; many feeds round durations, but few by so much.
    private static let durationTolerance = Duration.seconds(10)

    /// - Parameter lastStart: the start of the last cue; `nil` if the transcript has no times.
    func timing(in audio: AudioVersion, lastStart: Duration?) -> TranscriptTiming {
        guard let lastStart else { return .none }
        if let ownLength, let length = audio.length { return ownLength == length ? .unverified : .approximate }
        if let duration = audio.duration, lastStart > duration + Self.endTolerance { return .approximate }
        if let claimed = claimed.length, claimed == audio.length { return .unverified }
        guard let claimed = claimed.duration, claimed > .zero, let duration = audio.duration else { return .unverified }
        let difference = claimed > duration ? claimed - duration : duration - claimed
        // A greater difference is a mistake in the feed, such as minutes written as seconds.
        return difference >= Self.durationTolerance && difference <= duration / 2 ? .approximate : .unverified
    }
}

extension TranscriptEvidence {
    /// - Parameter version: the version to which the times belong, such as `1000 bytes`.
    static func fetch(_ episode: Int64, version: String?, _ db: Database) throws -> TranscriptEvidence {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT episode.duration, enclosure_length, playback.duration, playback.version, download.total
                    FROM episode LEFT JOIN playback ON playback.episode = id
                    LEFT JOIN download ON download.episode = id AND download.state = 'complete'
                    WHERE id = ?
                    """), arguments: [episode])
        guard let row else { return TranscriptEvidence(ownLength: length(of: version)) }
        let duration = { (microseconds: Int64?) in microseconds.map { Duration.microseconds($0) } }
        let played = length(of: try row[3])
        let total: Int64? = try row[4]
        // The duration belongs to the version that was played.
        let isPlayed = total == nil || played == nil || total == played
        return TranscriptEvidence(
            ownLength: length(of: version),
            claimed: AudioVersion(duration: duration(try row[0]), length: try row[1]),
            known: AudioVersion(duration: isPlayed ? duration(try row[2]) : nil, length: total ?? played))
    }

    private static func length(of version: String?) -> Int64? {
        version.flatMap { Int64($0.prefix { $0 != " " }) }
    }
}
