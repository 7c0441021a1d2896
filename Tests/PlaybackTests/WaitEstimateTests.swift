// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import Testing

@Suite("The estimated wait and the stall risk")
struct WaitEstimateTests {
    typealias Policy = BufferingPolicyTests

    @Test("Wait and stall risk equal the reference model's for every vector", arguments: BufferingVector.all)
    func model(vector: BufferingVector) throws {
        let wait = BufferingPolicy.estimatedWait(vector.waitState, vector.level).map { $0 / .seconds(1) }
        if let expected = vector["estimate"] {
            let wait = try #require(wait)
            #expect(abs(wait - expected) <= 0.01 + expected / 1000)
        } else {
            #expect(wait == nil)
        }
        // For an unknown length the model makes a guess; do not compare it.
        guard vector.level.missing != nil, vector.level.remaining != nil,
            let throughput = vector.level.throughput, throughput.mean > 0
        else { return }
        let risk = try #require(StallRisk(vector.level, stalls: vector.waitState.stalls))
        #expect(abs(risk.probability - (vector["risk"] ?? -1)) <= 0.002)
        #expect((risk.time == nil) == (vector["stall_in"] == nil))
        if let time = risk.time, let expected = vector["stall_in"] {
            #expect(abs(time / .seconds(1) - expected) <= 0.01 + expected / 500)
        }
    }

    @Test("With half of the required second buffered, a link of twice the bit rate takes a quarter of a second")
    func filling() {
        let wait = BufferingPolicy.estimatedWait(Policy.start, Policy.level(0.5, link: 2))
        #expect(wait == .milliseconds(250))
    }

    @Test("On a link that stays too slow the wait lasts until the timeout or until the rest plays without a stall")
    func slow() {
        let far = BufferingPolicy.estimatedWait(Policy.waitState(.rebuffer, waited: 5), Policy.level(10, link: 0.5))
        #expect(far == .seconds(40))
        // 30 s at 0.8 take 37.5 s; with one second buffered, 38.5 s are 8.5 s more than the 30 s to play.
        let near = BufferingPolicy.estimatedWait(Policy.waitState(.rebuffer), Policy.level(0, link: 0.8, left: 30))
        #expect(near == .milliseconds(8500))
    }

    @Test("The wait is unknown before the first byte, without a bit rate or with contradicting rates")
    func unknown() {
        #expect(BufferingPolicy.estimatedWait(Policy.start, Policy.level(1, link: nil)) == nil)
        var level = Policy.level(1, link: 2)
        level.byteRate = nil
        #expect(BufferingPolicy.estimatedWait(Policy.start, level) == nil)
        level = Policy.level(1, link: 1)
        level.throughput = Throughput(age: .seconds(100), mean: 8000, recent: 0, long: 3000)
        #expect(BufferingPolicy.estimatedWait(Policy.waitState(.rebuffer), level) == nil)
    }

    @Test("The wait is unknown if it is far longer than the observed time")
    func young() {
        var level = Policy.level(1, link: 0.5)
        level.throughput?.age = .milliseconds(500)
        #expect(BufferingPolicy.estimatedWait(Policy.start, level) == nil)
        level.throughput?.age = .seconds(10)
        #expect(BufferingPolicy.estimatedWait(Policy.start, level) != nil)
    }

    @Test("A stall is likely when bytes arrive more slowly than they are played")
    func risk() throws {
        let slow = try #require(StallRisk(Policy.level(10, link: 0.5), stalls: 1))
        #expect(slow.probability > 0.8 && slow.time == .seconds(20))
        let fast = try #require(StallRisk(Policy.level(60, link: 4), stalls: 0))
        #expect(fast.probability < 0.02 && fast.time == nil)
        #expect(StallRisk(BufferLevel(buffered: .zero, missing: 0), stalls: 3) == StallRisk.none)
        let stuck = StallRisk(Policy.still(Policy.level(10, link: 4)), stalls: 0)
        #expect(stuck == StallRisk(chance: 1, time: .seconds(10)))
        #expect(StallRisk(Policy.level(10, link: 0.5, isLengthKnown: false), stalls: 0) == nil)
        #expect(StallRisk(Policy.level(10, link: nil), stalls: 0) == nil)
    }
}
