// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import ProgressiveDownload

@Suite("ThroughputMeter")
struct ThroughputMeterTests {
    @Test("The rate is unknown in the first 50 ms")
    func tooSoon() {
        var meter = ThroughputMeter()
        #expect(meter.bytesPerSecond(at: .zero) == nil)
        meter.begin(at: .seconds(10))
        meter.add(1000, at: .seconds(10))
        #expect(meter.bytesPerSecond(at: .milliseconds(10_049)) == nil)
        #expect(meter.bytesPerSecond(at: .milliseconds(10_500)) == 2000)
    }

    @Test("A new request must save the time of four answers, at least 250 ms and at most 2 s",
        arguments: [(0, 250_000), (100, 400_000), (300, 1_200_000), (1000, 2_000_000)] as [(Int, Int64)])
    func skipDistance(milliseconds: Int, distance: Int64) {
        var meter = ThroughputMeter()
        meter.request(1, at: .zero)
        meter.request(1, at: .milliseconds(milliseconds / 2))
        let answer = Duration.milliseconds(milliseconds)
        meter.begin(at: answer)
        #expect(meter.skipDistance(at: answer) == nil)
        meter.add(1_000_000, at: answer)
        #expect(meter.skipDistance(at: answer + .seconds(1)) == distance)
    }

    @Test("128 KiB are waited for, however fast the answers are, if they take less than two seconds",
        arguments: [(200_000, 131_072), (12_000, 24_000), (1000, 16_384)] as [(Int, Int64)])
    func skipDistanceOfSlowLink(bytes: Int, distance: Int64) {
        var meter = ThroughputMeter()
        meter.request(1, at: .zero)
        meter.begin(at: .milliseconds(10))
        meter.add(bytes, at: .milliseconds(10))
        #expect(meter.skipDistance(at: .milliseconds(1010)) == distance)
    }

    @Test("Bytes older than three seconds do not count")
    func window() {
        var meter = ThroughputMeter()
        meter.begin(at: .zero)
        for tenth in 0..<100 { meter.add(tenth < 50 ? 1000 : 100, at: .milliseconds(tenth * 100)) }
        let rate = meter.bytesPerSecond(at: .milliseconds(9900)) ?? 0
        #expect((900...1100).contains(rate))
    }

    @Test("Throughput has averages since the first byte (including pauses), over the last 5 s and over the last minute")
    func throughput() {
        var meter = ThroughputMeter()
        meter.begin(at: .seconds(1))
        #expect(meter.throughput(at: .seconds(2)) == nil)
        for second in 1..<61 { meter.add(second <= 30 ? 6000 : 0, at: .seconds(second)) }
        let half = Throughput(age: .seconds(60), mean: 3000, recent: 0, long: 3000)
        #expect(meter.throughput(at: .seconds(61)) == half)
        meter.end()
        meter.add(50_000, at: .seconds(118))
        let late = Throughput(age: .seconds(120), mean: 230_000 / 120, recent: 10_000, long: 50_000 / 60)
        #expect(meter.throughput(at: .seconds(121)) == late)
    }

    @Test("Bytes that arrive together count as received within a tenth of a second")
    func atOnce() {
        var meter = ThroughputMeter()
        meter.begin(at: .seconds(1))
        meter.add(1000, at: .milliseconds(1001))
        let first = Throughput(age: .milliseconds(100), steady: 10_000)
        #expect(meter.throughput(at: .milliseconds(1002)) == first)
    }

    @Test("While no bytes arrive the rate falls to zero")
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
