// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles

/// A snapshot of the state of a `StreamingSource`, for display.
public struct StreamingStatus: Sendable, Equatable {
    /// The boundary between two frames of the file at which the rendered frames end: forward, this frame is rendered
    /// next; backward, the frame before it.
    public let frame: Int64
    public let direction: PlayDirection
    /// The rate; 1 is the file's.
    public let rate: Double
    public let isPlaying: Bool
    /// True if no frames follow: the end of the file was rendered, or backward its start, or the last pass of a loop
    /// that stops.
    public let hasFinished: Bool
    /// The error that prevents further playback, if the file could not be read.
    public let failure: AudioFileError?
    public let loop: StreamLoop?
    /// The number of times that playback jumped back over the present loop, or the last one: one less than the number
    /// of passes begun.
    public let repeats: Int
    /// The length of the file: exact, estimated or unknown.
    public let length: AudioFileLength
    /// The number of frames that were requested during playback and were not available.
    public let starvedFrames: Int
}

/// An event of a `StreamingSource`, delivered when rendering has reached it.
public enum StreamingEvent: Sendable, Equatable {
    /// Playback jumped back over a loop.
    /// - Parameter count: the number of jumps since the source was created; several jumps are reported together.
    case wrapped(count: Int)
    /// All available frames of a growing file were rendered; playback resumes when more arrive.
    /// - Parameter frame: the first missing frame.
    case reachedEdge(frame: Int64)
    /// This many more requested frames were not available, because the disk is too slow.
    case starved(frames: Int)
    /// The last frame was rendered. A seek, a change of direction or a new loop continues playback; an order that
    /// leads to no further frames repeats the event.
    case finished
    /// The next frames cannot be read. A seek retries.
    case failed(AudioFileError)
}
