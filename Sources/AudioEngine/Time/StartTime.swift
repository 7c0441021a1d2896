// SPDX-License-Identifier: GPL-3.0-or-later

/// When something is to begin.
public enum StartTime: Sendable, Hashable, BitwiseCopyable {
    /// With the first frame of the slice rendered next.
    case nextRender
    /// With this frame of the graph's timeline.
    case sampleTime(Int64)
    /// At this moment, converted to a frame once, when it is given.
    case hostTime(HostTime)
}
