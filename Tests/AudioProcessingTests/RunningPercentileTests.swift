// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioProcessing

@Suite("RunningPercentile")
struct RunningPercentileTests {
    @Test("The percentile is that of the last levels, to 0.5 dB", arguments: [5, 50, 90])
    func percentile(percent: Int) {
        var running = RunningPercentile(window: 40)
        let levels = (0..<130).map { Float(($0 * 7919) % 97) - 90 }
        for level in levels { running.add(level) }
        let sorted = levels.suffix(40).sorted()
        #expect(running.level(percent: percent) == sorted[40 * percent / 100 - 1])
    }

    @Test("Levels outside of the range count as its limits")
    func limits() {
        var running = RunningPercentile(window: 2)
        running.add(-200)
        #expect(running.level(percent: 50) == -120)
        running.add(100)
        running.add(100)
        #expect(running.level(percent: 50) == 7.5)
    }
}
