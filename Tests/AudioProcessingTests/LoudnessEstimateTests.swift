// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Media
import Testing

@Suite("Loudness estimate")
struct LoudnessEstimateTests {
    private static let tag = TrackGain(decibels: 2, reference: .replayGain)

    @Test("The most reliable source is chosen")
    func order() {
        let podcast = [-19.0]
        let all = LoudnessEstimate(measured: -21, earlier: -25, tag: Self.tag, podcast: podcast, target: -16)
        #expect(all.basis == .measurement && all.prior == -21)
        let earlier = LoudnessEstimate(earlier: -25, tag: Self.tag, podcast: podcast, target: -16)
        #expect(earlier.basis == .earlier && earlier.prior == -25)
        let tagged = LoudnessEstimate(tag: Self.tag, podcast: podcast, target: -16)
        #expect(tagged.basis == .tag && tagged.prior == -20)
        let known = LoudnessEstimate(podcast: podcast, target: -16)
        #expect(known.basis == .podcast && known.prior == -19)
        let unknown = LoudnessEstimate(target: -16)
        #expect(unknown.basis == .usual && unknown.prior == -17)
    }

    /// The formulas of R128 and ReplayGain for a target of −16 LUFS.
    static let taggedGains: [(tag: TrackGain, gain: Double)] = [
        (TrackGain(decibels: -7, reference: .r128), 0),
        (TrackGain(decibels: 1, reference: .r128), 8),
        (TrackGain(decibels: -8, reference: .replayGain), -6),
        (TrackGain(decibels: 2.5, reference: .replayGain), 4.5),
    ]

    @Test("A tagged gain is adapted to the target", arguments: taggedGains)
    func tagged(tag: TrackGain, gain: Double) {
        #expect(LoudnessEstimate(tag: tag, target: -16).gain(target: -16) == gain)
    }

    @Test("A tag that needs more than ±12 dB is ignored", arguments: [-40, -19.1, 5.1, 64, .nan, .infinity])
    func implausibleTag(decibels: Double) {
        let tag = TrackGain(decibels: decibels, reference: .r128)
        #expect(LoudnessEstimate(tag: tag, target: -16).basis == .usual)
    }

    @Test("The five newest episodes represent a podcast")
    func podcast() {
        let estimate = LoudnessEstimate(podcast: [-20, -21, -22, -23, -24, -60, -60], target: -16)
        #expect(estimate.prior == -22)
    }

    @Test("The measurement so far weighs as its gated seconds, the prior as 5 or 30")
    func blend() throws {
        // given: about 10 s of −23 LUFS
        let measurement = LoudnessMeter.histogram(
            LoudnessSignals.tone(-23, seconds: 10.3, sampleRate: 16000, channels: 1), sampleRate: 16000, channels: 1)
        let measured = try #require(measurement.integrated)
        #expect(measurement.gatedSeconds == 10)
        // then
        let unknown = LoudnessEstimate(target: -16).loudness(measurement)
        #expect(abs(unknown - (10 * measured + 5 * -17) / 15) < 1e-9)
        let known = LoudnessEstimate(podcast: [-20], target: -16).loudness(measurement)
        #expect(abs(known - (10 * measured + 30 * -20) / 40) < 1e-9)
        #expect(LoudnessEstimate(measured: -18, target: -16).loudness(measurement) == -18)
    }

    @Test("Without a measurement the prior is the estimate, and the gain is clamped")
    func nothingMeasured() {
        let estimate = LoudnessEstimate(podcast: [-40], target: -16)
        #expect(estimate.loudness(LoudnessHistogram()) == -40)
        #expect(estimate.gain(target: -16) == 15)
    }

    @Test("Values that are not finite are ignored")
    func notFinite() {
        let estimate = LoudnessEstimate(measured: .nan, podcast: [.infinity, -18], target: -16)
        #expect(estimate.basis == .podcast && estimate.prior == -18)
    }
}
