// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine

private let mark = RenderMark()

/// Runs `body` marked as realtime code, so that the watchdog counts forbidden calls in it.
public func watched<Result>(_ body: () -> Result) -> Result {
    mark.enter()
    defer { mark.leave() }
    return body()
}

extension RenderSource {
    /// Renders as a device would, under the watchdog. Tests render with this function.
    public func pull(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        mark.render(self, into: output, frames: frames, at: outputFrame)
    }
}
