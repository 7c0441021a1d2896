// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Chimes")
struct ChimesTests {
    /// A ramp that rises by one step per frame and lasts `length` frames.
    private final class Line: RenderSource {
        let length: Int64
        init(length: Int64) { self.length = length }
        func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
            let count = max(0, min(Int64(frames), length - outputFrame))
            // A `while` loop, since "for in" allocates in unoptimised builds, and the watchdog would report that.
            var index = 0
            while index < Int(count) * 2 {
                output[index] = Float(outputFrame + Int64(index / 2)) / 1e6
                index += 1
            }
            return Int(count)
        }
    }

    private static let format = AudioFormat(sampleRate: 8000, channels: 2)

    private func pull(_ source: any RenderSource, _ frames: Int, at frame: Int64) -> [Float] {
        var output = [Float](repeating: 9, count: frames * 2)
        let count = output.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { source.pull(into: $0, frames: frames, at: frame) } ?? 0
        }
        return Array(output.prefix(count * 2))
    }

    @Test("A chime is mixed in from the next slice on and leaves the samples before and after it unchanged")
    func added() {
        let chimes = Chimes()
        let line = Line(length: 40_000)
        let played = chimes.overlay(on: line, Self.format)
        #expect(pull(played, 1000, at: 0) == pull(line, 1000, at: 0))
        #expect(chimes.ring())
        let sum = pull(played, 12_000, at: 1000)
        let added = zip(sum, pull(line, 12_000, at: 1000)).map { $0 - $1 }
        #expect(added.contains { $0 > 0.05 } && added.allSatisfy { abs($0) <= 0.25 })
        #expect(pull(played, 1000, at: 13_000) == pull(line, 1000, at: 13_000))
    }

    @Test("A chime does not extend the source")
    func length() {
        let chimes = Chimes()
        let played = chimes.overlay(on: Line(length: 100), Self.format)
        #expect(chimes.ring())
        #expect(pull(played, 500, at: 0).count == 200)
        #expect(pull(played, 500, at: 100).isEmpty)
    }

    @Test("Without an output no chime rings, and too many overlapping chimes drop the oldest")
    func bounds() {
        let chimes = Chimes()
        #expect(!chimes.ring())
        let played = chimes.overlay(on: Line(length: 40_000), Self.format)
        for _ in 0..<100 {
            chimes.ring()
            _ = pull(played, 10, at: 0)
        }
        #expect(pull(played, 2000, at: 0).allSatisfy { $0.isFinite })
    }
}
