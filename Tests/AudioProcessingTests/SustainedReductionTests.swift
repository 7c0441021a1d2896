// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Testing

@Suite("Sustained reduction")
struct SustainedReductionTests {
    /// Returns the correction after runs of seconds, alternately with and without reduction.
    private static func correction(_ seconds: [Double]) -> Double {
        var reduction = SustainedReduction(sampleRate: 1000)
        for (number, length) in seconds.enumerated() {
            reduction.add(frames: Int(length * 1000), isReduced: number % 2 == 0)
        }
        return reduction.correction
    }

    static let corrections: [(seconds: [Double], expected: Double)] = [
        ([2.0], 0.0), ([3], -0.5), ([6], -2), ([1.9, 1, 1.9, 1, 1.9], 0), ([3, 60], -0.5),
    ]

    @Test("The gain sinks by 0.5 dB per second after 2 s of reduction", arguments: corrections)
    func correction(seconds: [Double], expected: Double) {
        #expect(Self.correction(seconds) == expected)
    }

    @Test("Interruptions of up to 0.2 s do not end a reduction")
    func interruptions() {
        #expect(Self.correction([1, 0.2, 1, 0.2, 1]) == -0.6)
        #expect(Self.correction([1, 0.21, 1, 0.21, 1]) == 0)
    }

    @Test("The correction ends at −12 dB and never rises")
    func limit() {
        var reduction = SustainedReduction(sampleRate: 1000)
        var last = 0.0
        for number in 0..<200 {
            reduction.add(frames: 700, isReduced: number % 5 != 0)
            #expect(reduction.correction <= last)
            last = reduction.correction
        }
        #expect(last == -12)
    }

    @Test("The correction does not depend on how the frames are divided")
    func division() {
        var (whole, divided) = (SustainedReduction(sampleRate: 1000), SustainedReduction(sampleRate: 1000))
        for (frames, isReduced) in [(1500, true), (150, false), (2000, true), (400, false), (2500, true)] {
            whole.add(frames: frames, isReduced: isReduced)
            for _ in 0..<frames { divided.add(frames: 1, isReduced: isReduced) }
        }
        #expect(whole == divided)
    }

    @Test("Too high a gain sinks until the limiter reduces the peaks by about 3 dB")
    func closedLoop() {
        // given: noise with peaks of 0 dBFS and a gain of 8 dB
        var (stage, limiter) = (GainStage(gain: 8, sampleRate: 1000), TruePeakLimiter(sampleRate: 1000, channels: 1))
        let block = MappedAudio(LoudnessSignals.noise(100, amplitude: 0.8), channels: 1)
        // when
        for _ in 0..<300 {
            var (louder, output) = (MappedAudio(channels: 1), MappedAudio(channels: 1))
            stage.process(block, into: &louder)
            limiter.process(louder, into: &output)
            stage.gain = 8 + limiter.sustained.correction
        }
        // then
        #expect(stage.gain > 1 && stage.gain < 7)
    }
}
