// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("BufferingPolicy")
struct BufferingPolicyTests {
    typealias Silence = BufferingPolicy.WaitState

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let waitState: Silence
        let level: BufferLevel
        let decision: BufferingPolicy.Decision

        init(_ description: String, _ waitState: Silence, _ level: BufferLevel, _ decision: BufferingPolicy.Decision) {
            testDescription = description
            (self.waitState, self.level, self.decision) = (waitState, level, decision)
        }
    }

    /// Returns the buffer level at 128 kbit/s with `hand` of `left` seconds buffered, on a link of `link` times that
    /// rate.
    static func level(
        _ hand: Double, link: Double?, left: Double = 600, isLengthKnown: Bool = true, speed: Double = 1
    ) -> BufferLevel {
        BufferLevel(
            buffered: .seconds(hand), remaining: isLengthKnown ? .seconds(left) : nil,
            missing: isLengthKnown ? Int64((left - hand) * 16000) : nil, byteRate: 16000,
            throughput: link.map { Throughput(steady: $0 * 16000) }, speed: speed)
    }

    static func waitState(_ waiting: BufferingPolicy.Waiting, waited: Int = 0, stalls: Int = 0) -> Silence {
        Silence(waiting, waited: .seconds(waited), stalls: stalls)
    }

    static func still(_ level: BufferLevel) -> BufferLevel {
        var level = level
        level.isStalled = true
        return level
    }

    static let start = waitState(.start)
    static let hurried: Silence = {
        var hurried = waitState(.rebuffer, stalls: 3)
        hurried.isHurried = true
        return hurried
    }()
    static let table: [Row] = [
        Row("nothing is known", start, BufferLevel(buffered: .zero), .hold),
        Row("all is there", start, BufferLevel(buffered: .zero, missing: 0), .play(.complete)),
        Row("all is there after stalls", waitState(.rebuffer, stalls: 9), BufferLevel(buffered: .zero, missing: 0),
            .play(.complete)),
        Row("two seconds on a link that is fast enough", start, level(2, link: 1.5), .play(.finishLine)),
        Row("less than that", start, level(1.9, link: 1.5), .hold),
        Row("a link four times as fast: what a decoder needs", start, level(0.2, link: 4), .play(.fastLink)),
        Row("not less", start, level(0.19, link: 1000), .hold),
        Row("three times as fast", start, level(1.9, link: 3), .hold),
        Row("a little faster", start, level(1.2, link: 3.2), .play(.fastLink)),
        Row("a seek is a start", waitState(.seek, stalls: 3), level(0.2, link: 4), .play(.fastLink)),
        Row("going on is not", waitState(.rebuffer), level(1.9, link: 4), .hold),
        Row("going on", waitState(.rebuffer), level(2, link: 4), .play(.finishLine)),
        Row("a link too slow for ten minutes", start, level(14, link: 0.9), .hold),
        Row("and for what the listener bears", waitState(.start, waited: 29), level(17, link: 0.7), .hold),
        Row("three seconds in hand make up for one", waitState(.start, waited: 29), level(18, link: 0.7),
            .play(.patience)),
        Row("so two minutes start at once", start, level(120, link: 0.7), .play(.patience)),
        Row("a seek into what is there is heard, however slow the link", waitState(.seek), level(15, link: 0),
            .play(.patience)),
        Row("the disk is full", start, still(level(1, link: 0.7)), .play(.complete)),
        Row("until half a minute has passed", waitState(.start, waited: 30), level(15, link: 0.7), .play(.patience)),
        Row("with a quarter of it in hand", waitState(.start, waited: 200), level(14.9, link: 0.1), .hold),
        Row("the end is in sight", start, level(14, link: 0.9, left: 60), .play(.finishLine)),
        Row("just not", start, level(5, link: 0.9, left: 60), .hold),
        Row("the first stall takes 20 s", waitState(.rebuffer, waited: 20), level(30, link: 0.5), .play(.patience)),
        Row("and half a minute of sound", waitState(.rebuffer, waited: 20), level(29, link: 0.5), .hold),
        Row("the second 40", waitState(.rebuffer, waited: 39, stalls: 1), level(90, link: 0.5), .hold),
        Row("the third 80", waitState(.rebuffer, waited: 80, stalls: 2), level(30, link: 0.5), .play(.patience)),
        Row("and so on up to 240", waitState(.rebuffer, waited: 240, stalls: 90), level(30, link: 0.5),
            .play(.patience)),
        Row("twice the speed takes twice the link", start, level(4, link: 1.5, speed: 2), .hold),
        Row("which is there", start, level(4, link: 3, speed: 2), .play(.finishLine)),
        Row("a dead link", start, level(14, link: 0), .hold),
        Row("a minute from an earlier day, before the server answers", start, level(60, link: nil),
            .play(.patience)),
        Row("a second from an earlier day", start, level(1, link: nil), .hold),
        Row("a listener who would not wait", hurried, level(2, link: 0.5), .play(.listenerRequest)),
        Row("with nothing to play", hurried, level(1.9, link: 0.5), .hold),
        Row("of unknown length", start, level(6, link: 1.5, isLengthKnown: false), .play(.unknownLength)),
        Row("of unknown length, less", start, level(5.9, link: 1.5, isLengthKnown: false), .hold),
        Row("of unknown length, fast", start, level(0.2, link: 4, isLengthKnown: false), .play(.fastLink)),
        Row("of unknown length, after two stalls", waitState(.rebuffer, stalls: 2),
            level(79, link: 9, isLengthKnown: false), .hold),
        Row("and a long wait", waitState(.rebuffer, waited: 80, stalls: 2), level(30, link: 0.1, isLengthKnown: false),
            .play(.patience)),
    ]

    @Test("The decision for each row of the table", arguments: table)
    func decides(row: Row) { #expect(BufferingPolicy.decide(row.waitState, row.level) == row.decision) }

    @Test("A link that has just slowed down or just sped up is judged by its slower rate")
    func cautious() {
        for throughput in [
            Throughput(age: .seconds(60), mean: 64000, recent: 1000, long: 64000),
            Throughput(age: .seconds(60), mean: 1000, recent: 64000, long: 1000),
        ] {
            var level = Self.level(3, link: 0)
            level.throughput = throughput
            #expect(BufferingPolicy.decide(Self.start, level) == .hold)
        }
    }

    @Test("The decision equals the reference model's for every vector", arguments: BufferingVector.all)
    func model(vector: BufferingVector) {
        let decision = BufferingPolicy.decide(vector.waitState, vector.level)
        let reasons = ["finish-line": "finishLine", "fast-link": "fastLink", "unknown-length": "unknownLength"]
        let reason = reasons[vector.text("reason")] ?? vector.text("reason")
        #expect(decision == BufferingPolicy.Reason(rawValue: reason).map { .play($0) } ?? .hold)
        #expect((decision == .hold) != vector.isTrue("play"))
    }

    @Test("The policy differs from its predecessor only in a few explained cases")
    func reference() {
        let decided = BufferingVector.reference.map { ($0, BufferingPolicy.decide($0.waitState, $0.reference)) }
        let others = decided.filter { ($1 == .hold) == $0.isTrue("expect_play") }
        let (held, played) = (others.filter { $1 == .hold }, others.filter { $1 != .hold })
        // The predecessor starts early although a stall is foreseen.
        #expect(held.allSatisfy { vector, _ in
            !vector.isTrue("started") && vector.text("expect_reason") == "enough" && (vector["waited"] ?? 30) < 30
        })
        // For an unknown length the predecessor has no timeout: it requires two minutes buffered, however long that
        // takes.
        #expect(played.allSatisfy { $0["total"] == nil && $1 == .play(.patience) && ($0["waited"] ?? 0) >= 20 })
        #expect(decided.count == 240 && held.count == 3 && played.count <= 8, "\(held.count), \(played.count)")
    }
}

extension BufferingVector {
    /// The buffer level for a vector of the reference table, which has no 60-second average, no tag and no rate.
    fileprivate var reference: BufferLevel {
        var level = level
        guard let arrived = self["arrived"], arrived > 0, var throughput = level.throughput else { return level }
        let span = self["ago"] ?? 0
        throughput.recent = span > 0 ? (arrived - (self["arrived_ago"] ?? 0)) / span : throughput.mean
        level.throughput = throughput
        return level
    }
}
