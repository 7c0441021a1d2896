// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds

/// One cue of a stored transcript.
public struct TranscriptLine: Sendable, Equatable {
    /// The time in the audio; `nil` if the transcript has no times. After a shift, it may begin before the audio.
    public let time: Range<Duration>?
    public let speaker: String?
    public let text: String

    public init(time: Range<Duration>?, speaker: String? = nil, text: String) {
        (self.time, self.speaker, self.text) = (time, speaker, text)
    }

    init(_ cue: Transcript.Cue) { self.init(time: cue.time, speaker: cue.speaker, text: cue.text) }
}

extension StoredTranscript {
    /// The cues in the order of their starts.
    public var cues: [TranscriptLine] { transcript.cues.map(TranscriptLine.init) }

    public var isTimed: Bool { transcript.isTimed }
    /// The language tag (BCP 47); `nil` if it is unknown.
    public var language: String? { transcript.language }

    /// Returns the transcript with the times of another version of the audio.
    /// - Parameter moved: returns a time of this version in the other one; never descends.
    public func moved(_ moved: (Duration) -> Duration) -> StoredTranscript {
        var other = self
        let cues = transcript.cues.map { cue in
            var cue = cue
            cue.time = cue.time.map { moved($0.lowerBound)..<max(moved($0.lowerBound), moved($0.upperBound)) }
            return cue
        }
        other.transcript = Transcript(cues: cues, language: transcript.language)
        return other
    }

    /// Returns the part of the transcript from a time on; all of it if it has no times.
    public func from(_ time: Duration) -> StoredTranscript {
        var part = self
        part.transcript = Transcript(
            cues: transcript.cues.filter { $0.end.map { $0 > time } ?? true }, language: transcript.language)
        return part
    }
}

/// Finds the cues that playback reaches. Pure.
public struct TranscriptFollower: Sendable {
    /// The greatest difference between two positions of the same moment: each is an estimate from the device's buffer.
    private static let jitter = Duration.milliseconds(100)

    private let transcript: Transcript
    /// The last position; `nil` before the first one and after a jump.
    private var last: Duration?
    /// The cue returned after the last jump, until playback continues; a jump may be noticed before it is announced.
    private var jumpedTo: Int?

    public init(_ stored: StoredTranscript) { transcript = stored.transcript }

    /// Announces that the next position does not continue the last one.
    public mutating func jump() { last = nil }

    /// Returns the cues that started since the last position, or the cue that is spoken at the position after a jump.
    /// - Parameter step: the longest step that playback can make; a longer one is a jump.
    public mutating func advance(to position: Duration, atMost step: Duration) -> [TranscriptLine] {
        if let last, position < last, last - position < Self.jitter { return [] }
        defer { last = position }
        guard let last, position >= last, position - last <= step else { return current(at: position) }
        if position > last { jumpedTo = nil }
        let started = transcript.started(by: last)..<transcript.started(by: position)
        return started.map { TranscriptLine(transcript.cues[$0]) }
    }

    /// Returns the start of the first cue after a position; `nil` if none follows.
    public func nextStart(after position: Duration) -> Duration? {
        transcript.cues.dropFirst(transcript.started(by: position)).first?.start
    }

    /// Returns the cues that started between the last position and the end of the played part.
    /// - Parameter step: the longest step that playback can make; after a longer one, nothing is returned.
    public mutating func finish(at end: Duration, atMost step: Duration) -> [TranscriptLine] {
        defer { jump() }
        guard let last, end > last, end - last <= step else { return [] }
        let start = transcript.started(by: last)
        let count = transcript.started(by: end - .nanoseconds(1))
        return (start..<max(start, count)).map { TranscriptLine(transcript.cues[$0]) }
    }

    private mutating func current(at position: Duration) -> [TranscriptLine] {
        let index = transcript.index(at: position)
        defer { jumpedTo = index }
        return index.flatMap { $0 == jumpedTo ? nil : [TranscriptLine(transcript.cues[$0])] } ?? []
    }
}
