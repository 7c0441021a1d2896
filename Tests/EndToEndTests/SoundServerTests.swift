// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("A sound server", .enabled(if: ProgramRun.isInstalled("/usr/bin/pulseaudio")))
struct SoundServerTests {
    @Test("Playback on the server ends after the section")
    func plays() throws {
        let server = try PulseServer()
        let outcome = try Earshot().run(
            ["play", DemoEpisodes.path(2), "--until", "0.5", "--output", "pulse:\(PulseServer.sinkName)"],
            environment: ["PULSE_SERVER": server.address])
        #expect(outcome.status == 0 && outcome.sentences == [] && outcome.time > .milliseconds(450))
    }

    @Test("The volume that was chosen with a command is that of the next playback; --volume wins")
    func remembered() throws {
        let server = try PulseServer()
        let earshot = try Earshot()
        let environment = ["PULSE_SERVER": server.address, "XDG_STATE_HOME": earshot.scratch.path("state")]
        let play = { (commands: String, options: [String]) in
            let run = try earshot.start(
                ["play", DemoEpisodes.path(2), "--commands", "-", "--json"] + options, environment: environment,
                keepsInput: true)
            #expect(run.wait { $0.outputSoFar.contains(#""event":"position""#) })
            run.write(commands)
            return try run.wait().events().named("position").first?["volume"]?.number
        }
        #expect(try play("volume 40\nquit\n", []) == 100)
        #expect(try play("quit\n", []) == 40)
        #expect(try play("quit\n", ["--volume", "70"]) == 70)
        #expect(try play("quit\n", []) == 40)
    }

    @Test(
        "A service plays with the volume that was chosen last, also in another process, and only if it is remembered",
        arguments: [("volume", "30"), ("off", "100")])
    func serviceVolume(setting: String, expected: String) throws {
        let server = try PulseServer()
        let run = try ServiceRun()
        let environment = run.environment.merging(["PULSE_SERVER": server.address]) { $1 }
        #expect(try run.run("settings", "set", "remember", setting).status == 0)
        let service = try run.library.earshot.start(["serve"], environment: environment, limit: TimeLimit.event)
        #expect(service.wait { _ in run.status("{state}") == "idle" })
        var connection = try run.connect(to: "player")
        let play = [JSONValue.Member("targets", .array([.string("2")]))]
        _ = try connection.call(.play, play, within: ServiceRun.limit)
        _ = try connection.call(.volume, [.init("percent", .integer(60))], within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state} {volume}") == "playing 60" })
        _ = try connection.call(.stop, within: ServiceRun.limit)
        let other = try run.library.earshot.start(
            ["play", DemoEpisodes.path(2), "--here", "--commands", "-", "--json"], environment: environment,
            keepsInput: true)
        #expect(other.wait { $0.outputSoFar.contains(#""event":"position""#) })
        other.write("volume 30\nquit\n")
        #expect(other.wait().status == 0)
        _ = try connection.call(.play, play, within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state}") == "playing" })
        #expect(run.status("{volume}") == expected)
        run.end(service)
    }

    @Test("The volume of a `play` beside a service applies until playback stops, and is not remembered")
    func joinedVolume() throws {
        let server = try PulseServer()
        let run = try ServiceRun()
        let environment = run.environment.merging(["PULSE_SERVER": server.address]) { $1 }
        let service = try run.serve([], environment)
        let client = try run.library.earshot.start(
            ["play", "2", "--volume", "30"], environment: environment, limit: TimeLimit.event)
        #expect(service.wait { _ in run.status("{state} {volume}") == "playing 30" })
        #expect(try run.run("stop").status == 0)
        _ = client.wait()
        #expect(service.wait { _ in run.status("{state} {volume}") == "idle 100" })
        run.end(service)
        #expect(run.library.earshot.scratch.read("earshot/sound") == [])
    }

    @Test("A volume is remembered before playback ends, and a crash does not replace one that was chosen later")
    func crashedVolume() throws {
        let server = try PulseServer()
        let run = try ServiceRun()
        let sound = { String(decoding: run.library.earshot.scratch.read("earshot/sound"), as: UTF8.self) }
        let first = try run.serve([], ["PULSE_SERVER": server.address])
        var connection = try run.connect(to: "player")
        _ = try connection.call(.play, [.init("targets", .array([.string("2")]))], within: ServiceRun.limit)
        _ = try connection.call(.pause, within: ServiceRun.limit)
        _ = try connection.call(.volume, [.init("percent", .integer(60))], within: ServiceRun.limit)
        #expect(first.wait { _ in sound() == "volume 60\n" && run.record.contains("volume 60\n") })
        #expect(first.wait { _ in run.record.contains("playing no\nopen yes\n") })
        _ = try run.library.earshot.scratch.write(Array("volume 30\n".utf8), to: "earshot/sound")
        first.signal(SIGKILL)
        _ = first.wait()
        let second = try run.serve([], ["PULSE_SERVER": server.address])
        #expect(run.status("{volume}") == "60" && sound() == "volume 30\n")

        // A volume that is chosen at rest replaces it, also after another crash.
        #expect(try run.run("volume", "20").status == 0)
        #expect(second.wait { _ in sound() == "volume 20\n" && !run.record.contains("volume") })
        second.signal(SIGKILL)
        _ = second.wait()
        let third = try run.serve([], ["PULSE_SERVER": server.address])
        #expect(run.status("{volume}") == "20")
        run.end(third)
        #expect(sound() == "volume 20\n")
    }

