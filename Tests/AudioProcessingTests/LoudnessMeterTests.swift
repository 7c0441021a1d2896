// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Glibc
import Media
import Testing

@Suite("Loudness meter")
struct LoudnessMeterTests {
    /// Levels in dBFS and durations in seconds of tones of 1 kHz, with the expected loudness.
    /// Source: EBU Tech 3341 table 1, cases 1 to 5; the test uses half of each duration.
    static let ebuCases: [(tones: [(level: Double, seconds: Double)], loudness: Double)] = [
        ([(-23, 20)], -23),
        ([(-33, 20)], -33),
        ([(-36, 10), (-23, 60), (-36, 10)], -23),
        ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23),
        ([(-26, 20), (-20, 20.1), (-26, 20)], -23),
    ]

    @Test("The integrated loudness of the signals of EBU Tech 3341 is exact to 0.1 LU", arguments: ebuCases.indices)
    func ebu(number: Int) throws {
        let samples = Self.ebuCases[number].tones.flatMap {
            LoudnessSignals.tone($0.level, seconds: $0.seconds / 2, sampleRate: 16000, channels: 1)
        }
        let loudness = try #require(LoudnessMeter.histogram(samples, sampleRate: 16000, channels: 1).integrated)
        #expect(abs(loudness - Self.ebuCases[number].loudness) <= 0.1)
    }

    @Test(
        "The loudness of a tone does not depend on the sample rate",
        arguments: [16000, 22050, 32000, 44100, 48000, 96000, 192000])
    func rates(rate: Int) throws {
        let tone = LoudnessSignals.tone(-23, seconds: 0.8, sampleRate: rate)
        let loudness = try #require(LoudnessMeter.histogram(tone, sampleRate: rate).integrated)
        #expect(abs(loudness + 23) <= 0.1)
    }

    @Test("At low sample rates the K-weighting deviates by at most 0.3 dB", arguments: [8000, 11025, 12000])
    func lowRates(rate: Int) throws {
        let tone = LoudnessSignals.tone(-23, seconds: 0.8, sampleRate: rate)
        let loudness = try #require(LoudnessMeter.histogram(tone, sampleRate: rate).integrated)
        #expect(abs(loudness + 23) <= 0.3)
    }

    /// Frequencies in Hz, with the loudness of a stereo tone of −23 dBFS: the K-weighting of BS.1770, computed from
    /// its coefficients at 48 kHz.
    @Test(
        "The K-weighting attenuates low and amplifies high frequencies",
        arguments: [(25.0, -34.09), (100, -24.78), (500, -23.66), (2000, -20.60), (5000, -19.76)])
    func weighting(frequency: Double, expected: Double) throws {
        let tone = LoudnessSignals.tone(-23, seconds: 2, sampleRate: 44100, channels: 1, frequency: frequency)
        let loudness = try #require(LoudnessMeter.histogram(tone, sampleRate: 44100, channels: 1).integrated)
        #expect(abs(loudness - expected) <= 0.1)
    }

    @Test("A mono signal has the loudness of its copy in two channels")
    func mono() {
        let samples = LoudnessSignals.noise(8000 * 4)
        let mono = LoudnessMeter.histogram(samples, channels: 1)
        let stereo = LoudnessMeter.histogram(LoudnessSignals.repeated(samples, channels: 2))
        #expect(mono.integrated == stereo.integrated)
        #expect(mono.range == stereo.range)
    }

    @Test("Of 5.1 channels, those at the side count 1.5 dB more, and the low-frequency channel does not count")
    func surround() throws {
        // given: the tones of EBU Tech 3341 case 6, and a loud low-frequency channel
        let levels = [-28.0, -28, -24, 0, -30, -30]
        let channels = levels.map { LoudnessSignals.tone($0, seconds: 2, sampleRate: 32000, channels: 1) }
        let samples = channels[0].indices.flatMap { frame in channels.map { $0[frame] } }
        // then
        let loudness = try #require(LoudnessMeter.histogram(samples, sampleRate: 32000, channels: 6).integrated)
        #expect(abs(loudness + 23) <= 0.1)
    }

    @Test("Silence has neither loudness nor range nor peak")
    func silence() {
        let result = LoudnessMeter.histogram([Float](repeating: 0, count: 8000 * 8), truePeak: true)
        #expect(result.integrated == nil)
        #expect(result.range == nil)
        #expect(result.truePeak == nil)
        #expect(result.gatedSeconds == 0)
        #expect(result.measuredSeconds == 4)
    }

    @Test("Quiet passages do not count as gated audio")
    func gating() {
        let samples = LoudnessSignals.tone(-20, seconds: 4) + LoudnessSignals.tone(-60, seconds: 6)
        let result = LoudnessMeter.histogram(samples)
        #expect(result.measuredSeconds == 10)
        #expect(abs(result.gatedSeconds - 4) <= 0.3)
    }

    @Test("The result does not depend on how the audio is divided", arguments: [1, 2, 3])
    func division(channels: Int) {
        let samples = LoudnessSignals.noise(11025 * 2 * channels)
        let whole = LoudnessMeter.histogram(samples, sampleRate: 11025, channels: channels, truePeak: true)
        let divided = LoudnessMeter.histogram(
            samples, sampleRate: 11025, channels: channels, blocks: [channels, 7 * channels, 1152 * channels],
            truePeak: true)
        #expect(whole == divided)
    }

    @Test("NaN and infinite samples count as silence")
    func notFinite() {
        var samples = LoudnessSignals.noise(8000 * 4)
        let places = stride(from: 100, to: samples.count, by: 997)
        for place in places { samples[place] = 0 }
        let silent = LoudnessMeter.histogram(samples, truePeak: true)
        for (number, place) in places.enumerated() { samples[place] = [.nan, .infinity, -.infinity][number % 3] }
        #expect(LoudnessMeter.histogram(samples, truePeak: true) == silent)
    }

    @Test("The largest finite samples give a finite result")
    func extreme() {
        let samples = [Float](repeating: .greatestFiniteMagnitude, count: 8000 * 4)
        let result = LoudnessMeter.histogram(samples, truePeak: true)
        #expect(result.integrated?.isFinite == true)
        #expect(result.truePeak?.isFinite == true)
    }

    @Test("After a restart, blocks do not extend across the border")
    func restart() {
        // given: 300 ms of a tone, which is too short for a block
        var meter = LoudnessMeter(format: AudioFormat(sampleRate: 8000, channels: 2))
        let tone = LoudnessSignals.tone(-20, seconds: 0.3)
        for _ in 0..<10 {
            meter.measure(tone)
            meter.restart()
        }
        #expect(meter.histogram.integrated == nil)
        #expect(meter.histogram.measuredSeconds == 3)
    }
}
