// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Playback
import Testing

/// Properties of the policy that hold in every situation.
@Suite("Properties of BufferingPolicy")
struct BufferingPropertyTests {
    struct Situation {
        var waitState: BufferingPolicy.WaitState
        var level: BufferLevel

        init(_ random: inout SeededGenerator) {
            let waiting: [BufferingPolicy.Waiting] = [.start, .seek, .rebuffer]
            waitState = .init(
                waiting.randomElement(using: &random) ?? .start, waited: .seconds(Self.spread(0.1...400, &random)),
                stalls: Int.random(in: 0...9, using: &random))
            let rate = Double([6000, 16000, 40000].randomElement(using: &random) ?? 16000)
            let rest = Self.spread(1...11000, &random)
            let hand = rest * Double.random(in: 0...0.99, using: &random)
            let link = rate * Self.spread(0.05...50, &random)
            level = BufferLevel(
                buffered: .seconds(hand), remaining: .seconds(rest), missing: Int64((rest - hand) * rate) + 1,
                byteRate: rate,
                throughput: Throughput(
                    age: .seconds(Self.spread(0.1...3000, &random)), mean: link,
                    recent: link * Self.spread(0.1...10, &random), long: link * Self.spread(0.3...3, &random)),
                speed: [1, 1, 1.5, 2, 3].randomElement(using: &random) ?? 1)
            if Int.random(in: 0..<6, using: &random) == 0 { level.missing = nil }
            if Int.random(in: 0..<8, using: &random) == 0 { level.throughput = nil }
            if Int.random(in: 0..<8, using: &random) == 0 { level.preceding = Int64(Self.spread(1...1e7, &random)) }
            waitState.isHurried = Int.random(in: 0..<8, using: &random) == 0
        }

        private static func spread(_ range: ClosedRange<Double>, _ random: inout SeededGenerator) -> Double {
            let part = Double.random(in: 0...1, using: &random)
            return range.lowerBound * pow(range.upperBound / range.lowerBound, part)
        }

        /// Returns the same situation, at the same instant, with more bytes downloaded.
        func with(more share: Double) -> Situation {
            var other = self
            guard let missing = level.missing, let rate = level.byteRate else { return other }
            let count = Int64(Double(missing) * share)
            other.level.missing = missing - count
            other.level.buffered += .seconds(Double(count) / rate)
            other.level.throughput = level.throughput.map {
                let age = $0.age / .seconds(1)
                return Throughput(
                    age: $0.age, mean: $0.mean + Double(count) / age, recent: $0.recent + Double(count) / min(age, 5),
                    long: $0.long + Double(count) / min(age, 60))
            }
            return other
        }

        var decision: BufferingPolicy.Decision { BufferingPolicy.decide(waitState, level) }
        var plays: Bool { decision != .hold }
    }

    private func inSituations(_ seed: Int, _ check: (inout SeededGenerator, Situation) -> Void) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<200 {
            let situation = Situation(&random)
            check(&random, situation)
        }
    }

    @Test("More bytes at the same instant never turn play into hold", arguments: 0..<50)
    func monotone(seed: Int) {
        inSituations(seed) { random, situation in
            guard situation.plays else { return }
            let other = situation.with(more: Double.random(in: 0...1, using: &random))
            #expect(other.plays, "\(situation) and \(other)")
        }
    }

    @Test("A longer wait never turns play into hold", arguments: 0..<20)
    func patience(seed: Int) {
        inSituations(seed) { random, situation in
            var situation = situation
            guard situation.plays else { return }
            situation.waitState.waited += .seconds(Int.random(in: 1...1000, using: &random))
            #expect(situation.plays, "\(situation)")
        }
    }

    @Test("A complete item is never held, and every hold ends while bytes keep arriving", arguments: 0..<20)
    func releases(seed: Int) {
        inSituations(seed) { _, situation in
            var situation = situation
            var whole = situation
            whole.level.missing = 0
            #expect(whole.decision == .play(.complete))
            situation.waitState.waited = .seconds(241)
            situation.level.buffered = .seconds(121) * situation.level.speed
            #expect(situation.plays, "\(situation)")
        }
    }

    @Test("Playback does not start into a foreseen stall within the first 30 seconds of waiting", arguments: 0..<20)
    func noCertainStall(seed: Int) {
        inSituations(seed) { random, situation in
            var situation = situation
            situation.level.buffered = min(situation.level.buffered, .seconds(15))
            situation.waitState = .init(.start, waited: .seconds(Int.random(in: 0...29, using: &random)))
            guard let missing = situation.level.missing, let rest = situation.level.remaining,
                let throughput = situation.level.throughput, situation.plays
            else { return }
            let rate = min(throughput.mean, throughput.recent)
            #expect(Double(missing) / rate <= rest / .seconds(1) / situation.level.speed, "\(situation)")
        }
    }

    @Test("Estimates are never negative, and risks are probabilities between 0 and 1", arguments: 0..<20)
    func ranges(seed: Int) {
        inSituations(seed) { _, situation in
            if let wait = BufferingPolicy.estimatedWait(situation.waitState, situation.level) { #expect(wait >= .zero) }
            guard let risk = StallRisk(situation.level, stalls: situation.waitState.stalls) else { return }
            #expect((0...1).contains(risk.probability))
            if let time = risk.time { #expect(time > .zero) }
        }
    }
}
