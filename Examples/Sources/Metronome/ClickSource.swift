// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Glibc
import Media

/// A source of clicks, one at a time, from the frame at which each is struck: loudest at its first sample, over after
/// 20 ms.
///
/// Any program can write such a source: it computes its samples, and neither locks, allocates nor waits.
final class ClickSource: RenderSource {
    private struct Strike: BitwiseCopyable {
        let frame: Int64
        let hertz: Double
        let level: Double
    }

    private let format: AudioFormat
    private let length: Int64
    /// Only the rendering thread dereferences it.
    private nonisolated(unsafe) let strike: UnsafeMutablePointer<Strike?>

    init(format: AudioFormat) {
        self.format = format
        length = format.frames(in: .milliseconds(20))
        strike = .allocate(capacity: 1)
        strike.initialize(to: nil)
    }

    deinit { strike.deallocate() }

    /// Strikes a click. Called on the realtime thread, before the slice that contains the frame is rendered.
    func strike(at frame: Int64, isAccented: Bool) {
        strike.pointee = Strike(frame: frame, hertz: isAccented ? 1760 : 880, level: isAccented ? 0.8 : 0.4)
    }

    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        var frame = 0
        while frame < frames {
            let value = sample(at: outputFrame + Int64(frame))
            var channel = 0
            while channel < format.channels {
                output[frame * format.channels + channel] = value
                channel += 1
            }
            frame += 1
        }
        return frames
    }

    private func sample(at frame: Int64) -> Float {
        guard let strike = strike.pointee, frame >= strike.frame, frame - strike.frame < length else { return 0 }
        let time = Double(frame - strike.frame)
        let fade = 1 - time / Double(length)
        return Float(strike.level * fade * fade * cos(2 * .pi * strike.hertz * time / Double(format.sampleRate)))
    }
}
