// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine

/// Waits for the disk before it renders, so that nothing is missing in a file: for sinks that nobody listens to.
final class PreparedSource: RenderSource {
    private let source: StreamingSource

    init(_ source: StreamingSource) { self.source = source }

    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        _ = source.prime(frames: frames)
        return source.render(into: output, frames: frames, at: outputFrame)
    }
}
