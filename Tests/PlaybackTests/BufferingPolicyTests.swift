// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("BufferingPolicy")
struct BufferingPolicyTests {
    typealias Lead = BufferingPolicy.Lead

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let waiting: BufferingPolicy.Waiting
        var stalls: [Duration] = []
        let lead: Lead
        let decision: BufferingPolicy.Decision
    }

    static func lead(
        _ milliseconds: Int, whole: Bool = false, arrival: Double? = nil, playback: Double? = 16000
    ) -> Lead {
        Lead(inHand: .milliseconds(milliseconds), isWhole: whole, arrivalRate: arrival, playbackRate: playback)
    }

    static let table: [Row] = [
        Row(testDescription: "a second starts", waiting: .start, lead: lead(1000), decision: .release),
        Row(testDescription: "less does not", waiting: .start, lead: lead(999), decision: .hold(percent: 99)),
        Row(testDescription: "half of it", waiting: .start, lead: lead(500), decision: .hold(percent: 50)),
        Row(testDescription: "nothing", waiting: .start, lead: lead(0), decision: .hold(percent: 0)),
        Row(testDescription: "a fast link starts at a quarter", waiting: .start, lead: lead(250, arrival: 32000),
            decision: .release),
        Row(testDescription: "not sooner", waiting: .start, lead: lead(125, arrival: 32000),
            decision: .hold(percent: 50)),
        Row(testDescription: "just too slow", waiting: .start, lead: lead(250, arrival: 31999),
            decision: .hold(percent: 25)),
        Row(testDescription: "of unknown need", waiting: .start, lead: lead(250, arrival: 1e9, playback: nil),
            decision: .hold(percent: 25)),
        Row(testDescription: "a seek is a start", waiting: .seek, lead: lead(1000), decision: .release),
        Row(testDescription: "a whole item starts with nothing", waiting: .start, lead: lead(0, whole: true),
            decision: .release),
        Row(testDescription: "and goes on with nothing", waiting: .rebuffer, stalls: [.zero, .zero, .zero, .zero],
            lead: lead(0, whole: true), decision: .release),
        Row(testDescription: "the first stall takes 2 s", waiting: .rebuffer, stalls: [.zero], lead: lead(2000),
            decision: .release),
        Row(testDescription: "no less, however fast", waiting: .rebuffer, stalls: [.zero],
            lead: lead(1000, arrival: 1e9), decision: .hold(percent: 50)),
        Row(testDescription: "the second 4", waiting: .rebuffer, stalls: [.zero, .seconds(1)], lead: lead(3960),
            decision: .hold(percent: 99)),
        Row(testDescription: "4 it is", waiting: .rebuffer, stalls: [.zero, .seconds(60)], lead: lead(4000),
            decision: .release),
        Row(testDescription: "the third 8", waiting: .rebuffer, stalls: [.zero, .zero, .zero], lead: lead(8000),
            decision: .release),
        Row(testDescription: "the fourth 12", waiting: .rebuffer, stalls: [.zero, .zero, .zero, .zero],
            lead: lead(12000), decision: .release),
        Row(testDescription: "the tenth 12", waiting: .rebuffer, stalls: Array(repeating: .zero, count: 10),
            lead: lead(6000), decision: .hold(percent: 50)),
        Row(testDescription: "a stall is forgotten after a minute", waiting: .rebuffer,
            stalls: [.zero, .milliseconds(60001)], lead: lead(2000), decision: .release),
    ]

    @Test("decides", arguments: table)
    func decides(row: Row) {
        var policy = BufferingPolicy()
        for stall in row.stalls { policy.stalled(at: stall) }
        #expect(policy.decide(row.waiting, row.lead) == row.decision)
    }

    @Test("more in hand never holds what less released, and the percentage only grows", arguments: 0..<40)
    func monotone(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var policy = BufferingPolicy()
        for _ in 0..<Int.random(in: 0...6, using: &random) { policy.stalled(at: .zero) }
        let waiting = [BufferingPolicy.Waiting.start, .seek, .rebuffer].randomElement(using: &random) ?? .start
        let arrival = Bool.random(using: &random) ? Double.random(in: 0...1e5, using: &random) : nil
        var best = -1
        for milliseconds in stride(from: 0, through: 13000, by: 50) {
            switch policy.decide(waiting, Self.lead(milliseconds, arrival: arrival)) {
            case .hold(let percent):
                #expect(percent >= best && percent < 100)
                best = percent
            case .release: best = 100
            }
        }
        #expect(best == 100, "13 s are enough for everything")
    }
}
