// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("Playing an episode that another process downloads")
struct FollowedDownloadTests {
    private func begin(_ earshot: Earshot, _ first: FaultScript) throws -> (FaultServer, ProgramRun) {
        let server = try DemoEpisodes.server()
        server.serve("/part4.mp3", first, DemoEpisodes.episode(4))
        let run = try earshot.startDownloading([server.url("/part4.mp3")])
        #expect(run.wait { _ in earshot.recordedBytes > 90_000 })
        return (server, run)
    }

    @Test("play follows a download in another process to the end without a request")
    func follows() throws {
        let earshot = try Earshot()
        let (server, run) = try begin(earshot, DemoEpisodes.episode(4).with { $0.rate = 100_000 })
        let (outcome, samples) = try earshot.record([server.url("/part4.mp3")])
        #expect(outcome.status == 0 && outcome.sentences == [])
        #expect(samples == (try DemoEpisodes.samples(4)))
        #expect(server.requests(for: "/part4.mp3").count == 1)
        #expect(run.wait().status == 0)
        #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == DemoEpisodes.bytes(4))
    }

    @Test("play continues the download when the other process is killed or stopped", arguments: [SIGKILL, SIGINT])
    func takesOver(signal: CInt) throws {
        let earshot = try Earshot()
        let (server, run) = try begin(earshot, DemoEpisodes.episode(4).slow(after: 150_000, rate: 10_000))
        let player = try earshot.startPlaying(
            [server.url("/part4.mp3")], output: "raw:" + earshot.scratch.path("out.raw"))
        #expect(player.wait { _ in earshot.scratch.read("out.raw").count > 8000 })
        run.signal(signal)
        #expect(run.wait().status == 128 + signal)
        #expect(player.wait().status == 0)
        #expect(earshot.scratch.read("out.raw") == (try DemoEpisodes.samples(4)))
        let requests = server.requests(for: "/part4.mp3")
        #expect(requests.count == 2 && requests.last?.status == 206)
        #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == DemoEpisodes.bytes(4))
    }

    @Test("play waits for a later position, and names the other process as the reason")
    func waits() throws {
        let earshot = try Earshot()
        let (server, run) = try begin(earshot, DemoEpisodes.episode(4).slow(after: 150_000))
        let player = try earshot.startPlaying([server.url("/part4.mp3")], ["--from", "95%"])
        #expect(player.wait { $0.errorsSoFar.contains("waiting for") }, "\(player.errorsSoFar)")
        let reason = "another earshot is downloading this; waiting for that position"
        #expect(player.errorsSoFar.contains(reason) && !player.errorsSoFar.contains("the server"))
        #expect(run.isRunning)
        for program in [player, run] { program.signal(SIGINT) }
        for program in [player, run] { #expect(program.wait().status == 130) }
    }

    @Test("Two processes can play the same episode at the same time")
    func twoPlayers() throws {
        let server = try DemoEpisodes.server { $1.rate = 100_000 }
        let earshot = try Earshot()
        let runs = try (1...2).map { number in
            try earshot.startPlaying(
                [server.url("/part1.mp3")], output: "raw:" + earshot.scratch.path("out\(number).raw"))
        }
        for run in runs { #expect(run.wait().status == 0) }
        for number in 1...2 {
            #expect(earshot.scratch.read("out\(number).raw") == (try DemoEpisodes.samples(1)))
        }
        #expect(server.requests(for: "/part1.mp3").count <= 2)
    }
}
