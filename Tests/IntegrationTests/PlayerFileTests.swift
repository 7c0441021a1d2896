// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import Media
import Playback
import Testing

/// A sequence of server faults.
struct FaultSequence: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The answers for an episode, one after the other.
    let answers: @Sendable (FaultScript) -> [FaultScript]
    var requests = 1

    static let all: [FaultSequence] = [
        FaultSequence(testDescription: "none") { [$0] },
        FaultSequence(testDescription: "three times the bit rate") { whole in [whole.with { $0.rate = 120_000 }] },
        FaultSequence(
            testDescription: "two resets",
            answers: { [$0.cut(after: 66_000, .reset), $0.cut(after: 70_000, .reset), $0] }, requests: 3),
        FaultSequence(
            testDescription: "a reset, then the whole file instead of the rest",
            answers: { whole in [whole.cut(after: 90_000, .reset), whole.with { $0.ranges = .ignored }] }, requests: 2),
        FaultSequence(
            testDescription: "a short body, then parts of 70 kB",
            answers: { whole in [whole.cut(after: 80_000), whole.with { $0.ranges = .capped(70_000) }] }, requests: 3),
        FaultSequence(testDescription: "a body without a length") { whole in [whole.with { $0.framing = .chunked }] },
        FaultSequence(testDescription: "a stall of half a second") {
            [$0.stalled(after: 50_000, for: .milliseconds(500))]
        },
        FaultSequence(
            testDescription: "an error response first", answers: { [.status(503), $0] }, requests: 2),
    ]
}

@Suite("The whole path into a file", .serialized, .fileLane)
struct PlayerFileTests {
    private let scratch: ScratchDirectory

    init() throws { scratch = ScratchDirectory() }

    private func record(_ places: [String]) async -> (run: PlayerRun, samples: [UInt8]) {
        await PlayerRun.record(places.map { .init(place: $0) }, keeping: scratch)
    }

    private func expectKept(_ numbers: [Int]) {
        let names = scratch.names(in: "keep").filter { !$0.hasSuffix(".index") && !$0.hasSuffix(".origin") }
        #expect(names.count == numbers.count)
        for (name, number) in zip(names, numbers.sorted()) {
            #expect(name.hasPrefix("part\(number)-"))
            #expect(firstDifference(scratch.read("keep/" + name), DemoEpisodes.bytes(number)) == nil)
        }
    }

    @Test("With any server fault each byte is kept and each sample is played once", arguments: FaultSequence.all)
    func hardships(hardship: FaultSequence) async throws {
        let server = try DemoEpisodes.server()
        for number in [2, 3] { server.serve("/part\(number).mp3", hardship.answers(DemoEpisodes.episode(number))) }
        let (run, samples) = await record([server.url("/part2.mp3"), server.url("/part3.mp3")])
        #expect(run.failures == [])
        #expect(firstDifference(samples, try DemoEpisodes.samples([2, 3])) == nil)
        #expect(server.requests(for: "/part2.mp3").count >= hardship.requests)
        expectKept([2, 3])
    }

    @Test("An episode plays from a slow nginx, then from disk without a request", .enabled(if: NginxServer.isInstalled))
    func nginx() async throws {
        let files = Dictionary(uniqueKeysWithValues: [1, 5, 6].map { ("part\($0).mp3", DemoEpisodes.bytes($0)) })
        let server = try NginxServer(files, rate: 300_000)
        let places = [1, 5, 6].map { server.url("/part\($0).mp3") }
        for _ in 0..<2 {
            let (run, samples) = await record(places)
            #expect(run.failures == [])
            #expect(firstDifference(samples, try DemoEpisodes.samples([1, 5, 6])) == nil)
            expectKept([1, 5, 6])
        }
        // nginx writes its log after the response.
        #expect(await eventually { server.requests.count >= 3 })
        #expect(server.requests.map(\.status) == [200, 200, 200])
    }

    @Test("An interrupted download from nginx resumes with If-Range", .enabled(if: NginxServer.isInstalled))
    func nginxResumed() async throws {
        let server = try NginxServer(["part6.mp3": DemoEpisodes.bytes(6)], rate: 100_000)
        let place = server.url("/part6.mp3")
        let first = PlayerRun([.init(place: place)], into: NullSink(pace: .realTime), keeping: scratch)
        let hasSome = await first.wait { ($0.player.status.downloadProgress?.extents.count ?? 0) > 120_000 }
        let isOver = await first.stop()
        #expect(hasSome && isOver)
        let (run, samples) = await record([place])
        #expect(run.failures == [])
        #expect(firstDifference(samples, try DemoEpisodes.samples(6)) == nil)
        expectKept([6])
        // nginx writes its log with a delay.
        #expect(await run.wait { _ in server.requests.count == 2 })
        // Sort by status, because the log order is the order of the ends, and the abandoned request ends at any time.
        #expect(server.requests.map(\.status).sorted() == [200, 206])
        #expect(server.requests.filter { $0.status == 206 }.allSatisfy { $0.ifRange != nil && $0.range != nil })
    }

    @Test("A seek to downloaded data lands on the exact frame, even while the rest is downloading")
    func seek() async throws {
        let server = try DemoEpisodes.server { $1.rate = 150_000 }
        let sink = FileSink(path: scratch.path("out.raw"), container: .raw)
        let run = PlayerRun(
            [.init(place: server.url("/part2.mp3"), from: .seconds(3), until: .seconds(5))], into: sink,
            keeping: scratch)
        let isOver = await run.playOut()
        #expect(isOver && run.failures == [])
        let wanted = try DemoEpisodes.samples(2)[(3 * 44_100 * 8)..<(5 * 44_100 * 8)]
        #expect(firstDifference(scratch.read("out.raw"), wanted) == nil)
    }
}
