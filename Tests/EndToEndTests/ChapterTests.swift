// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("Chapters")
struct ChapterTests {
    private static let starts = [0, 1000, 2500]
    private static let titles = ["Opening", "The storm", "Calm"]
    /// A file with chapters in its tag.
    private static let file =
        MP3Builder.chapterTag(starts, titles: titles, end: 4000) + DemoEpisodes.bytes(1)

    private func server() throws -> FaultServer {
        let server = try FaultServer()
        server.serve("/tagged.mp3", FaultScript(body: Self.file))
        return server
    }

    private func frames(_ milliseconds: Int) -> Int { DemoEpisodes.sampleRate * milliseconds / 1000 }

    @Test("The chapters of a file and each change are events with the documented keys")
    func events() throws {
        let server = try server()
        let outcome = try Earshot().play([server.url("/tagged.mp3")], ["--json"])
        let events = try outcome.events()
        #expect(outcome.status == 0)
        for event in events {
            let name = try #require(event["event"]?.text)
            #expect(event.keys == EventTests.keys[name]?.union(["event"]))
        }
        let list = try #require(events.named("chapters").first)
        #expect(list["source"]?.text == "file" && list["approximate"] == .bool(false))
        // On a busy machine, a chapter that is shorter than a round of the player may not be announced.
        let numbers = events.named("chapter").compactMap { $0["number"]?.number }
        #expect(!numbers.isEmpty && numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(events.named("chapter").last?["number"] == .null, "the last chapter has ended")
    }

    @Test("The sleep timer stops after the last frame of the chapter, at any count", arguments: [1, 2])
    func sleep(count: Int) throws {
        let server = try server()
        let (outcome, samples) = try Earshot().record([server.url("/tagged.mp3")], ["--sleep", "chapter \(count)"])
        #expect(outcome.status == 0)
        let end = frames(Self.starts[count]) * DemoEpisodes.bytesPerFrame
        #expect(samples == Array(try DemoEpisodes.samples(1).prefix(end)))
    }

    @Test("Commands go to chapters, and a chapter that does not exist is an error")
    func commands() throws {
        let server = try server()
        let earshot = try Earshot()
        let run = try earshot.startPlaying(
            [server.url("/tagged.mp3")], ["--json", "--commands", "-"], keepsInput: true)
        #expect(run.wait { $0.outputSoFar.contains("\"event\":\"chapter\"") })
        // Paused, so that a busy machine does not reach the next chapter between two commands.
        for (line, sign) in [
            ("chapter 1", "\"position\":0."), ("pause", "\"state\":\"paused\""),
            ("next-chapter", "\"position\":1."), ("chapter calm", "\"position\":2."),
            ("chapter 1", "\"position\":0."), ("chapter 4", "there is no chapter 4: the episode has 3 chapters"),
            ("chapter fog", "no chapter has the title"), ("previous-chapter", "\"ok\":true"),
            ("sleep chapter 2", "\"sleep\":{\"chapters\":"), ("quit", "\"command\":\"quit\",\"ok\":true"),
        ] {
            let before = run.outputSoFar.utf8.count
            run.write(line + "\n")
            let isSeen = run.wait {
                String(decoding: $0.outputSoFar.utf8.dropFirst(before), as: UTF8.self).contains(sign)
            }
            #expect(isSeen, "\(line): \(run.outputSoFar)")
        }
        #expect(run.wait().status == 0)
    }

    /// Returns a library that is subscribed to a podcast with a document of chapters.
    private func subscribed() throws -> FeedRun {
        let run = try FeedRun()
        let json =
            #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"One"},{"startTime":1.5,"endTime":2,"#
            + #""title":"Hidden","toc":false},{"startTime":2,"title":"Two","url":"https://host.example/two"}]}"#
        run.server.serve("/chapters.json", FaultScript(body: Array(json.utf8), contentType: "application/json"))
        run.server.serve("/part1.mp3", DemoEpisodes.episode(1))
        var item = ServedFeed.Item.demo(1, on: run.server)
        item.elements =
            "<podcast:chapters url=\"\(run.server.url("/chapters.json"))\" type=\"application/json+chapters\"/>"
        run.serve(ServedFeed("Harbour Tales", [item]))
        _ = try run.run("subscribe", run.server.url("/feed"))
        return run
    }

    @Test("An episode that is played has the chapters of its document before any refresh fetched it")
    func playedDocument() throws {
        let run = try subscribed()
        // Repeated, because the document may arrive late on a busy machine.
        let play = try run.start(
            ["play", "Part 1", "--json", "--commands", "-", "--output", "null", "--repeat", "one"], keepsInput: true)
        let isFound = play.wait { $0.outputSoFar.contains(#""event":"chapters","track":1,"source":"json""#) }
        #expect(isFound, "\(play.outputSoFar)")
        play.write("quit\n")
        #expect(play.wait().status == 0)
        #expect(try run.run("show", "Part 1").outputText.contains("Chapters from the chapters document"))
    }

    @Test("A refresh fetches the document of a queued episode, and show lists its chapters")
    func document() throws {
        let run = try subscribed()
        _ = try run.run("queue", "add", "Part 1")
        #expect(try run.run("refresh").status == 0)
        let episode = try #require(try run.json("show", "Part 1").first)
        #expect(episode["chaptersSource"]?.text == "json")
        #expect(try run.run("show", "Part 1").outputText.contains("Chapters from the chapters document\n  0:00  One\n"))
        _ = try run.run("refresh")
        #expect(run.server.requests.filter { $0.path == "/chapters.json" }.count == 1, "it is fetched once")
        let record = { (name: String) throws -> Int in
            let output = "raw:" + run.earshot.scratch.path(name)
            #expect(try run.run("play", "Part 1", "--from", "0", "--output", output).status == 0)
            return run.earshot.scratch.read(name).count / DemoEpisodes.bytesPerFrame
        }
        let whole = try record("whole.raw")
        #expect(try run.run("settings", "set", "skip-hidden-chapters", "on").status == 0)
        #expect(try record("less.raw") == whole - frames(500))
    }
}
