// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("Transcripts of episodes")
struct TranscriptTests {
    private static let captions = """
        WEBVTT

        00:00.000 --> 00:00.700
        <v Mary>Welcome to the harbour.

        00:00.700 --> 00:01.400
        <v Mary>The storm came

        00:01.400 --> 00:02.100
        <v Mary>at night.

        00:08.000 --> 00:09.000
        <v John>I slept.

        """

    private let run: FeedRun

    /// Subscribes to three episodes; the third has a transcript, and that of the second is missing on the server.
    init() throws {
        run = try FeedRun()
        for part in 1...3 { run.server.serve("/part\(part).mp3", DemoEpisodes.episode(part)) }
        run.server.serve("/a.vtt", FaultScript(body: Array(Self.captions.utf8), contentType: "text/vtt"))
        var items = [3, 2, 1].map { ServedFeed.Item.demo($0, on: run.server) }
        items[0].transcripts = [run.server.url("/a.vtt")]
        items[1].transcripts = [run.server.url("/none.vtt")]
        run.serve(ServedFeed("Harbour Tales", items))
        _ = try run.run("subscribe", run.server.url("/feed"))
    }

    private var fetches: Int { run.server.requests(for: "/a.vtt").count }

    private func play(_ arguments: String...) throws -> ProgramRun.Outcome {
        try run.start(["play"] + arguments + ["--output", "null"]).wait()
    }

    @Test("A transcript is printed with times and speakers, and fetched again only on request")
    func printed() throws {
        let shown = { (number: String) in try run.json("show", number).first?["transcript"]?.text }
        #expect(try shown("1") == nil && shown("3") == "offered")
        let outcome = try run.run("transcript", "part 3")
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(try shown("3") == "stored")
        #expect(try run.run("show", "3").outputText.contains("stored; to read it: earshot transcript 3"))
        let paragraphs = ["0:00  Mary: Welcome to the harbour. The storm came at night.", "0:08  John: I slept."]
        #expect(outcome.outputText == paragraphs.map { $0 + "\n" }.joined())
        #expect(try run.run("transcript", "3", "--from", "0:05").outputText == paragraphs[1] + "\n")
        let beyond = try run.run("transcript", "3", "--from", "99:00:00")
        #expect(beyond.status == 66 && beyond.errors == "The transcript has no text after 99:00:00.\n")
        #expect(fetches == 1)
        _ = try run.run("transcript", "part 3", "--refresh")
        #expect(fetches == 2)
        let object = try #require(try run.json("transcript", "part 3").first)
        #expect(object["timing"]?.text == "unverified" && object["url"]?.text == run.server.url("/a.vtt"))
    }

