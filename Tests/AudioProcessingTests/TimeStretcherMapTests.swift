// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Testing

@Suite("Time stretcher: map")
struct TimeStretcherMapTests {
    typealias Material = StretchMaterial
    private let input = Material.vowel(3000, period: 67) + Material.noise(3000, level: 0.3, seed: 2)

    @Test("The pieces represent each source frame once, in order", arguments: [0.5, 0.7, 1.1, 2, 3.5])
    func coverage(speed: Double) {
        let output = Material.stretch(input, speed: speed)

        var next: Int64 = 0
        for piece in output.pieces {
            #expect(piece.sourceFrame == next)
            next += Int64(piece.sourceFrames)
        }
        #expect(next == 6000)
        #expect(output.pieces.reduce(0) { $0 + $1.frames } == output.frames)
    }

    @Test("Plain pieces have the samples of the source", arguments: [0.5, 0.7, 1.1, 1.5])
    func copies(speed: Double) {
        let output = Material.stretch(input, speed: speed)

        let samples = Material.samples(of: output)
        var offset = 0
        for piece in output.pieces {
            let source = Int(piece.sourceFrame)..<(Int(piece.sourceFrame) + piece.sourceFrames)
            let isEqual = samples[offset..<(offset + piece.frames)] == input[source]
            #expect(isEqual || !piece.isPlain)
            offset += piece.frames
        }
        let plain = output.pieces.filter(\.isPlain)
        #expect(!plain.isEmpty)
    }

    @Test("The map is never far from the linear one in a steady sound", arguments: [0.5, 0.7, 1.5, 2, 3])
    func deviation(speed: Double) {
        let output = Material.stretch(Material.vowel(6000, period: 67), speed: speed)

        var offset = 0
        for piece in output.pieces.dropLast() {
            let linear = Double(offset) * speed
            // The first 10 ms are copied, so the output starts late by what this costs.
            if offset > 800, offset < output.frames - 1200 {
                #expect(abs(Double(piece.sourceFrame) - linear) <= 0.02 * 8000 * max(1, speed / 2))
            }
            offset += piece.frames
        }
    }

    @Test("The result does not depend on how the input is divided", arguments: [0.7, 1.5, 2.5], [1, 7, 333, 6000])
    func division(speed: Double, block: Int) {
        let voice = Array(input[1500..<4500])
        let expected = Material.stretch(voice, speed: speed, block: 1024)

        let output = Material.stretch(voice, speed: speed, block: block)

        #expect(output.pieces == expected.pieces)
        #expect(Material.samples(of: output) == Material.samples(of: expected))
    }

    @Test("The map leads through the cuts of an earlier stage to the source", arguments: [0.7, 1.5, 2])
    func composition(speed: Double) {
        // 2000 frames, a cut that represents 1000 frames by 100, and 4000 frames.
        var cut = MappedAudio(channels: 1)
        input[0..<2000].withUnsafeBufferPointer {
            cut.append($0, as: .init(sourceFrame: 0, sourceFrames: 2000, frames: 2000))
        }
        input[2000..<2100].withUnsafeBufferPointer {
            cut.append($0, as: .init(sourceFrame: 2000, sourceFrames: 1000, frames: 100))
        }
        input[2000..<6000].withUnsafeBufferPointer {
            cut.append($0, as: .init(sourceFrame: 3000, sourceFrames: 4000, frames: 4000))
        }
        var stretcher = TimeStretcher(speed: speed, sampleRate: 8000, channels: 1)
        var output = MappedAudio(channels: 1)

        stretcher.process(cut, into: &output)
        stretcher.finish(into: &output)

        var next: Int64 = 0
        for piece in output.pieces {
            #expect(piece.sourceFrame == next)
            next += Int64(piece.sourceFrames)
        }
        #expect(next == 7000)
        #expect(abs(Double(output.frames) - 6100 / speed) <= 0.5)
    }

    @Test("A restart drops the audio that is held back, and the debt")
    func restart() {
        let tone = Material.vowel(4000, period: 67)
        var stretcher = TimeStretcher(speed: 1.5, sampleRate: 8000, channels: 1)
        var dropped = MappedAudio(channels: 1)
        stretcher.process(Material.audio(tone), into: &dropped)
        stretcher.restart()
        var output = MappedAudio(channels: 1)

        stretcher.process(Material.audio(tone), into: &output)
        stretcher.finish(into: &output)

        #expect(dropped.frames < 2667)
        #expect(output.frames == 2667)
        #expect(Material.samples(of: output).prefix(80) == tone.prefix(80))
    }
}
