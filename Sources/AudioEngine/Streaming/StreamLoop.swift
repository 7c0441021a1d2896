// SPDX-License-Identifier: GPL-3.0-or-later

/// The direction in which a file plays.
public enum PlayDirection: Sendable, Hashable {
    case forward, backward

    /// The change of the position, in frames, with each frame played.
    var sign: Int64 { self == .forward ? 1 : -1 }
}

/// A section of a file that plays repeatedly.
///
/// Forward, playback that reaches `end`, or is past it, continues at `start`; backward, the other way round. So
/// playback enters a section that is ahead, and jumps back immediately into a section that it has passed.
///
/// ```swift
/// let phrase = try StreamLoop(from: 441_000, to: 529_200, times: 5)
/// try source.setLoop(phrase)
/// ```
public struct StreamLoop: Sendable, Hashable {
    /// The behavior after the last pass.
    public enum Completion: Sendable, Hashable {
        /// Playback continues after the section.
        case playOn
        /// Playback ends. A seek or a change of direction from there plays the last pass, until another loop, or
        /// none, is set.
        case stop
    }

    /// The first frame of the section.
    public let start: Int64
    /// The frame after the last one of the section.
    public internal(set) var end: Int64
    /// The total number of passes; `nil` repeats without end.
    public let times: Int?
    /// The number of frames over which the end crossfades into the beginning.
    public let crossfade: Int
    public let afterwards: Completion

    /// - Parameters:
    ///   - start: the first frame, 0 or more.
    ///   - end: the frame after the last one, greater than `start`. If it turns out to be after the end of the file,
    ///     the section ends with the file.
    ///   - times: 1 or more.
    ///   - crossfade: 0 or more, limited to the length of the section. Over the last frames of each pass except the
    ///     final one, the sound crossfades, at equal power, to the frames before the position at which playback
    ///     continues; the pass keeps its length. The frames before the beginning and after the end of a file are
    ///     silent.
    public init(
        from start: Int64, to end: Int64, times: Int? = nil, crossfade: Int = 0, afterwards: Completion = .playOn
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

    /// The number of frames over which the sound actually crossfades.
    var fadeLength: Int64 { min(Int64(crossfade), length) }

    /// Returns true if `frame`, a boundary between two frames, is at or past the point where playback jumps back.
    func isTurn(_ frame: Int64, _ direction: PlayDirection) -> Bool {
        direction == .forward ? frame >= end : frame <= start
    }
}
