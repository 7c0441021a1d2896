// SPDX-License-Identifier: GPL-3.0-or-later

/// Which way a file is played.
public enum PlayDirection: Sendable, Hashable {
    case forward, backward

    /// Frames by which a place moves with each frame played.
    var sign: Int64 { self == .forward ? 1 : -1 }
}

/// A section of a file that is played again and again.
///
/// Forward, whoever comes to `end`, or is behind it, goes on at `start`; backward the other way round. So a section
/// before which one stands is played into, and one that was passed is gone back to at once.
///
/// ```swift
/// let phrase = try StreamLoop(from: 441_000, to: 529_200, times: 5)
/// try source.setLoop(phrase)
/// ```
public struct StreamLoop: Sendable, Hashable {
    /// What comes when the last pass is over.
    public enum Afterwards: Sendable, Hashable {
        /// What lies behind the section.
        case playOn
        /// Nothing: that is the end. Whoever seeks or turns from there plays the last pass, until another loop, or
        /// none, is set.
        case stop
    }

    /// The first frame of the section.
    public let start: Int64
    /// The frame behind its last one.
    public internal(set) var end: Int64
    /// How often it is played in all; `nil`: for ever.
    public let times: Int?
    /// Over how many frames its end changes into its beginning.
    public let crossfade: Int
    public let afterwards: Afterwards

    /// - Parameters:
    ///   - start: the first frame, 0 or more.
    ///   - end: the frame behind the last, more than `start`. Where it turns out to lie behind the end of the file,
    ///     the file's end is the section's.
    ///   - times: 1 or more.
    ///   - crossfade: 0 or more; no more than the section has is used. Over the last frames of each pass but the final
    ///     one the sound changes, at equal power, to what leads up to the place that is gone on at; a pass is as long
    ///     as without. What leads up to a file's very beginning or end is silence.
    public init(
        from start: Int64, to end: Int64, times: Int? = nil, crossfade: Int = 0, afterwards: Afterwards = .playOn
    ) throws(StreamingError) {
        guard start >= 0, end <= StreamPath.limit else { throw .outsideFile(frame: start < 0 ? start : end) }
        guard start < end else { throw .emptyLoop(from: start, to: end) }
        guard times ?? 1 > 0, crossfade >= 0 else { throw .negativeCount }
        self.start = start
        self.end = end
        self.times = times
        self.crossfade = crossfade
        self.afterwards = afterwards
    }

    var length: Int64 { end - start }

    /// The frames over which it really changes.
    var fadeLength: Int64 { min(Int64(crossfade), length) }

    /// Whether `frame`, a boundary between two frames, is where it is gone back from.
    func isTurn(_ frame: Int64, _ direction: PlayDirection) -> Bool {
        direction == .forward ? frame >= end : frame <= start
    }
}
