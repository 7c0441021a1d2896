// SPDX-License-Identifier: GPL-3.0-or-later

/// When a scheduled action is performed.
public struct ScheduledMoment: Sendable, Hashable, BitwiseCopyable {
    /// The slice that contains the frame it was scheduled at.
    public let slice: AudioTimeStamp
    /// PCM frames of that slice.
    public let frames: Int
    /// The frame of the slice it is due at, `0..<frames`; 0 where it is late.
    public let offset: Int
    /// The frame it was scheduled at; a moment was converted to it.
    public let sampleTime: Int64

    /// The slice that contains its frame was rendered before anybody knew of it.
    public var isLate: Bool { sampleTime < slice.sampleTime }
}
