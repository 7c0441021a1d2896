// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The spoken words of an episode, with times if the publisher gave them.
///
/// Either all cues have a time, in ascending order of their starts, or none has.
public struct Transcript: Sendable, Equatable {
    /// A line of a transcript: usually a part of a sentence, sometimes all that one speaker says.
    public struct Cue: Sendable, Equatable {
        /// The time from the beginning of the episode; `nil` if the document has no times. It is empty if the end is
        /// unknown.
        public var time: Range<Duration>?
        public var speaker: String?
        /// Plain text without line breaks.
        public var text: String

        public init(time: Range<Duration>? = nil, speaker: String? = nil, text: String) {
            (self.time, self.speaker, self.text) = (time, speaker, text)
        }

        public var start: Duration? { time?.lowerBound }
        public var end: Duration? { time?.upperBound }
    }

    public let cues: [Cue]
    /// The language tag (BCP 47); `nil` if it is unknown.
    public let language: String?

    /// Creates a transcript and arranges the cues: a missing time becomes the end of the cue before, and a missing end
    /// becomes the next start.
    public init(cues: [Cue], language: String? = nil) {
        self.cues = Self.arranged(cues)
        self.language = language
    }

    public var isTimed: Bool { cues.first?.time != nil }
}

extension Transcript {
    /// The most cues before the latest one that are examined for a longer cue that overlaps it.
    private static let mostOverlapping = 8

    /// Returns the cue that is spoken at a time.
    public func cue(at time: Duration) -> Cue? { index(at: time).map { cues[$0] } }

    /// Returns the index of the cue that is spoken at a time; the one that started last if cues overlap.
    public func index(at time: Duration) -> Int? {
        let end = started(by: time)
        return (max(0, end - Self.mostOverlapping)..<end).last { lasts($0, beyond: time) }
    }

    /// Returns the number of cues that have started by a time; 0 if the transcript has no times.
    package func started(by time: Duration) -> Int {
        cues.partitioningIndex { $0.start.map { $0 > time } ?? true }
    }

    private func lasts(_ index: Int, beyond time: Duration) -> Bool {
        cues[index].time.map { $0.isEmpty || $0.upperBound > time } ?? false
    }

    private static func arranged(_ cues: [Cue]) -> [Cue] {
        guard cues.contains(where: { $0.time != nil }) else { return cues }
        var cues = cues
        var end = Duration.zero
        for index in cues.indices {
            let time = cues[index].time ?? end..<end
            cues[index].time = time
            end = time.upperBound
        }
        cues.sort { ($0.start ?? .zero) < ($1.start ?? .zero) }
        completeEnds(&cues)
        return cues
    }

    /// Ends each empty cue at the next later start.
    private static func completeEnds(_ cues: inout [Cue]) {
        var (start, next): (Duration?, Duration?) = (nil, nil)
        for index in cues.indices.reversed() {
            guard let time = cues[index].time else { continue }
            if start.map({ $0 > time.lowerBound }) ?? false { next = start }
            start = time.lowerBound
            if time.isEmpty, let next { cues[index].time = time.lowerBound..<next }
        }
    }
}
