// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("earshot download")
struct DownloadTests {
    @Test("A download stores the whole episode and prints its path; the next run revalidates it by its ETag")
    func whole() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        for _ in 0..<2 {
            let outcome = try earshot.download([server.url("/part1.mp3")])
            #expect(outcome.status == 0 && outcome.sentences == [], "\(outcome.errors)")
            #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == DemoEpisodes.bytes(1))
            #expect(outcome.outputText == "\(earshot.keepPath)/\(earshot.kept[0])\n")
        }
        try expectRevalidation(server.requests, etag: "\"part1\"")
    }

    @Test("A stored episode is available while its server is down")
    func offline() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let first = try earshot.download([server.url("/part1.mp3")])
        server.stop()
        let second = try earshot.download([server.url("/part1.mp3")])
        #expect(first.status == 0 && second.status == 0 && second.sentences == [], "\(second.errors)")
        #expect(second.outputText == first.outputText && second.errors.contains("already on disk"))
    }

    @Test("Several feeds with all their episodes are downloaded one after the other, and each file only once")
    func several() throws {
        let server = try DemoEpisodes.server()
        server.serve("/more.xml", ServedFeed("More", [.demo(2, on: server)]).script)
        let earshot = try Earshot()
        let outcome = try earshot.download(
            [server.url("/more.xml"), server.url("/demo.xml")], ["--episode", "all"])
        #expect(outcome.status == 0 && server.mostAtOnce == 1)
        let expected = [2, 1, 2, 3, 4, 5, 6].map { number in "part\(number)-" }
        let lines = outcome.outputText.split(separator: "\n").map { $0.dropFirst(earshot.keepPath.utf8.count + 1) }
        #expect(lines.count == 7 && zip(lines, expected).allSatisfy { $0.hasPrefix($1) })
        for number in 1...6 { #expect(earshot.bytes(kept: earshot.kept[number - 1]) == DemoEpisodes.bytes(number)) }
        #expect(server.requests(for: "/part2.mp3").count == 1)
    }

    @Test("--episode refuses an audio file, and the other targets are downloaded")
    func choiceOfFile() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let outcome = try earshot.download(
            [server.url("/part2.mp3"), server.url("/demo.xml")], ["--episode", "latest"])
        #expect(outcome.status == 66 && outcome.sentences.count == 1, "\(outcome.errors)")
        let refusal = "earshot: \(server.url("/part2.mp3")): not a podcast or feed: --episode selects from"
        #expect(outcome.sentences.first?.hasPrefix(refusal) == true, "\(outcome.errors)")
        #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == DemoEpisodes.bytes(6))
        #expect(server.requests(for: "/part2.mp3").isEmpty)
    }

    @Test(
        "play and download resume each other's partial file, whether named by feed or by address",
        arguments: [true, false], ["/", "/part4.mp3"])
    func shared(playsFirst: Bool, path: String) throws {
        let server = try DemoEpisodes.server()
        server.serve(path, DemoEpisodes.episode(4).slow(after: 90_000), DemoEpisodes.episode(4))
        let feed =
            "<rss version='2.0'><channel><title>P</title><item><title>A title</title>"
            + "<enclosure type='audio/mpeg' url='\(server.url(path))'/></item></channel></rss>"
        server.serve("/feed", FaultScript(body: Array(feed.utf8), contentType: "application/rss+xml"))
        let earshot = try Earshot()
        let (first, second) = (server.url("/feed"), server.url(path))
        let run = playsFirst ? try earshot.startPlaying([first]) : try earshot.startDownloading([first])
        #expect(run.wait { _ in earshot.recordedBytes >= 64 << 10 })
        run.signal(SIGTERM)
        #expect(run.wait().status == 143 && earshot.kept.allSatisfy { $0.contains(".partial") })
        let outcome = playsFirst ? try earshot.download([second]) : try earshot.play([second])
        #expect(outcome.status == 0 && outcome.sentences == [])
        #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == DemoEpisodes.bytes(4))
        let last = try #require(server.requests(for: path).last)
        #expect(last.status == 206 && last.bytesSent < 325_411 - 30_000)
    }

    @Test("After a kill the next run requests only the missing bytes")
    func killed() throws {
        let server = try DemoEpisodes.server { $1 = $1.slow(after: 130_000) }
        let earshot = try Earshot()
        let run = try earshot.startDownloading([server.url("/part4.mp3")])
        #expect(run.wait { _ in earshot.recordedBytes >= 96 << 10 })
        run.signal(SIGKILL)
        #expect(run.wait().status == 137 && earshot.kept.allSatisfy { $0.contains(".partial") })
        server.serve("/part4.mp3", DemoEpisodes.episode(4))
        #expect(try earshot.download([server.url("/part4.mp3")]).status == 0)
        #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == DemoEpisodes.bytes(4))
        let last = try #require(server.requests(for: "/part4.mp3").last)
        #expect(last.status == 206 && last.bytesSent < 325_411 - 50_000)
    }

    @Test("A second download of the same episode reports the first one and ends")
    func twoAtOnce() throws {
        let server = try DemoEpisodes.server { $1 = $1.slow(after: 40_000) }
        let earshot = try Earshot()
        let run = try earshot.startDownloading([server.url("/part4.mp3")])
        #expect(run.wait { _ in !server.requests.isEmpty })
        let second = try earshot.download([server.url("/part4.mp3")])
        try expectOneSentence(second, about: server.url("/part4.mp3"), "another earshot process is downloading it", 75)
        #expect(run.isRunning)
        run.signal(SIGTERM)
        #expect(run.wait().status == 143)
    }

    @Test("INT and TERM stop a download promptly and keep the received bytes", arguments: [SIGINT, SIGTERM])
    func signals(signal: CInt) throws {
        let server = try DemoEpisodes.server { $1 = $1.slow(after: 60_000) }
        let earshot = try Earshot()
        let run = try earshot.startDownloading([server.url("/part1.mp3")])
        #expect(run.wait { _ in earshot.recordedBytes > 20_000 })
        let start = ContinuousClock.now
        run.signal(signal)
        let outcome = run.wait()
        #expect(outcome.status == 128 + signal && ContinuousClock.now - start < TimeLimit.shortRun)
        #expect(outcome.output == [] && earshot.kept.count == 2)
        #expect(DemoEpisodes.bytes(1).starts(with: earshot.bytes(kept: earshot.kept[0])))
    }

    @Test("Without a terminal the output has one line each for the start, a retry, the resumption and the end")
    func plain() throws {
        let server = try DemoEpisodes.server()
        let whole = DemoEpisodes.episode(2)
        // Slow, so that the session sees each state of the download.
        server.serve("/part2.mp3", whole.cut(after: 70_000), whole.with { $0.rate = 80_000 })
        let earshot = try Earshot()
        let outcome = try earshot.download([server.url("/part2.mp3")], environment: ["TERM": "xterm-256color"])
        let lines = outcome.errors.split(separator: "\n").map(String.init)
        // Some bytes may have arrived before the first line; then the line contains their number.
        #expect(lines.count == 4 && lines[0].hasPrefix("downloading: part2.mp3"), "\(outcome.errors)")
        #expect(lines[1].contains(", retrying") && lines[1].hasSuffix(": part2.mp3"))
        #expect(lines[2] == "resumed: part2.mp3")
        #expect(lines[3].hasPrefix("done: part2.mp3, 225 kB in 0:"))
        #expect(!outcome.errors.contains("\u{1B}") && !outcome.errors.contains("\r"))
        let quiet = try Earshot().download([server.url("/part2.mp3")], ["--quiet"])
        #expect(quiet.errors == "" && quiet.outputText.hasSuffix(".mp3\n"))
    }

    @Test("With --json every line is an object with the documented keys")
    func json() throws {
        let server = try DemoEpisodes.server { $1.rate = 80_000 }
        let earshot = try Earshot()
        let outcome = try earshot.download(
            [server.url("/part1.mp3"), server.url("/none.mp3")], ["--json"])
        let events = try outcome.events()
        let keys: [String: Set<String>] = [
            "download": ["phase", "track", "title", "podcast", "location", "path", "kept"],
            "progress": ["track", "download", "left", "reason"],
            "error": ["kind", "status", "subject", "reason", "track"], "ended": [],
        ]
        for event in events {
            #expect(event.keys == keys[event["event"]?.text ?? ""]?.union(["event"]))
        }
        let progress = events.named("progress").compactMap { $0["download"] }
        #expect(progress.allSatisfy { $0.keys == ["state", "bytes", "total", "rate"] })
        #expect(progress.contains { $0["state"] == .string("receiving") && $0["total"] == .number(156_894) })
        #expect(events.named("download").map { $0["phase"]?.text } == ["begin", "end", "begin"])
        #expect(events.named("download")[1]["path"]?.text == "\(earshot.keepPath)/\(earshot.kept[0])")
        #expect(events.named("error").map { $0["status"] } == [.number(66)] && outcome.status == 66)
        #expect(events.last?["event"] == .string("ended"))
    }
}
