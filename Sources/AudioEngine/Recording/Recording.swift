// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles

/// The result of a recording: every pushed frame was either written or dropped.
public struct Recording: Sendable, Equatable {
    /// The number of frames in the file.
    public let framesWritten: Int64
    /// The number of frames missing from the file because they did not fit or the file could not be written.
    public let framesDropped: Int64
    /// The gaps in the file, in order.
    public let gaps: [RecordingGap]
    /// The error that prevented further writing, or closing the file.
    public let error: AudioFileError?
}

/// A gap in a recording, where frames are missing.
public struct RecordingGap: Sendable, Equatable, BitwiseCopyable {
    /// The frame of the file before which the frames are missing.
    public let frame: Int64
    public let count: Int64

    @_noLocks @_noAllocation
    init(frame: Int64, count: Int64) {
        self.frame = frame
        self.count = count
    }
}
