// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("Kept downloads")
struct KeptDownloadTests {
    @Test("A complete episode plays again without a request")
    func complete() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let first = try earshot.record([server.url("/demo.xml")])
        #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == DemoEpisodes.bytes(6))
        let second = try earshot.record([server.url("/demo.xml")])
        #expect(first.outcome.status == 0 && second.outcome.status == 0)
        #expect(try first.samples == DemoEpisodes.samples(6) && second.samples == first.samples)
        #expect(server.requests(for: "/part6.mp3").count == 1)
        server.stop()
        #expect(try earshot.record([server.url("/part6.mp3")]).outcome.status == 0)
    }

    @Test(
        "An interrupted transfer resumes at the same byte, and no samples are lost",
        arguments: [
            FaultScript.Cut.Kind.fin, .reset,
        ])
    func broken(kind: FaultScript.Cut.Kind) throws {
        let server = try DemoEpisodes.server()
        let whole = DemoEpisodes.episode(2)
        server.serve("/part2.mp3", whole.cut(after: 70_000, kind), whole.cut(after: 80_000, kind), whole)
        let earshot = try Earshot()
        let (outcome, samples) = try earshot.record([server.url("/part2.mp3")])
        #expect(outcome.status == 0 && outcome.sentences == [])
        #expect(try samples == DemoEpisodes.samples(2))
        #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == DemoEpisodes.bytes(2))
        try expectContinuation(server.requests(for: "/part2.mp3").dropFirst(), after: 60_000)
    }

    @Test("A server without ranges sends the whole episode again, and no samples are lost")
    func withoutRanges() throws {
        let server = try DemoEpisodes.server()
        let whole = DemoEpisodes.episode(2).with { $0.ranges = .ignored }
        server.serve("/part2.mp3", whole.cut(after: 70_000), whole)
        let earshot = try Earshot()
        let (outcome, samples) = try earshot.record([server.url("/part2.mp3")])
        #expect(try outcome.status == 0 && samples == DemoEpisodes.samples(2))
        #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == DemoEpisodes.bytes(2))
    }

    @Test("After a signal the next run requests only the missing bytes", arguments: [SIGINT, SIGKILL])
    func killed(signal: CInt) throws {
        let server = try DemoEpisodes.server { $1 = $1.slow(after: 130_000) }
        let earshot = try Earshot()
        let run = try earshot.startPlaying([server.url("/part4.mp3")])
        let enough: Int64 = 96 << 10
        #expect(run.wait { _ in earshot.recordedBytes >= enough })
        run.signal(signal)
        let outcome = run.wait()
        #expect(outcome.status == 128 + signal && !outcome.isOverdue)
        #expect(!earshot.kept.isEmpty && earshot.kept.allSatisfy { $0.contains(".partial") })
        server.serve("/part4.mp3", DemoEpisodes.episode(4))
        let (second, samples) = try earshot.record([server.url("/part4.mp3")])
        #expect(try second.status == 0 && samples == DemoEpisodes.samples(4))
        #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == DemoEpisodes.bytes(4))
        try expectContinuation(server.requests(for: "/part4.mp3").dropFirst(), after: enough - 32 << 10)
    }

    @Test("A new version on the server replaces a part of the old one and is never mixed with it")
    func changed() throws {
        let (server, isHeard) = (try FaultServer(), Gate())
        // A version of which nothing was read is replaced without a message.
        server.handle("/part3.mp3") { _, earlier in
            guard earlier > 0 else { return DemoEpisodes.episode(2).cut(after: 70_000) }
            isHeard.pass()
            return DemoEpisodes.episode(3)
        }
        let earshot = try Earshot()
        let run = try earshot.startPlaying(
            [server.url("/part3.mp3")], output: "raw:" + earshot.scratch.path("out.raw"))
        #expect(run.wait { _ in !earshot.scratch.read("out.raw").isEmpty })
        isHeard.open()
        let (outcome, samples) = (run.wait(), earshot.scratch.read("out.raw"))
        try expectOneSentence(outcome, about: server.url("/part3.mp3"), "the episode changed on the server", 0)
        // The versions have no common bytes and little was played: the new version plays from its beginning.
        let (old, new) = (try DemoEpisodes.samples(2), try DemoEpisodes.samples(3))
        let heard = samples.count - new.count
        #expect(heard > 0 && firstDifference(samples.prefix(heard), old.prefix(heard)) == nil)
        #expect(firstDifference(samples.suffix(new.count), new) == nil)
        #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == DemoEpisodes.bytes(3))
    }

    /// Requires that each request continues where the one before stopped, in the version that the first one began.
    private func expectContinuation(_ requests: ArraySlice<FaultRequest>, after least: Int64) throws {
        #expect(!requests.isEmpty)
        for request in requests {
            let range = try #require(request.range)
            let first = try #require(Int64(range.dropFirst("bytes=".count).prefix { $0.isNumber }))
            #expect(first >= least)
            #expect(request.ifRange?.hasPrefix("\"part") == true && request.status == 206)
        }
    }
}
