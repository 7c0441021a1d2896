// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("Playback on links of changing throughput")
struct TraceTests {
    /// Returns silent audio at 64 kbit/s, a frame every 24 ms.
    private static func episode(_ length: Duration) -> [UInt8] {
        var builder = MP3Builder(.init(.mpeg2, sampleRate: 24000, kilobits: 64, isMono: true))
        builder.addFrames(Int(length / .milliseconds(24)))
        return builder.bytes
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let trace: LinkTrace
        /// The length in seconds.
        let length: Int
        let stalls: ClosedRange<Int>
        var testDescription: String { "\(trace), \(length) s" }

        init(_ trace: LinkTrace, _ length: Int, stalls: ClosedRange<Int>) {
            (self.trace, self.length, self.stalls) = (trace, length, stalls)
        }
    }

    static let rows: [Row] = [
        Row(LinkTrace("fast", (1, 100_000)), 300, stalls: 0...0),
        Row(LinkTrace("barely fast enough", (1, 8800)), 300, stalls: 0...0),
        Row(LinkTrace("four fifths of the bit rate", (1, 6400)), 600, stalls: 1...3),
        Row(LinkTrace("half the bit rate", (1, 4000)), 300, stalls: 1...4),
        Row(LinkTrace("an outage of 28 s", (10, 16000), (28, 0), (3600, 16000)), 300, stalls: 1...1),
        Row(LinkTrace("slow, then fast", (60, 4200), (3600, 32000)), 300, stalls: 0...1),
        Row(LinkTrace("fast, then slow", (20, 32000), (3600, 5000)), 600, stalls: 1...4),
        Row(LinkTrace("tunnels", (45, 24000), (12, 0)), 600, stalls: 0...1),
        Row(LinkTrace("bursts", (1, 40000), (4, 0)), 300, stalls: 0...3),
        Row(LinkTrace("a trickle", (1, 1900)), 60, stalls: 0...2),
        Row(LinkTrace("shorter than any threshold", (1, 4000)), 1, stalls: 0...0),
    ]

    @Test("The player starts and stalls as the policy's model does, to a tenth of a second", arguments: rows)
    func agrees(row: Row) {
        let stage = TraceStage(Self.episode(.seconds(row.length)), sampleRate: 24000, on: row.trace)
        let played = stage.play()
        let model = TraceModel(trace: row.trace, packetLength: 192, length: .seconds(row.length)).play()
        #expect(played.agrees(with: model), "played: \(played), model: \(model)")
        #expect(row.stalls.contains(played.stalls.count), "\(played)")
    }

    @Test("At four times the bit rate playback starts as soon as the decoder has packets")
    func fast() {
        let stage = TraceStage(Self.episode(.seconds(60)), sampleRate: 24000, on: LinkTrace("4 x", (1, 32000)))
        #expect(stage.play().start.map { $0 <= .milliseconds(200) } ?? false)
    }

    @Test("On a steady link the reported wait is accurate to 2 s or a fifth", arguments: [6400, 4000])
    func honest(rate: Int) throws {
        let stage = TraceStage(Self.episode(.seconds(300)), sampleRate: 24000, on: LinkTrace("steady", (1, rate)))
        let outcome = stage.play()
        let start = try #require(outcome.start)
        let ticks = stage.shown.filter { $0.at < start }
        let told = ticks.filter { $0.wait != nil }
        // The estimate requires some seconds of measurements.
        #expect(told.count > ticks.count * 3 / 4)
        for shown in told {
            let (wait, truth) = (shown.wait ?? .zero, start - shown.at)
            let error = wait > truth ? wait - truth : truth - wait
            #expect(error <= max(.seconds(2), truth / 5), "at \(shown.at): estimated \(wait), waited \(truth)")
        }
    }

    @Test("A stall is predicted ten seconds before it begins")
    func warned() throws {
        let trace = LinkTrace("fast, then slow", (20, 32000), (3600, 5000))
        let stage = TraceStage(Self.episode(.seconds(600)), sampleRate: 24000, on: trace)
        let stall = try #require(stage.play().stalls.first)
        // Until the first stall, the elapsed playing time equals the position.
        let before = stage.shown.last { $0.risk != nil && $0.at <= stall.place - .seconds(10) }
        let risk = try #require(before?.risk)
        #expect(risk.probability >= 0.5)
        let time = try #require(risk.time)
        #expect(time > .seconds(5) && time < .seconds(20))
    }
}
