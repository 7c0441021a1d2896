// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles

/// Where a `StreamingSource` is: a snapshot for whoever shows it.
public struct StreamingStatus: Sendable, Equatable {
    /// The boundary between two frames of the file at which what was rendered ends: forward, this frame is rendered
    /// next; backward, the one before it.
    public let frame: Int64
    public let direction: PlayDirection
    /// 1 is the file's own.
    public let rate: Double
    public let isPlaying: Bool
    /// Nothing follows: the file's end was rendered, or the start, backward, or the last pass of a loop that stops.
    public let hasFinished: Bool
    /// Why nothing follows what was rendered, where the file could not be read.
    public let failure: AudioFileError?
    public let loop: StreamLoop?
    /// How often the present loop, or the last one, was gone back over: one less than it was begun.
    public let repeats: Int
    /// The length of the file, as far as it is known.
    public let length: AudioFileLength
    /// Frames that were asked for while playing and were not there.
    public let starvedFrames: Int
}

/// What a `StreamingSource` tells, when it is rendered.
public enum StreamingEvent: Sendable, Equatable {
    /// A loop was gone back over.
    /// - Parameter count: how often since the source was made; several at once are told once.
    case wrapped(count: Int)
    /// All that has arrived of a growing file was rendered; it goes on by itself.
    /// - Parameter frame: the first one that is missing.
    case reachedEdge(frame: Int64)
    /// This many frames more were asked for than were there: the disk is too slow.
    case starved(frames: Int)
    /// The last frame was rendered. After a seek, a turn or with a new loop it goes on; an order that leads nowhere
    /// else has it told again.
    case finished
    /// What follows cannot be read. A seek tries again.
    case failed(AudioFileError)
}
