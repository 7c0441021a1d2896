// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

@Suite("Overlay")
struct OverlayTests {
    /// A source of the given frames, read at the requested position, without frames after them.
    private final class Frames: RenderSource {
        let samples: [Float]
        init(_ samples: [Float]) { self.samples = samples }
        func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
            let start = Int(outputFrame) * 2
            var count = 0
            // A `while` loop, since "for in" allocates in unoptimised builds, and the watchdog would report that.
            while count < frames * 2, start + count < samples.count {
                output[count] = samples[start + count]
                count += 1
            }
            return count / 2
        }
    }

    private static let format = AudioFormat(sampleRate: 44100, channels: 2)

    private func heard(_ main: [Float], _ other: [Float], frames: Int) -> [Float] {
        let overlay = Overlay(of: Frames(other), on: Frames(main), format: Self.format)
        var output = [Float](repeating: 9, count: frames * 2)
        let count = output.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { overlay.pull(into: $0, frames: frames, at: 0) } ?? 0
        }
        return Array(output.prefix(count * 2))
    }

    @Test(
        "An overlay has the length of the main source and cuts off the other",
        arguments: [(10, 4), (4, 10), (0, 5), (5, 0), (5000, 3000)])
    func lengths(main: Int, other: Int) {
        let (main, other) = ((0..<main * 2).map { Float($0) }, (0..<other * 2).map { Float($0) * 10000 })
        let sum = main.indices.map { main[$0] + ($0 < other.count ? other[$0] : 0) }
        #expect(heard(main, other, frames: 6000) == sum)
    }

    @Test(
        "While the other source has no frames or zeros, every bit stays the same, even a negative zero",
        arguments: [[], [0, 0, 0, 0]])
    func silent(other: [Float]) {
        let bits = heard([-0.0, .leastNonzeroMagnitude, 1, -1], other, frames: 2).map(\.bitPattern)
        #expect(bits == [Float(-0.0), .leastNonzeroMagnitude, 1, -1].map(\.bitPattern))
    }
}
