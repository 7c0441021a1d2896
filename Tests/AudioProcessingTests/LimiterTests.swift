// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Glibc
import Testing

@Suite("True peak limiter")
struct LimiterTests {
    private static let rate = 8000
    /// −1 dBTP.
    private static let ceiling: Float = 0.891_251

    /// Returns noise in stereo with a loud passage from frame 3000 to 5000.
    private static func loudPassage(_ amplitude: Float) -> [Float] {
        var samples = LoudnessSignals.noise(2 * 16000, amplitude: 0.2)
        for index in 6000..<10000 { samples[index] *= amplitude * 5 }
        return samples
    }

    private static func limited(_ samples: [Float], channels: Int = 2, blocks: [Int] = [1152]) -> MappedAudio {
        var limiter = TruePeakLimiter(sampleRate: rate, channels: channels)
        return limiter.output(samples, channels: channels, blocks: blocks)
    }

    @Test("Audio without a peak above the ceiling passes bit for bit, with its pieces")
    func transparent() {
        let samples = LoudnessSignals.noise(3 * 4000, amplitude: 0.4)
        let output = Self.limited(samples, channels: 3)
        #expect(output.samples == samples)
        #expect(output.pieces == MappedAudio(samples, channels: 3).pieces)
    }

    @Test("No true peak exceeds the ceiling", arguments: [1.0, 2, 4, 100, 1e20])
    func ceiling(amplitude: Float) throws {
        let output = Self.limited(Self.loudPassage(amplitude))
        let result = LoudnessMeter.histogram(output.samples, sampleRate: Self.rate, truePeak: true)
        #expect(try #require(result.truePeak) <= -0.95)
    }

    @Test(
        "Noise up to half the sample rate stays below the ceiling of meters with short and long filters",
        arguments: [(8000, 6), (8000, 12), (96000, 12)])
    func widebandNoise(sampleRate: Int, reach: Int) {
        var limiter = TruePeakLimiter(sampleRate: sampleRate, channels: 1)
        let noise = LoudnessSignals.noise(40_000).map { max(-1, min(1, $0 * 2)) }
        let output = limiter.output(noise, channels: 1).samples
        // The points in the middle between two samples, with a windowed sinc as long as that of common meters.
        let taps = (-reach..<reach).map { tap in
            let distance = Double(tap) + 0.5
            return Float(sin(.pi * distance) / (.pi * distance) * (0.5 + 0.5 * cos(.pi * distance / Double(reach))))
        }
        let peak = (reach..<output.count - reach).map { frame in
            abs(zip(taps, output[(frame - reach)...]).reduce(0) { $0 + $1.0 * $1.1 })
        }
        #expect(peak.max() ?? 1 <= 0.9016, "-0.9 dBTP")
    }

    @Test("Single clicks at any distance stay below the ceiling")
    func clicks() throws {
        var samples = [Float](repeating: 0, count: 8000)
        var place = 0
        for distance in 1..<120 {
            place += distance
            samples[place] = distance % 2 == 0 ? 3 : -1.5
        }
        let result = LoudnessMeter.histogram(
            Self.limited(samples, channels: 1).samples, sampleRate: Self.rate, channels: 1, truePeak: true)
        #expect(try #require(result.truePeak) <= -0.95)
    }

    @Test("A peak in the last frames of an item is limited", arguments: [1, 2, 5, 20, 60])
    func end(distance: Int) {
        var samples = LoudnessSignals.noise(500, amplitude: 0.3)
        samples[500 - distance] = 2
        let output = Self.limited(samples, channels: 1).samples
        #expect(output.count == 500)
        #expect(output.allSatisfy { abs($0) <= Self.ceiling })
    }

    @Test("Before and long after a loud passage, samples are unchanged")
    func release() {
        let samples = Self.loudPassage(4)
        let output = Self.limited(samples).samples
        #expect(output[..<5900] == samples[..<5900])
        #expect(output[6000..<10000] != samples[6000..<10000])
        #expect(output[24000...] == samples[24000...])
    }

    @Test("All channels have the same gain")
    func linked() {
        // given: the second channel is quiet
        let samples = Self.loudPassage(4).enumerated().map { $0.offset % 2 == 1 ? $0.element * 0.01 : $0.element }
        let output = Self.limited(samples).samples
        // then
        let gains = zip(output, samples).map { $0 / $1 }
        #expect(stride(from: 0, to: gains.count, by: 2).allSatisfy { abs(gains[$0] - gains[$0 + 1]) < 1e-5 })
    }

    @Test("The output does not depend on how the input is divided", arguments: [[1], [7, 600, 1], [1152], [.max]])
    func division(blocks: [Int]) {
        let samples = Self.loudPassage(3)
        let (whole, divided) = (Self.limited(samples, blocks: [4096]), Self.limited(samples, blocks: blocks))
        #expect(whole.samples == divided.samples)
        #expect(whole.pieces == divided.pieces)
    }

    @Test("Frames keep their pieces, and each piece stays whole")
    func pieces() {
        // given: pieces of different lengths, of which some are stretched
        let pieces: [MappedAudio.Piece] = (0..<40).map { number in
            let frames = 20 + number * 7
            return .init(
                sourceFrame: Int64(number) * 1000, sourceFrames: number % 3 == 0 ? frames : 1000, frames: frames)
        }
        var (limiter, output) = (TruePeakLimiter(sampleRate: Self.rate, channels: 1), MappedAudio(channels: 1))
        // when
        for piece in pieces {
            var input = MappedAudio(channels: 1)
            LoudnessSignals.noise(piece.frames, amplitude: 3).withUnsafeBufferPointer { input.append($0, as: piece) }
            limiter.process(input, into: &output)
        }
        limiter.finish(into: &output)
        // then
        #expect(output.pieces == pieces)
        #expect(output.frames == pieces.reduce(0) { $0 + $1.frames })
    }

    @Test("It holds back no more than 5 ms and the length of its filter")
    func holdBack() {
        var limiter = TruePeakLimiter(sampleRate: Self.rate, channels: 1)
        let output = limiter.output(LoudnessSignals.noise(2000), channels: 1, finishes: false)
        #expect(output.frames >= 2000 - 40 - 12)
        #expect(output.frames < 2000)
    }

    @Test("NaN and infinite samples become 0 and do not lower the gain")
    func notFinite() {
        var samples = LoudnessSignals.noise(4000, amplitude: 0.2)
        for (place, value) in [(100, Float.nan), (200, .infinity), (300, -.infinity)] { samples[place] = value }
        let output = Self.limited(samples).samples
        for place in [100, 200, 300] { samples[place] = 0 }
        #expect(output == samples)
    }

    @Test("A restart drops the frames that are held back, and their peaks")
    func restart() {
        var limiter = TruePeakLimiter(sampleRate: Self.rate, channels: 1)
        _ = limiter.output([Float](repeating: 50, count: 500), channels: 1, finishes: false)
        limiter.restart()
        let samples = LoudnessSignals.noise(500, amplitude: 0.3)
        #expect(limiter.output(samples, channels: 1).samples == samples)
    }

    @Test("An empty item stays empty")
    func empty() {
        #expect(Self.limited([]).frames == 0)
    }
}
