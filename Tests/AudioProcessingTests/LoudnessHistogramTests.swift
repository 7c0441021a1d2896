// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Testing

@Suite("Loudness histogram")
struct LoudnessHistogramTests {
    private static let speechLike = LoudnessSignals.tone(-20, seconds: 4) + LoudnessSignals.tone(-26, seconds: 4)

    @Test("Stored bytes restore the value", arguments: [true, false])
    func roundTrip(truePeak: Bool) throws {
        let histogram = LoudnessMeter.histogram(Self.speechLike, truePeak: truePeak)
        #expect(try #require(LoudnessHistogram(bytes: histogram.bytes)) == histogram)
        #expect(try #require(LoudnessHistogram(bytes: LoudnessHistogram().bytes)) == LoudnessHistogram())
    }

    @Test("The merged result of two parts has their common loudness, range and peak")
    func merge() throws {
        // given
        let whole = LoudnessMeter.histogram(Self.speechLike, truePeak: true)
        var merged = LoudnessMeter.histogram(Array(Self.speechLike.prefix(8000 * 8)), truePeak: true)
        // when
        merged.merge(LoudnessMeter.histogram(Array(Self.speechLike.dropFirst(8000 * 8)), truePeak: true))
        // then
        let (one, other) = (try #require(merged.integrated), try #require(whole.integrated))
        #expect(abs(one - other) <= 0.1)
        #expect(merged.range == 6)
        #expect(merged.truePeak == whole.truePeak)
        #expect(merged.measuredSeconds == 8)
    }

    @Test("Merging does not depend on the order, and an empty value changes nothing")
    func mergeOrder() {
        let one = LoudnessMeter.histogram(LoudnessSignals.tone(-20, seconds: 4), truePeak: true)
        let other = LoudnessMeter.histogram(LoudnessSignals.tone(-30, seconds: 4), truePeak: true)
        var (forwards, backwards, empty) = (one, other, LoudnessHistogram())
        forwards.merge(other)
        backwards.merge(one)
        empty.merge(one)
        #expect(forwards == backwards)
        #expect(empty == one)
        empty.merge(LoudnessHistogram())
        #expect(empty == one)
    }

    @Test("The true peak of a merged value is unknown if a part lacks it")
    func mergeTruePeak() {
        var merged = LoudnessMeter.histogram(Self.speechLike, truePeak: true)
        merged.merge(LoudnessMeter.histogram(Self.speechLike, truePeak: false))
        #expect(merged.truePeak == nil)
        #expect(merged.samplePeak != nil)
    }

    @Test("Each truncated or extended encoding is rejected")
    func truncated() {
        let bytes = LoudnessMeter.histogram(Self.speechLike, truePeak: true).bytes
        for count in bytes.indices { #expect(LoudnessHistogram(bytes: Array(bytes[..<count])) == nil) }
        #expect(LoudnessHistogram(bytes: bytes + [0]) == nil)
    }

    @Test("An encoding of another version is rejected")
    func version() {
        var bytes = LoudnessHistogram().bytes
        bytes[0] = 2
        #expect(LoudnessHistogram(bytes: bytes) == nil)
    }

    @Test("Damaged bytes are rejected, or are the encoding of a value with finite results")
    func damaged() {
        let bytes = LoudnessMeter.histogram(Self.speechLike, truePeak: true).bytes
        for place in bytes.indices {
            for value in [0, 0x7F, 0xFF, bytes[place] ^ 1] as [UInt8] {
                var damaged = bytes
                damaged[place] = value
                guard let histogram = LoudnessHistogram(bytes: damaged) else { continue }
                #expect(histogram.bytes == damaged)
                #expect(histogram.integrated?.isFinite != false && histogram.truePeak?.isFinite != false)
            }
        }
    }

    @Test("Random and oversized bytes are rejected")
    func random() {
        for seed in 1...500 as ClosedRange<UInt64> {
            let noise = LoudnessSignals.noise(64, amplitude: 128, seed: seed).map { UInt8(truncatingIfNeeded: Int($0)) }
            #expect(LoudnessHistogram(bytes: [1, 1] + noise) == nil)
        }
        #expect(LoudnessHistogram(bytes: [UInt8](repeating: 1, count: 1 << 20)) == nil)
        #expect(LoudnessHistogram(bytes: []) == nil)
    }

    @Test("Merged counts that are too large saturate")
    func saturation() throws {
        // given: 2³² − 1 blocks of 0 LUFS
        var histogram = try #require(
            LoudnessHistogram(
                bytes: [1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0xBC, 5, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0]))
        // when
        histogram.merge(histogram)
        // then
        let loudness = try #require(histogram.integrated)
        #expect(abs(loudness) < 1e-9)
    }
}
