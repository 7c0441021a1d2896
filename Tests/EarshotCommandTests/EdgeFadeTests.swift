// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Sessions

@Suite("Fades at the ends of a clip")
struct EdgeFadeTests {
    private static func run(_ samples: [Float], frames: Int, channels: Int, block: Int) -> [Float] {
        var fade = EdgeFade(frames: frames, channels: channels)
        var result: [Float] = []
        for start in stride(from: 0, to: samples.count, by: block * channels) {
            samples[start..<min(samples.count, start + block * channels)].withUnsafeBufferPointer {
                result += fade.process($0)
            }
        }
        return result + fade.finish()
    }

    @Test("The ends fade, the middle is unchanged, and no frame is lost", arguments: [1, 7, 64, 1000])
    func fades(block: Int) {
        let samples = (0..<400).map { Float($0 % 2 == 0 ? 1 : -1) }
        let result = Self.run(samples, frames: 20, channels: 2, block: block)
        #expect(result.count == 400)
        #expect(Array(result[40..<360]) == Array(samples[40..<360]))
        #expect(abs(result[0]) < 0.01 && abs(result[399]) < 0.01)
        let levels = stride(from: 0, to: 40, by: 2).map { result[$0] }
        #expect(levels == levels.sorted())
        #expect(stride(from: 0, to: 400, by: 2).allSatisfy { result[$0] == -result[$0 + 1] })
        #expect((0..<20).allSatisfy { result[2 * $0] == result[398 - 2 * $0] })
    }

    @Test("A clip that is shorter than both fades keeps its length", arguments: 0...9)
    func short(count: Int) {
        let result = Self.run(Array(repeating: 1, count: count), frames: 6, channels: 1, block: 4)
        #expect(result.count == count && result.allSatisfy { (0...1).contains($0) })
    }
}