    @Test(
        "An episode without a transcript is reported with one message",
        arguments: [("part 1", "its feed lists no transcript"), ("part 2", "404"), ("part 9", "no episode")])
    func missing(name: String, words: String) throws {
        let outcome = try run.run("transcript", name)
        #expect(outcome.status == 66 && outcome.outputText == "")
        #expect(outcome.sentences.count == 1 && outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test("A downloaded episode brings its transcript, and a search finds its words; the setting prevents it")
    func downloaded() throws {
        _ = try run.run("settings", "set", "transcripts", "off")
        #expect(try run.run("download", "part 3").status == 0 && fetches == 0)
        #expect(try run.run("search", "--transcripts", "storm").outputText == "")
        _ = try run.run("settings", "unset", "transcripts")
        // A missing transcript is not a failed download.
        #expect(try run.run("download", "part 3", "part 2").status == 0 && fetches == 1)
        let found = try run.json("search", "--transcripts", "storm night")
        #expect(found.map { $0["title"]?.text } == ["Part 3"] && found.first?["start"]?.number == 0.7)
        #expect(found.first?["sentence"]?.text == "The storm came at night.")
    }

    @Test("A refresh fetches the transcripts of new episodes if the setting asks for them")
    func refreshed() throws {
        _ = try run.run("settings", "set", "transcripts", "new", "--podcast", "tales")
        var item = ServedFeed.Item.named("Storm", day: 9)
        item.transcripts = [run.server.url("/a.vtt")]
        run.serve(ServedFeed("Harbour Tales", [item] + [3, 2, 1].map { .demo($0, on: run.server) }))
        #expect(try run.run("refresh", "--all").status == 0 && fetches == 1)
        #expect(try run.json("search", "--transcripts", "harbour").map { $0["title"]?.text } == ["Storm"])
    }

    @Test("Each cue is shown when it is heard, also after a seek")
    func shown() throws {
        let program = try run.start(
            ["play", "part 3", "--show", "transcript", "--output", "null", "--json", "--commands", "-"],
            keepsInput: true)
        #expect(program.wait { $0.outputSoFar.contains("at night.") })
        program.write("seek 8\n")
        #expect(program.wait { $0.outputSoFar.contains("I slept.") })
        program.write("seek 0\n")
        #expect(program.wait { $0.outputSoFar.split(separator: "Welcome").count == 3 })
        program.write("quit\n")
        let outcome = program.wait()
        let cues = try outcome.events().named("cue").prefix(5)
        #expect(outcome.status == 0)
        let texts = ["Welcome to the harbour.", "The storm came", "at night.", "I slept.", "Welcome to the harbour."]
        #expect(cues.compactMap { $0["text"]?.text } == texts)
        #expect(cues.allSatisfy { $0.keys == ["event", "track", "start", "end", "speaker", "text", "timing"] })
    }

    @Test("A speed that is set while the words of --from are searched applies to the episode")
    func settingDuringSearch() throws {
        let isSet = Gate()
        run.server.handle("/a.vtt") { _, _ in
            isSet.pass()
            return FaultScript(body: Array(Self.captions.utf8), contentType: "text/vtt")
        }
        let play = try run.start(
            ["play", "part 3", "--from", "came at night", "--here", "--output", "null", "--commands", "-", "--json"],
            keepsInput: true)
        #expect(play.wait { _ in isSet.isReached })
        #expect(try run.run("settings", "set", "speed", "1.5").status == 0)
        isSet.open()
        #expect(play.wait { $0.outputSoFar.contains(#""speed":1.5"#) })
        play.write("quit\n")
        #expect(play.wait().status == 0)
    }

    @Test("Playback starts at the words of --from")
    func words() throws {
        let outcome = try play("part 3", "--from", "came at night", "--until", "1.5", "--show", "transcript")
        #expect(outcome.status == 0)
        #expect(outcome.outputText == "0:00  Mary: The storm came\n0:01  Mary: at night.\n", "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("earshot: starting at 0:00: The storm came at night.\n"))
    }

    @Test(
        "Words that are not found end the session, and nothing is marked, downloaded or played",
        arguments: [
            ("part 3", "a whale", "does not contain"), ("part 1", "a whale", "lists no transcript"),
            ("part 2", "a whale", "404"),
        ])
    func unknownWords(name: String, words: String, reason: String) throws {
        let outcome = try play(name, "part 1", "--from", words)
        #expect(outcome.status == 66 && outcome.sentences.count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains(reason) && outcome.errors.contains(words), "\(outcome.errors)")
        #expect(try run.json("history").isEmpty && run.json("downloads").isEmpty)
        #expect(run.server.requests(for: "/part1.mp3").isEmpty)
    }

    @Test("If a podcast is named, the message about the words of --from names its newest episode")
    func wordsInPodcast() throws {
        let outcome = try play("tales", "--from", "a whale")
        #expect(outcome.status == 66)
        #expect(outcome.sentences.last?.hasPrefix("earshot: Part 3: --from \"a whale\": ") == true, "\(outcome.errors)")
    }

    @Test("A shift moves the times, and undo reverts it")
    func shifted() throws {
        let outcome = try run.run("transcript", "part 3", "--shift", "-1.5")
        #expect(outcome.status == 0 && outcome.errors.hasSuffix("is shifted by -0:01.5.\n"), "\(outcome.errors)")
        #expect(try run.json("search", "--transcripts", "slept").first?["start"]?.number == 6.5)
        #expect(try run.run("transcript", "part 3", "--shift", "-1.5").status == 66)
        #expect(try run.run("undo").status == 0)
        #expect(try run.json("search", "--transcripts", "slept").first?["start"]?.number == 8)
    }
}
