// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioProcessing

@Suite("LevelSlopes")
struct LevelSlopesTests {
    /// Returns the balance after 40 sounds, each of which rises and falls between −40 dB and −10 dB.
    private func balance(risesFor rise: Int, fallsFor fall: Int, isLoud: Bool = true) -> Float {
        var slopes = LevelSlopes()
        for _ in 0..<40 {
            for step in 0..<rise { slopes.add(-40 + 30 * Float(step) / Float(rise), isLoud: isLoud) }
            for step in 0..<fall { slopes.add(-10 - 30 * Float(step) / Float(fall), isLoud: isLoud) }
        }
        return slopes.balance
    }

    @Test("A sound that rises as long as it falls is balanced")
    func syllables() {
        #expect(abs(balance(risesFor: 20, fallsFor: 20)) < 0.03)
    }

    @Test("Sudden sounds that fade away fall more often than they rise")
    func drums() {
        #expect(balance(risesFor: 2, fallsFor: 30) < -0.3)
        #expect(balance(risesFor: 30, fallsFor: 2) > 0.3)
    }

    @Test("Fades as slow as reverberation do not count")
    func reverberation() {
        #expect(balance(risesFor: 20, fallsFor: 60) > 0.1)
    }

    @Test("Quiet steps do not count")
    func quiet() {
        #expect(balance(risesFor: 2, fallsFor: 30, isLoud: false) == 0)
    }

    @Test("A level that is not a finite number leaves the balance finite")
    func notFinite() {
        var slopes = LevelSlopes()
        for level in [Float.infinity, .infinity, .nan, -20] + Array(repeating: -30, count: 10) {
            slopes.add(level, isLoud: true)
        }
        #expect(abs(slopes.balance) < 0.1)
    }
}
