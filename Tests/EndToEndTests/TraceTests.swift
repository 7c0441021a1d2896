// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("A variable link in real time")
struct TraceTests {
    /// The duration of an episode at 64 kbit/s, in packets of 24 ms and 192 bytes.
    private static let length = Duration.seconds(24)
    private static let packetLength = 192

    static let traces = [
        LinkTrace("an outage", (4, 16000), (9, 0), (3600, 16000)),
        LinkTrace("slow, then fast", (8, 4000), (3600, 32000)),
        LinkTrace("four times the bit rate", (3600, 32000)),
    ]

    @Test("The program stalls as the policy does on the same link, and sound starts no earlier")
    func agrees() throws {
        let server = try FaultServer()
        var builder = MP3Builder(.init(.mpeg2, sampleRate: 24000, kilobits: 64, isMono: true))
        builder.addFrames(Int(Self.length / .milliseconds(24)))
        let runs = try Self.traces.enumerated().map { number, trace in
            server.serve("/\(number).mp3", FaultScript(body: builder.bytes).with { $0.paces = trace.paces })
            let earshot = try Earshot()
            let address = server.url("/\(number).mp3")
            return (earshot, try earshot.startPlaying([address], ["--json"], limit: TimeLimit.event))
        }
        for (number, trace) in Self.traces.enumerated() {
            let outcome = runs[number].1.wait()
            let stalls = try outcome.events().named("stall")
            var played = TraceOutcome()
            played.stalls = zip(stalls, stalls.dropFirst()).compactMap { begin, end in
                guard begin["phase"]?.text == "begin", let place = begin["position"]?.number,
                    let lasted = end["lasted"]?.number
                else { return nil }
                return .init(place: .seconds(place), lasted: .seconds(lasted))
            }
            let model = TraceModel(trace: trace, packetLength: Self.packetLength, length: Self.length).play()
            // Each second of the episode takes a second.
            #expect(outcome.status == 0 && outcome.time >= Self.length + played.stalled)
            let tolerance = Duration.milliseconds(500) * TimeLimit.factor
            // A busy machine adds short stalls.
            let counted = played.stalls.count { TimeLimit.factor == 1 || $0.lasted > tolerance }
            #expect(counted <= model.stalls.count, "\(trace): \(played.stalls) and \(model)")
            #expect(played.stalled <= model.stalled + tolerance, "\(trace): \(played.stalls) and \(model)")
            // On a busy machine, sound starts later, so that a stall is shorter or does not happen.
            guard TimeLimit.factor == 1 else { continue }
            let silence = try #require(model.start) + model.stalled
            #expect(played.stalls.count >= model.stalls.count, "\(trace): \(played.stalls) and \(model)")
            #expect(outcome.time >= Self.length + silence - tolerance, "\(trace): \(outcome.time) and \(model)")
        }
    }
}
