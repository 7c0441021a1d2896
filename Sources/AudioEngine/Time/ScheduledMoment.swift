// SPDX-License-Identifier: GPL-3.0-or-later

/// The time at which a scheduled action is performed.
public struct ScheduledMoment: Sendable, Hashable, BitwiseCopyable {
    /// The slice before which the action is performed. It contains the scheduled frame, unless the action is late.
    public let slice: AudioTimeStamp
    /// The number of PCM frames in that slice.
    public let frames: Int
    /// The frame of the slice at which the action is due, `0..<frames`; 0 if it is late.
    public let offset: Int
    /// The frame at which the action was scheduled; a moment was converted to a frame.
    public let sampleTime: Int64

    /// True if the slice that contains the scheduled frame was rendered before the realtime thread received the
    /// action.
    public var isLate: Bool { sampleTime < slice.sampleTime }
}