    @Test("An output is remembered once, when something sounds on it, before playback ends")
    func heardOutput() throws {
        let server = try PulseServer()
        let run = try ServiceRun()
        let sound = { String(decoding: run.library.earshot.scratch.read("earshot/sound"), as: UTF8.self) }
        #expect(try run.run("settings", "set", "remember", "output").status == 0)
        let service = try run.serve(["--output", "pulse:\(PulseServer.sinkName)"], ["PULSE_SERVER": server.address])
        var connection = try run.connect(to: "player")
        _ = try connection.call(.play, [.init("targets", .array([.string("2")]))], within: ServiceRun.limit)
        #expect(service.wait { _ in sound() == "output pulse:\(PulseServer.sinkName)\n" })
        _ = try connection.call(.pause, within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state}") == "paused" })
        // Another process chooses another output later.
        try run.library.earshot.scratch.write(Array("output pulse:desk\n".utf8), to: "earshot/sound")
        _ = try connection.call(.stop, within: ServiceRun.limit)
        _ = try connection.call(.play, [.init("targets", .array([.string("3")]))], within: ServiceRun.limit)
        #expect(service.wait { _ in run.status("{state} {episode}") == "playing 3" })
        run.end(service)
        #expect(sound() == "output pulse:desk\n")
    }

