// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import AudioProcessing

@Suite("MusicDetector")
struct MusicDetectorTests {
    /// Returns the part of the sound that is music, for sound in steps of 5 ms that are all loud.
    private func share(of samples: [Float], rate: Int, level: Float = -15) -> Float {
        var detector = MusicDetector(rate: rate)
        feed(samples, rate: rate, level: level, to: &detector)
        return detector.share
    }

    private func feed(_ samples: [Float], rate: Int, level: Float, to detector: inout MusicDetector) {
        for start in stride(from: 0, to: samples.count, by: rate / 200) {
            detector.add(Array(samples[start...].prefix(rate / 200)), level: level, isLoud: true)
        }
    }

    private func speech(rate: Int) -> [Float] {
        var speech = SyntheticSpeech(rate: rate)
        speech.addWords(10)
        return speech.samples
    }

    /// Notes of 140 ms that begin and end suddenly.
    private func notes(rate: Int) -> [Float] {
        var notes = SyntheticSpeech(rate: rate)
        for note in 0..<40 {
            let pitch: Float = [440, 466, 494, 415, 523][note % 5]
            notes.add(140) { time in 0.3 * SyntheticSpeech.triangle(pitch * time) }
            notes.add(90)
        }
        return notes.samples
    }

    @Test("Speech is not music, notes are", arguments: [16_000, 24_000])
    func sounds(rate: Int) {
        #expect(share(of: speech(rate: rate), rate: rate) < 0.1)
        #expect(share(of: notes(rate: rate), rate: rate) > 0.5)
    }

    @Test("The level of the sound is corrected", arguments: [(0.01, -55), (0.1, -35), (4, -3)] as [(Float, Float)])
    func level(gain: Float, decibels: Float) {
        let (speech, notes) = (speech(rate: 24_000).map { $0 * gain }, notes(rate: 24_000).map { $0 * gain })
        var detector = MusicDetector(rate: 24_000)
        feed(speech + speech, rate: 24_000, level: decibels, to: &detector)
        #expect(detector.share < 0.1)
        feed(notes, rate: 24_000, level: decibels, to: &detector)
        #expect(detector.share > 0.5)
    }

    @Test("Quiet steps do not count")
    func quiet() {
        var detector = MusicDetector(rate: 24_000)
        let notes = notes(rate: 24_000)
        for start in stride(from: 0, to: 96_000, by: 120) {
            detector.add(Array(notes[start..<start + 120]), level: -15, isLoud: false)
        }
        #expect(detector.share == 0)
    }

    @Test("Samples that are not finite numbers do no harm", arguments: [Float.nan, .infinity, .greatestFiniteMagnitude])
    func notFinite(value: Float) {
        var detector = MusicDetector(rate: 24_000)
        feed([Float](repeating: value, count: 24_000), rate: 24_000, level: -15, to: &detector)
        feed(speech(rate: 24_000) + speech(rate: 24_000), rate: 24_000, level: -15, to: &detector)
        #expect(detector.share < 0.1)
    }

    @Test("A copy has its own state")
    func copy() {
        var one = MusicDetector(rate: 24_000)
        feed(speech(rate: 24_000), rate: 24_000, level: -15, to: &one)
        var other = one
        feed(notes(rate: 24_000), rate: 24_000, level: -15, to: &other)
        let share = one.share
        feed(speech(rate: 24_000), rate: 24_000, level: -15, to: &one)
        #expect(one.share <= share + 0.05)
        #expect(other.share > 0.5)
    }

    @Test(
        "The nominal rate differs from the actual one by less than a quarter",
        arguments: [16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000])
    func nominalRate(rate: Int) {
        var mono = MonoSignal(rate: rate)
        for _ in 0..<rate { mono.add(SIMD4(1, 0, 0, 0)) }
        let count = mono.samples.count
        #expect(abs(Double(count) / Double(mono.rate) - 1) < 0.25)
    }

    @Test("Low rates are doubled, and count as 24 kHz", arguments: [8000, 11_025, 12_000])
    func lowRate(rate: Int) {
        var mono = MonoSignal(rate: rate)
        #expect(mono.rate == 24_000)
        for frame in 1...3 { mono.add(SIMD4(Float(frame), 0, 0, 0)) }
        #expect(mono.samples == [0.5, 1, 1.5, 2, 2.5, 3])
    }
}
