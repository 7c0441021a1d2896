// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles

/// What became of a recording: every frame pushed was either written or dropped.
public struct Recording: Sendable, Equatable {
    /// Frames in the file.
    public let framesWritten: Int64
    /// Frames that are not in it, since there was no room for them or the file could not be written.
    public let framesDropped: Int64
    /// Where frames are missing, in the order of the file.
    public let gaps: [RecordingGap]
    /// Why the file could not be written any further, or not be closed.
    public let error: AudioFileError?
}

/// Frames that are missing from a recording.
public struct RecordingGap: Sendable, Equatable, BitwiseCopyable {
    /// The frame of the file before which they are missing.
    public let frame: Int64
    public let count: Int64

    @_noLocks @_noAllocation
    init(frame: Int64, count: Int64) {
        self.frame = frame
        self.count = count
    }
}