    @Test("A volume that could not be stored is stored at the end, although a volume of the playback replaced it")
    func storedAtEnd() throws {
        let server = try PulseServer()
        let run = try ServiceRun()
        let service = try run.serve([], ["PULSE_SERVER": server.address])
        let folder = run.library.earshot.scratch.path("earshot/sound")
        // A file cannot replace a folder.
        #expect(mkdir(folder, 0o700) == 0)
        var connection = try run.connect(to: "player")
        _ = try connection.call(.play, [.init("targets", .array([.string("2")]))], within: ServiceRun.limit)
        _ = try connection.call(.volume, [.init("percent", .integer(60))], within: ServiceRun.limit)
        let start = try connection.call(.status, within: ServiceRun.limit)["position"]?.double ?? 0
        #expect(
            service.wait { _ in
                let status = try? connection.call(.status, within: ServiceRun.limit)
                return (status?["position"]?.double ?? 0) >= start + 3
            })
        let volume = [JSONValue.Member("percent", .integer(30)), .init("remember", .bool(false))]
        _ = try connection.call(.volume, volume, within: ServiceRun.limit)
        #expect(rmdir(folder) == 0)
        _ = try connection.call(.stop, within: ServiceRun.limit)
        #expect(String(decoding: run.library.earshot.scratch.read("earshot/sound"), as: UTF8.self) == "volume 60\n")
        run.end(service)
    }

    @Test("If the remembered sink is missing, the default one plays, with a remark")
    func rememberedSinkGone() throws {
        let server = try PulseServer()
        let run = try FeedRun()
        try run.subscribe()
        _ = try run.run("settings", "set", "remember", "both")
        let state = run.earshot.scratch.path("state")
        for folder in [state, state + "/earshot"] { #expect(mkdir(folder, 0o700) == 0) }
        _ = try run.earshot.scratch.write(Array("output pulse:gone\n".utf8), to: "state/earshot/sound")
        let outcome = try run.earshot.run(
            ["play", DemoEpisodes.path(2), "--until", "0.5"],
            environment: run.environment.merging(["PULSE_SERVER": server.address, "XDG_STATE_HOME": state]) { $1 })
        #expect(outcome.status == 0 && outcome.sentences.count == 1, "\(outcome.errors)")
        let remark = "cannot play on the remembered output pulse:gone: there is no sound device \"gone\""
        #expect(outcome.errors.contains(remark), "\(outcome.errors)")
    }

    @Test("A missing sink fails with one message")
    func noSink() throws {
        let server = try PulseServer()
        let outcome = try Earshot().run(
            ["play", DemoEpisodes.path(2), "--output", "pulse:nosuchsink"],
            environment: ["PULSE_SERVER": server.address])
        try expectOneSentence(outcome, about: "sound output", "there is no sound device \"nosuchsink\"; ", 69)
        #expect(!outcome.errors.contains("without a sound server"))
    }

    @Test("Playback reports a restart of the server and continues to the end")
    func restarted() throws {
        let server = try PulseServer()
        let run = try Earshot().start(
            ["play", DemoEpisodes.path(2), "--commands", "-", "--json"], environment: ["PULSE_SERVER": server.address],
            keepsInput: true)
        #expect(run.wait { $0.outputSoFar.contains(#""state":"playing""#) })
        server.kill()
        #expect(run.wait { $0.errorsSoFar.contains("waiting for it") })
        _ = try server.restart()
        #expect(run.wait { $0.outputSoFar.contains(#""phase":"restored""#) })
        run.write("seek 95%\n")
        let outcome = run.wait()
        let phases = try outcome.events().named("output").map { $0["phase"] }
        #expect(phases == [.string("interrupted"), .string("restored")])
        #expect(try outcome.events().named("state").contains { $0["state"] == .string("noDevice") })
        #expect(outcome.status == 0 && outcome.sentences.count == 1, "\(outcome.errors)")
    }

    @Test("A loop reports a restart of the server and continues")
    func restartedLoop() throws {
        let server = try PulseServer()
        let before = try server.capture()
        let run = try Earshot().start(
            ["loop", DemoEpisodes.path(2), "1-4", "--times", "3"], environment: ["PULSE_SERVER": server.address])
        #expect(run.wait { _ in before.samples().contains { $0 != 0 } })
        server.kill()
        #expect(run.wait { $0.errorsSoFar.contains("retrying") })
        let after = try server.restart()
        let outcome = run.wait()
        #expect(after.samples().contains { $0 != 0 })
        #expect(outcome.status == 0 && outcome.sentences.count == 1, "\(outcome.errors)")
    }

    @Test("A loop of a section that downloads more slowly than it plays is played to its end")
    func slowDownload() throws {
        let server = try PulseServer()
        let recording = try server.capture()
        let web = try DemoEpisodes.server { _, script in script.rate = 6_000 }
        let earshot = try Earshot()
        let outcome = try earshot.run(
            ["loop", web.url("/part2.mp3"), "0-2", "--times", "1", "--keep-dir", earshot.keepPath],
            environment: ["PULSE_SERVER": server.address])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let enough = 3 * DemoEpisodes.sampleRate
        let soundCount = recording.wait { $0.count { $0 != 0 } > enough }.count { $0 != 0 }
        #expect(soundCount > enough, "\(soundCount) samples that are not zero")
    }

    @Test("After the server was killed, playback reports it once, accepts commands, and quits immediately")
    func killed() throws {
        let server = try PulseServer()
        let run = try Earshot().start(
            ["play", DemoEpisodes.path(2), "--commands", "-", "--json"], environment: ["PULSE_SERVER": server.address],
            keepsInput: true)
        #expect(run.wait { $0.outputSoFar.contains(#""state":"playing""#) })
        server.kill()
        #expect(run.wait { $0.errorsSoFar.contains("waiting for it") })
        run.write("pause\nseek 3\n")
        #expect(run.wait { $0.outputSoFar.contains(#""position":3.0"#) })
        let start = ContinuousClock.now
        run.write("quit\n")
        let outcome = run.wait()
        #expect(ContinuousClock.now - start < TimeLimit.shortRun)
        #expect(outcome.status == 0 && outcome.sentences.count == 1, "\(outcome.errors)")
    }

    @Test("A process stopped for 1.5 s continues at the next sample")
    func stopped() throws {
        let server = try PulseServer()
        let capture = try server.capture()
        let run = try Earshot().start(
            ["play", DemoEpisodes.path(2), "--from", "5", "--until", "6.5"],
            environment: ["PULSE_SERVER": server.address])
        #expect(run.wait { _ in capture.samples().contains { $0 != 0 } })
        run.signal(SIGSTOP)
        usleep(1_500_000)
        run.signal(SIGCONT)
        let outcome = run.wait()
        let rate = DemoEpisodes.sampleRate
        let wanted = Self.floats(try DemoEpisodes.samples(2), frames: rate * 5..<rate * 13 / 2).filter { $0 != 0 }
        let heard = capture.wait { $0.count { $0 != 0 } >= wanted.count }.filter { $0 != 0 }
        #expect(outcome.status == 0 && outcome.sentences == [])
        #expect(wanted.count > 10_000 && firstDifference(heard, wanted) == nil)
    }

    @Test(
        "Removing the sink of an unattended session ends it with one message",
        arguments: [["play", DemoEpisodes.path(2)], ["loop", DemoEpisodes.path(2), "1-"]])
    func unplugged(command: [String]) throws {
        let server = try PulseServer()
        let module = try server.addSink("headphones")
        let capture = try server.capture("headphones")
        let run = try Earshot().start(
            command + ["--output", "pulse:headphones"], environment: ["PULSE_SERVER": server.address])
        #expect(run.wait { _ in capture.samples().contains { $0 != 0 } })
        try server.control("unload-module", module)
        let outcome = run.wait()
        #expect(outcome.status == 69 && !outcome.isOverdue)
        #expect(outcome.sentences == ["earshot: the sound device was unplugged: paused"], "\(outcome.errors)")
    }

    private static func floats(_ bytes: [UInt8], frames: Range<Int>) -> [Float] {
        bytes.withUnsafeBytes { bytes in
            (frames.lowerBound * 2..<frames.upperBound * 2).map { number in
                let bits = bytes.loadUnaligned(fromByteOffset: number * 4, as: UInt32.self)
                return Float(bitPattern: UInt32(littleEndian: bits))
            }
        }
    }
}
