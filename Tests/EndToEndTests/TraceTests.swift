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

    @Test("The program starts and stalls as the policy does on the same link")
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
        let starts = startTimes(of: runs.map(\.1), on: server)
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
            played.start = starts[number]
            let model = TraceModel(trace: trace, packetLength: Self.packetLength, length: Self.length).play()
            // Each second of the episode takes a second.
            #expect(outcome.status == 0 && outcome.time >= Self.length + played.stalled)
            // The tolerance covers a busy machine.
            #expect(
                played.agrees(with: model, to: .milliseconds(500) * TimeLimit.factor),
                "\(trace): \(played) and \(model)")
        }
    }

    /// Returns the time from the request to the first sound of each run; `nil` for one without sound.
    private func startTimes(of runs: [ProgramRun], on server: FaultServer) -> [Duration?] {
        var requested = [ContinuousClock.Instant?](repeating: nil, count: runs.count)
        var started = requested
        _ = runs[0].wait { _ in
            for (number, run) in runs.enumerated() {
                let hasRequest = !server.requests(for: "/\(number).mp3").isEmpty
                if requested[number] == nil, hasRequest { requested[number] = .now }
                let isPlaying = run.outputSoFar.contains(#""state":"playing""#)
                if started[number] == nil, isPlaying { started[number] = .now }
            }
            return !started.contains(nil)
        }
        return zip(requested, started).map { request, start in start.flatMap { request?.duration(to: $0) } }
    }
}
