// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Glibc
import Media
import Testing

@Suite("True peak")
struct TruePeakTests {
    /// Amplitudes and phases of tones at a quarter of the sample rate, with the expected true peak in dBTP.
    /// Source: EBU Tech 3341 table 1, cases 15 to 19.
    @Test(
        "The true peak of the signals of EBU Tech 3341 is exact to −0.4 and +0.2 dB",
        arguments: [(0.5, 0.0, -6.0), (0.5, 45, -6), (0.5, 60, -6), (0.5, 67.5, -6), (1.41, 45, 3)])
    func ebu(amplitude: Double, degrees: Double, expected: Double) throws {
        // given: a tone that fades in and out
        let samples = (0..<2000).map { frame in
            let fade = min(1, Double(min(frame, 1999 - frame)) / 400)
            return Float(fade * amplitude * sin(.pi / 2 * Double(frame) + degrees * .pi / 180))
        }
        // then
        let result = LoudnessMeter.histogram(samples, sampleRate: 48000, channels: 1, truePeak: true)
        let peak = try #require(result.truePeak)
        #expect(peak >= expected - 0.4 && peak <= expected + 0.2)
    }

    @Test("A peak between the samples of a tone near half the sample rate is exact to 0.25 dB")
    func highTone() throws {
        // given: a burst of amplitude 1 at 0.42 times the sample rate, with its peak in the middle of two samples
        let samples = (0..<200).map { frame in
            let time = Double(frame) - 99.5
            return Float(cos(2 * .pi * 0.42 * time) * exp(-time * time / 72))
        }
        // then
        let result = LoudnessMeter.histogram(samples, sampleRate: 8000, channels: 1, truePeak: true)
        #expect(abs(try #require(result.truePeak)) < 0.25)
        #expect(try #require(result.samplePeak) < -1)
    }

    @Test("The true peak is never less than the sample peak")
    func samplePeak() throws {
        for place in [0, 1, 499, 998, 999] {
            var samples = [Float](repeating: 0, count: 1000)
            samples[place] = -0.75
            let result = LoudnessMeter.histogram(samples, channels: 1, truePeak: true)
            let (truePeak, samplePeak) = (try #require(result.truePeak), try #require(result.samplePeak))
            #expect(truePeak >= samplePeak)
            #expect(abs(samplePeak - 20 * log10(0.75)) < 1e-6)
        }
    }

    @Test("A meter without true peak measures the sample peak only")
    func switchedOff() {
        let result = LoudnessMeter.histogram([0.5, -0.25], channels: 1, truePeak: false)
        #expect(result.truePeak == nil)
        #expect(result.samplePeak != nil)
    }

    @Test("The highest of all channels counts")
    func channels() throws {
        var samples = [Float](repeating: 0, count: 3 * 2000)
        for frame in 0..<2000 { samples[frame * 3 + 2] = Float(sin(Double(frame) * 0.05)) }
        let peak = try #require(LoudnessMeter.histogram(samples, channels: 3, truePeak: true).truePeak)
        #expect(abs(peak) < 0.1)
    }
}
