// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Testing

@Suite("Loudness range")
struct LoudnessRangeTests {
    /// Levels in dBFS of tones of equal length, with the expected range in LU.
    /// Source: EBU Tech 3342 table 1, cases 1 to 4.
    static let ebuCases: [(levels: [Double], range: Double)] = [
        ([-20, -30], 10),
        ([-20, -15], 5),
        ([-40, -20], 20),
        ([-50, -35, -20, -35, -50], 15),
    ]

    @Test("The loudness range of the signals of EBU Tech 3342 is exact to 1 LU", arguments: ebuCases.indices)
    func ebu(number: Int) throws {
        let samples = Self.ebuCases[number].levels.flatMap { LoudnessSignals.tone($0, seconds: 20, channels: 1) }
        let range = try #require(LoudnessMeter.histogram(samples, channels: 1).range)
        #expect(abs(range - Self.ebuCases[number].range) <= 0.3)
    }

    @Test("Less than 3 s of audio has no loudness range")
    func short() {
        #expect(LoudnessMeter.histogram(LoudnessSignals.tone(-20, seconds: 2.9)).range == nil)
        #expect(LoudnessMeter.histogram(LoudnessSignals.tone(-20, seconds: 3)).range == 0)
    }

    @Test("A constant level has a range of 0")
    func constant() {
        #expect(LoudnessMeter.histogram(LoudnessSignals.tone(-20, seconds: 5)).range == 0)
    }
}
