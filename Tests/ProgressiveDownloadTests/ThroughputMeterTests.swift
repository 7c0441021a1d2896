// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import ProgressiveDownload

@Suite("ThroughputMeter")
struct ThroughputMeterTests {
    @Test("it says nothing in the first 50 ms")
    func tooSoon() {
        var meter = ThroughputMeter()
        #expect(meter.bytesPerSecond(at: .zero) == nil)
        meter.begin(at: .seconds(10))
        meter.add(1000, at: .seconds(10))
        #expect(meter.bytesPerSecond(at: .milliseconds(10_049)) == nil)
        #expect(meter.bytesPerSecond(at: .milliseconds(10_500)) == 2000)
    }

    @Test("it forgets what is older than three seconds")
    func window() {
        var meter = ThroughputMeter()
        meter.begin(at: .zero)
        for tenth in 0..<100 { meter.add(tenth < 50 ? 1000 : 100, at: .milliseconds(tenth * 100)) }
        let rate = meter.bytesPerSecond(at: .milliseconds(9900)) ?? 0
        #expect((900...1100).contains(rate))
    }

    @Test("while nothing comes the figure falls to zero")
    func stalled() {
        var meter = ThroughputMeter()
        meter.begin(at: .zero)
        meter.add(30_000, at: .milliseconds(100))
        #expect(meter.bytesPerSecond(at: .seconds(3)) == 10_000)
        #expect(meter.bytesPerSecond(at: .seconds(9)) == 0)
        meter.end()
        #expect(meter.bytesPerSecond(at: .seconds(9)) == nil)
    }
}
