// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Testing

@Suite("Gain schedule")
struct GainScheduleTests {
    /// Returns the gain after each second.
    private static func gains(_ schedule: GainSchedule, towards wanted: Double, seconds: Int) -> [Double] {
        var schedule = schedule
        return (0..<seconds).map { _ in
            schedule.advance(frames: 8000, towards: wanted)
            return schedule.gain
        }
    }

    @Test("The gain changes by 1.5 dB per second in the first 10 s, then by 0.1 dB per second", arguments: [-1.0, 1])
    func rates(sign: Double) {
        // From one half of the range to the other.
        let schedule = GainSchedule(gain: -8 * sign, isConstant: false, sampleRate: 8000)
        let gains = Self.gains(schedule, towards: 8 * sign, seconds: 30)
        #expect(abs(gains[0] + 6.5 * sign) < 1e-9)
        #expect(abs(gains[9] - 7 * sign) < 1e-9)
        #expect(abs(gains[14] - 7.5 * sign) < 1e-9)
        #expect(gains[29] == 8 * sign)
    }

    @Test("A difference of less than 0.3 dB does not move the gain")
    func tolerance() {
        let schedule = GainSchedule(gain: 2, isConstant: false, sampleRate: 8000)
        #expect(Self.gains(schedule, towards: 2.29, seconds: 20).allSatisfy { $0 == 2 })
        #expect(Self.gains(schedule, towards: 2.31, seconds: 20).last == 2.31)
    }

    @Test("The gain stays between −12 and 15 dB", arguments: [(-40.0, -12.0), (40, 15), (.infinity, 15)])
    func range(wanted: Double, expected: Double) {
        #expect(GainSchedule(gain: wanted, isConstant: true, sampleRate: 8000).gain == expected)
        let schedule = GainSchedule(gain: 0, isConstant: false, sampleRate: 8000)
        #expect(Self.gains(schedule, towards: wanted, seconds: 90).last == expected)
    }

    @Test("The gain of an item that was measured before is constant")
    func constant() {
        let estimate = LoudnessEstimate(measured: -20, target: -16)
        let schedule = GainSchedule(
            gain: estimate.gain(target: -16), isConstant: estimate.priorSeconds == nil, sampleRate: 8000)
        #expect(schedule.isConstant)
        #expect(Self.gains(schedule, towards: -7, seconds: 20).allSatisfy { $0 == 4 })
    }

    @Test("The gains do not depend on how the frames are divided")
    func division() {
        var (one, other) = (
            GainSchedule(gain: 0, isConstant: false, sampleRate: 11025),
            GainSchedule(gain: 0, isConstant: false, sampleRate: 11025)
        )
        one.advance(frames: 11025 * 12, towards: -12)
        for block in 0..<11025 * 12 / 9 { other.advance(frames: block % 2 == 0 ? 4 : 14, towards: -12) }
        #expect(one.gain == other.gain)
    }
}
