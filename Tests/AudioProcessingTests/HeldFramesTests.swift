// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioProcessing

@Suite("HeldFrames")
struct HeldFramesTests {
    private func held(_ samples: [Float]) -> HeldFrames {
        var held = HeldFrames(channels: 1)
        held.removeAll(next: 1000)
        samples.withUnsafeBufferPointer { held.append($0) }
        return held
    }

    @Test("A fade keeps the level of equal sounds")
    func equalSounds() {
        var held = held(Array(repeating: 0.5, count: 400))
        var output = MappedAudio(channels: 1)
        held.cut(from: 1100, to: 1300, fade: 60, correlation: 1, into: &output)
        #expect(output.withSamples { $0.allSatisfy { abs($0 - 0.5) < 1e-5 } })
        #expect(output.pieces.map(\.sourceFrames) == [130, 201, 29])
        #expect(held.start == 1360)
    }

    @Test("A fade keeps the power of unrelated sounds", arguments: [(Float(1), Float(0)), (0, 1)])
    func unrelatedSounds(old: Float, new: Float) {
        var held = held(Array(repeating: old, count: 200) + Array(repeating: new, count: 200))
        var output = MappedAudio(channels: 1)
        held.cut(from: 1000, to: 1300, fade: 100, correlation: 0, into: &output)
        let power = output.withSamples { $0.map { $0 * $0 } }
        #expect(zip(power, power.reversed()).allSatisfy { abs($0 + $1 - 1) < 1e-5 })
        #expect(new > old ? power[0] < 0.001 : power[0] > 0.999)
    }

    @Test("The best match of a periodic sound is a whole number of periods away")
    func periodicSound() {
        let held = held((0..<800).map { Float($0 % 37) - 18 })
        let match = held.bestMatch(in: 1080...1120, middle: 1100, to: 1500, count: 120, step: 1)
        #expect((1500 - match.frame) % 37 == 0)
        #expect(match.correlation > 0.999)
    }

    @Test("The best match in digital silence is the middle")
    func silence() {
        let held = held(Array(repeating: 0, count: 800))
        let match = held.bestMatch(in: 1080...1120, middle: 1100, to: 1500, count: 120, step: 1)
        #expect(match.frame == 1100)
        #expect(match.correlation == 0)
    }

    @Test("Omitted frames count as source frames of the cut")
    func omission() {
        var held = held((0..<1000).map(Float.init))
        var output = MappedAudio(channels: 1)
        held.omit(from: 1200, to: 1850)
        held.omit(from: 1200, to: 1851)
        #expect(held.end == 2000)
        #expect(!held.isComplete)
        held.cut(from: 1100, to: 1900, fade: 20, correlation: 0, into: &output)
        held.release(before: held.end, into: &output)
        #expect(output.pieces.map(\.sourceFrame) == [1000, 1110, 1911])
        #expect(output.withSamples { Array($0.suffix(80)) } == (920..<1000).map(Float.init))
    }
}
