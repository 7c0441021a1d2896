// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("A sound server", .secondLane, .enabled(if: ProgramRun.isInstalled("/usr/bin/pulseaudio")))
struct SoundServerTests {
    @Test("it plays there, and ends by itself")
    func plays() throws {
        let server = try PulseServer()
        let outcome = try Earshot().run(
            ["play", DemoEpisodes.path(2), "--until", "0.5", "--output", "pulse:\(PulseServer.sinkName)"],
            environment: ["PULSE_SERVER": server.address])
        #expect(outcome.status == 0 && outcome.sentences == [] && outcome.time > .milliseconds(450))
    }

    @Test("a sink that is not there is one sentence")
    func noSink() throws {
        let server = try PulseServer()
        let outcome = try Earshot().run(
            ["play", DemoEpisodes.path(2), "--output", "pulse:nosuchsink"],
            environment: ["PULSE_SERVER": server.address])
        try expectOneSentence(outcome, about: "sound output", "", 69, within: .seconds(3))
    }

    @Test("killed while it plays: a sentence within two seconds; it is tried again until somebody wants it to end")
    func killed() throws {
        let server = try PulseServer()
        let run = try Earshot().start(["play", DemoEpisodes.path(2)], environment: ["PULSE_SERVER": server.address])
        #expect(run.wait { $0.errorsSoFar.contains("playing ") })
        let start = ContinuousClock.now
        server.kill()
        #expect(run.wait { $0.errorsSoFar.contains("earshot: sound output: ") })
        #expect(ContinuousClock.now - start < .seconds(2))
        run.signal(SIGTERM)
        let outcome = run.wait()
        #expect(outcome.status == 143 && outcome.sentences.count == 1, "\(outcome.errors)")
    }
}
