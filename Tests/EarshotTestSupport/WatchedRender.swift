// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine

private let mark = RenderMark()

/// Does what a realtime thread does, so that the watchdog counts what must not happen in it.
public func watched<Result>(_ body: () -> Result) -> Result {
    mark.enter()
    defer { mark.leave() }
    return body()
}

extension RenderSource {
    /// Renders as a device would, watched. Tests pull by this one.
    public func pull(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        mark.render(self, into: output, frames: frames, at: outputFrame)
    }
}
