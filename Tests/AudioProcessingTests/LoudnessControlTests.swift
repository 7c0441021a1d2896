// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioProcessing

@Suite("The gain of an item in the processing chain")
struct LoudnessControlTests {
    private static let format = AudioFormat(sampleRate: 48_000, channels: 1)
    private static let normalized = SoundSettings(loudness: LoudnessNormalization(target: -16))

    /// Processes a square wave of a level, `seconds` long.
    private static func output(_ chain: inout ProcessingChain, level: Float, seconds: Int, from second: Int = 0)
        -> [Float]
    {
        var result = MappedAudio(channels: 1)
        let block = (0..<4800).map { $0 / 40 % 2 == 0 ? level : -level }
        for tenth in (second * 10)..<((second + seconds) * 10) {
            block.withUnsafeBufferPointer { chain.process($0, from: Int64(tenth * 4800), into: &result) }
        }
        return result.withSamples { Array($0) }
    }

    private static func decibels(_ ratio: Float) -> Double { Decibels.ofAmplitude(Double(abs(ratio))) }

    @Test("An item that was measured earlier has its gain from the first sample on")
    func measured() throws {
        let loudness = ItemLoudness(ItemLoudness.Knowledge(earlier: -22))
        var chain = try #require(ProcessingChain(Self.normalized, format: Self.format, loudness: loudness))
        let samples = Self.output(&chain, level: 0.01, seconds: 3)
        #expect(samples.allSatisfy { abs(Self.decibels($0 / 0.01) - 6) < 0.001 })
        #expect(chain.loudnessGain == 6)
    }

    @Test("An item that was not measured starts with the usual gain, and follows the measurement")
    func estimated() throws {
        let loudness = ItemLoudness()
        var chain = try #require(ProcessingChain(Self.normalized, format: Self.format, loudness: loudness))
        _ = Self.output(&chain, level: 0.01, seconds: 1)
        #expect(chain.loudnessGain == 1)
        var meter = LoudnessMeter(format: Self.format)
        let minute = (0..<(48_000 * 60)).map { Float($0 / 40 % 2 == 0 ? 0.01 : -0.01) }
        minute.withUnsafeBufferPointer { meter.measure($0) }
        loudness.update(meter.histogram)
        _ = Self.output(&chain, level: 0.01, seconds: 2, from: 1)
        let gain = try #require(chain.loudnessGain)
        #expect(gain > 1 && gain <= 4.2)
    }

    @Test("An earlier measurement yields to that of a new version")
    func replaced() {
        let loudness = ItemLoudness(ItemLoudness.Knowledge(earlier: -22))
        let normalization = LoudnessNormalization(target: -16)
        let before = loudness.gain(normalization)
        #expect(before.decibels == 6 && !before.isFinal)
        var meter = LoudnessMeter(format: Self.format)
        let minute = (0..<(48_000 * 60)).map { Float($0 / 40 % 2 == 0 ? 0.3 : -0.3) }
        minute.withUnsafeBufferPointer { meter.measure($0) }
        loudness.update(meter.histogram)
        let meanwhile = loudness.gain(normalization)
        #expect(meanwhile.decibels < 5 && !meanwhile.isFinal)
        loudness.update(meter.histogram, isWhole: true)
        let after = loudness.gain(normalization)
        #expect(after.decibels < -5 && after.isFinal)
    }

    @Test("One gain per podcast is that of its episodes, also for an episode that was measured")
    func podcast() throws {
        let settings = SoundSettings(loudness: LoudnessNormalization(target: -16, unit: .podcast))
        let loudness = ItemLoudness(ItemLoudness.Knowledge(earlier: -30, podcast: [-19, -21]))
        let chain = try #require(ProcessingChain(settings, format: Self.format, loudness: loudness))
        #expect(chain.loudnessGain == 4)
    }

    @Test("The other episodes of its podcast give the estimate of an item that was not measured")
    func others() throws {
        let loudness = ItemLoudness(ItemLoudness.Knowledge(podcast: [-30, -19, -21], others: [-19, -21]))
        let chain = try #require(ProcessingChain(Self.normalized, format: Self.format, loudness: loudness))
        #expect(chain.loudnessGain == 4)
    }

    @Test("A peak above full scale is limited, and no frame is lost")
    func limited() throws {
        let loudness = ItemLoudness(ItemLoudness.Knowledge(earlier: -28))
        var chain = try #require(ProcessingChain(Self.normalized, format: Self.format, loudness: loudness))
        var result = MappedAudio(channels: 1)
        let loud = (0..<48_000).map { $0 / 40 % 2 == 0 ? Float(0.9) : -0.9 }
        loud.withUnsafeBufferPointer { chain.process($0, from: 0, into: &result) }
        chain.finish(into: &result)
        #expect(result.frames == 48_000)
        #expect(result.withSamples { $0.allSatisfy { abs($0) <= 0.8913 } })
    }

    @Test("A change of the speed keeps the gain; a change of the target replaces it")
    func changed() throws {
        let loudness = ItemLoudness(ItemLoudness.Knowledge(earlier: -22))
        let chain = try #require(ProcessingChain(Self.normalized, format: Self.format, loudness: loudness))
        var faster = Self.normalized
        faster.speed = 1.5
        #expect(chain.changed(to: faster, loudness: loudness)?.loudnessGain == 6)
        let quieter = SoundSettings(loudness: LoudnessNormalization(target: -20))
        #expect(chain.changed(to: quieter, loudness: loudness)?.loudnessGain == 2)
        #expect(chain.changed(to: SoundSettings(), loudness: loudness) == nil)
    }

    @Test("A change of another setting keeps the gain of the voice boost")
    func boosted() throws {
        let settings = SoundSettings(boostsVoice: true)
        var chain = try #require(ProcessingChain(settings, format: Self.format))
        let before = Self.output(&chain, level: 0.5, seconds: 2).suffix(4800).map(abs).max()
        var changed = try #require(chain.changed(to: SoundSettings(silenceTrimming: .mild, boostsVoice: true)))
        let after = Self.output(&changed, level: 0.5, seconds: 2, from: 2).map(abs)
        let fresh = try #require(ProcessingChain(settings, format: Self.format))
        var other = fresh
        let unsettled = Self.output(&other, level: 0.5, seconds: 2).map(abs).max()
        let (settled, first) = (try #require(before), try #require(after.max()))
        // The filters begin with silence again, which a square wave shows.
        #expect(first <= settled * 1.15, "\(first) after \(settled)")
        #expect(try #require(unsettled) > settled * 1.2)
    }

    @Test("All stages together represent each source frame once")
    func allStages() throws {
        let settings = SoundSettings(
            speed: 1.5, silenceTrimming: .strong, loudness: LoudnessNormalization(target: -16), boostsVoice: true)
        var chain = try #require(ProcessingChain(settings, format: Self.format))
        var result = MappedAudio(channels: 1)
        let block = (0..<4800).map { $0 / 40 % 2 == 0 ? Float(0.1) : -0.1 }
        for tenth in 0..<30 {
            block.withUnsafeBufferPointer { chain.process($0, from: Int64(tenth * 4800), into: &result) }
        }
        chain.finish(into: &result)
        var next: Int64 = 0
        for piece in result.pieces {
            #expect(piece.sourceFrame == next)
            next = piece.sourceFrame + Int64(piece.sourceFrames)
        }
        #expect(next == 30 * 4800)
    }
}
