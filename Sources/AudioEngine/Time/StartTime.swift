// SPDX-License-Identifier: GPL-3.0-or-later

/// When something is to begin.
public enum StartTime: Sendable, Hashable, BitwiseCopyable {
    /// With the first frame of the slice rendered next.
    case nextRender
    /// With this frame of the graph's timeline.
    case sampleTime(Int64)
    /// At this moment. It is converted to a frame once, by the first slice that is rendered after it was given.
    case hostTime(HostTime)
}

extension StartTime {
    /// The rendering thread, in a slice: the frame it means to who learns of it now.
    /// - Parameters:
    ///   - clock: without one a moment is the next frame; who takes orders refuses it before.
    ///   - next: the frame that is rendered next.
    func frame(by clock: GraphClock?, next: Int64) -> Int64 {
        if let clock { return clock.sampleTime(of: self, next: next) }
        if case .sampleTime(let frame) = self { return frame }
        return next
    }
}
