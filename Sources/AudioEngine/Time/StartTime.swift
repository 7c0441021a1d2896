// SPDX-License-Identifier: GPL-3.0-or-later

/// A time at which an action, a change or playback begins.
public enum StartTime: Sendable, Hashable, BitwiseCopyable {
    /// The first frame of the slice rendered next.
    case nextRender
    /// A frame of the graph's timeline.
    case sampleTime(Int64)
    /// A moment. It is converted to a frame once, by the first slice rendered after it was given.
    case hostTime(HostTime)
}

extension StartTime {
    /// Returns the frame that the time denotes if it becomes known in the current slice. Called on the rendering
    /// thread.
    /// - Parameters:
    ///   - clock: without a clock, a moment denotes the next frame; objects that accept orders reject that case
    ///     earlier.
    ///   - next: the frame that is rendered next.
    func frame(by clock: GraphClock?, next: Int64) -> Int64 {
        if let clock { return clock.sampleTime(of: self, next: next) }
        if case .sampleTime(let frame) = self { return frame }
        return next
    }
}

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
