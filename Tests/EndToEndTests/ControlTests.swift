// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import ControlTestSupport
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("Control from another process")
struct ControlTests {
    private let earshot: Earshot
    private let environment: [String: String]

    init() throws {
        earshot = try Earshot()
        environment = ["XDG_RUNTIME_DIR": earshot.scratch.path]
    }

    private func start(_ options: String...) throws -> ProgramRun {
        try earshot.start(
            ["play", DemoEpisodes.path(2), "--output", "null", "--commands", "-", "--json"] + options,
            environment: environment, keepsInput: true, limit: TimeLimit.event)
    }

    private func run(_ arguments: String...) throws -> ProgramRun.Outcome {
        try earshot.run(arguments, environment: environment)
    }

    @Test("Commands reach the playback of another process until it ends")
    func commands() throws {
        let play = try start()
        #expect(play.wait { $0.outputSoFar.contains(#""state":"playing""#) })
        #expect(try run("pause").status == 0)
        #expect(play.wait { $0.outputSoFar.contains(#""state":"paused""#) })
        #expect(try run("seek", "5").status == 0)
        #expect(play.wait { $0.outputSoFar.contains(#""position":5.0"#) })
        #expect(try run("seek", "-2").status == 0)
        #expect(play.wait { $0.outputSoFar.contains(#""position":3.0"#) })
        #expect(try run("volume", "50").status == 0)
        #expect(try run("volume", "--", "-10").status == 0)
        #expect(play.wait { $0.outputSoFar.contains(#""volume":40"#) })
        #expect(try run("status", "--format", "{state} {position} {volume}").outputText == "paused 0:03 40\n")
        #expect(try run("sleep", "episode").status == 0)
        #expect(play.wait { $0.outputSoFar.contains(#""sleep":{"episodes":1"#) })
        #expect(try run("sleep", "soon").status == 64)
        #expect(try run("chapter", "").status == 64)
        let chapter = try run("chapter", "next")
        #expect(chapter.status == 66 && chapter.errors == "earshot: the episode has no chapters\n")
        let next = try run("next")
        #expect(next.status == 66 && next.errors == "earshot: there is no next item\n")
        #expect(try run("stop").status == 0)
        #expect(play.wait().status == 0)
        let after = try run("pause")
        #expect(after.status == 69 && after.errors == "earshot: nothing is playing; to start: earshot play\n")
    }

    @Test("The last line of a stopped playback says that it stopped")
    func stopped() throws {
        let play = try earshot.start(
            ["play", DemoEpisodes.path(2), "--output", "null"], environment: environment, limit: TimeLimit.event)
        #expect(play.wait { $0.errorsSoFar.contains("playing ") })
        #expect(try run("stop").status == 0)
        let outcome = play.wait()
        let last = outcome.errors.split(separator: "\n").last ?? ""
        #expect(outcome.status == 0 && last.hasPrefix("stopped 0:"), "\(outcome.errors)")
    }

    @Test("`stop` fails if the process that plays does not end")
    func endless() throws {
        let owner = try EchoOwner(in: RuntimeFolder.open(environment: environment, creates: true), as: .play)
        let outcome = try run("stop")
        let sentence = "earshot: the player accepted the request, but has not ended yet\n"
        #expect(outcome.status == 75 && outcome.errors == sentence)
        owner.stop()
    }

    @Test("A command without an effect is refused with the reason and the matching exit status")
    func refused() throws {
        let play = try start()
        #expect(play.wait { $0.outputSoFar.contains(#""state":"playing""#) })
        let limit = TimeLimit.event
        var connection = try ControlConnection(
            to: RuntimeFolder.open(environment: environment, creates: false), within: limit)
        for (line, reason) in [("next-chapter", "the episode has no chapters"), ("next", "there is no next item")] {
            var refusal: ControlConnection.Failure?
            // Until the player has executed the commands of the start, one of them may give this one an effect.
            let isRefused = play.wait { _ in
                do throws(ControlConnection.Failure) {
                    _ = try connection.call(.command, [.init("line", .string(line))], within: limit)
                } catch {
                    refusal = error
                }
                return refusal != nil
            }
            #expect(isRefused)
            #expect(refusal == .refused(ControlError(reason, kind: "missing", status: 66)))
        }
        play.write("quit\n")
        #expect(play.wait().status == 0)
    }

    @Test("A second playback runs beside the first one, and --here leaves the socket alone")
    func beside() throws {
        let apart = try start("--here")
        #expect(apart.wait { $0.outputSoFar.contains(#""state":"playing""#) })
        #expect(try run("status").status == 69)
        let owner = try start("--repeat", "one")
        #expect(owner.wait { $0.outputSoFar.contains(#""state":"playing""#) })
        let second = try start()
        #expect(second.wait { $0.outputSoFar.contains(#""state":"playing""#) })
        #expect(try run("stop").status == 0)
        #expect(owner.wait().status == 0)
        for play in [apart, second] {
            play.write("quit\n")
            #expect(play.wait().status == 0)
        }
    }

    @Test("After a killed playback, nothing is playing, and the next one takes its place")
    func killed() throws {
        let first = try start()
        #expect(first.wait { $0.outputSoFar.contains(#""state":"playing""#) })
        first.signal(SIGKILL)
        _ = first.wait()
        #expect(try run("status").status == 69)
        let second = try start()
        #expect(second.wait { $0.outputSoFar.contains(#""state":"playing""#) })
        #expect(try run("stop").status == 0)
        #expect(second.wait().status == 0)
    }

    @Test("Playback without a usable runtime folder works as before")
    func noFolder() throws {
        let outcome = try earshot.run(["play", DemoEpisodes.path(2), "--until", "0.5", "--output", "null"])
        #expect(outcome.status == 0 && outcome.sentences == [])
    }
}
