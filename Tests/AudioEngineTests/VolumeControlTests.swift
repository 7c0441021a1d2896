// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

/// A source of one constant sample, at most `limit` frames per call.
private final class ConstantSource: RenderSource {
    let sample: Float
    let limit: Int
    init(_ sample: Float, limit: Int = .max) {
        self.sample = sample
        self.limit = limit
    }
    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        let count = min(frames, limit)
        var index = 0
        while index < count {
            output[index] = sample
            index += 1
        }
        return count
    }
}

private let mono = AudioFormat(sampleRate: 1000, channels: 1)

private func render(_ source: some RenderSource, _ frames: Int) -> [Float] {
    var output = [Float](repeating: 9, count: frames)
    let done = output.withUnsafeMutableBufferPointer { buffer in
        buffer.baseAddress.map { source.pull(into: $0, frames: frames, at: 0) } ?? 0
    }
    return Array(output.prefix(done))
}

@Suite("VolumeControl") struct VolumeControlTests {
    @Test("At gain 1 every sample passes unchanged, even beyond full scale")
    func passThrough() {
        let odd: Float = 1.2345678
        #expect(render(VolumeControl(ConstantSource(odd), format: mono), 50) == Array(repeating: odd, count: 50))
    }

    @Test("A gain change is a linear ramp of 10 ms, exact at its end")
    func ramp() {
        let volume = VolumeControl(ConstantSource(1), format: mono)
        volume.gain = 0.5
        let heard = render(volume, 7) + render(volume, 7)
        let line = (1...10).map { 1 - 0.05 * Float($0) }
        #expect(zip(heard, line).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(heard.suffix(5) == [0.5, 0.5, 0.5, 0.5, 0.5])
    }

    @Test("After a return to gain 1 samples pass unchanged again")
    func backToUnity() {
        let odd: Float = 0.12345679
        let volume = VolumeControl(ConstantSource(odd), format: mono, gain: 0.3)
        volume.gain = 1
        _ = render(volume, 10)
        #expect(render(volume, 5) == Array(repeating: odd, count: 5))
    }

    @Test("A change during a ramp starts at the current gain, so that no step exceeds the ramp's")
    func changeWithinRamp() {
        let volume = VolumeControl(ConstantSource(1), format: mono)
        volume.gain = 0
        var heard = render(volume, 5)
        volume.gain = 1.5
        heard += render(volume, 15)
        #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0 - $1) <= 0.11 })
    }

    @Test("A gain above 1 clips at full scale; a gain below 1 never does")
    func clipping() {
        #expect(render(VolumeControl(ConstantSource(0.9), format: mono, gain: 1.5), 2) == [1, 1])
        #expect(render(VolumeControl(ConstantSource(-0.9), format: mono, gain: 1.5), 2) == [-1, -1])
        #expect(render(VolumeControl(ConstantSource(4), format: mono, gain: 0.5), 2) == [2, 2])
    }

    @Test("A gain is clamped, and NaN changes nothing", arguments: [
        (-1.0, 0.0), (9, 1.5), (0.25, 0.25), (.infinity, 1.5), (.nan, 1),
    ])
    func clamping(set: Double, got: Double) {
        let volume = VolumeControl(ConstantSource(1), format: mono)
        volume.gain = set
        #expect(volume.gain == got)
    }

    @Test("A source that renders fewer frames stays short")
    func short() {
        #expect(render(VolumeControl(ConstantSource(1, limit: 3), format: mono, gain: 0.5), 8) == [0.5, 0.5, 0.5])
    }
}
