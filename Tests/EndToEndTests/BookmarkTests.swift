// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("Bookmarks and clips")
struct BookmarkTests {
    private let run: FeedRun

    init() throws {
        run = try FeedRun()
        try run.subscribe(to: [3, 2, 1])
    }

    private func lines(_ arguments: [String], _ input: String, from position: Double) throws -> ProgramRun.Outcome {
        let program = try run.start(arguments + ["--json", "--commands", "-"], keepsInput: true)
        #expect(program.wait { $0.hasReached(position) })
        program.write(input)
        return program.wait()
    }

    @Test("A bookmark during playback is not before the start, has a title, and can be undone")
    func marks() throws {
        let outcome = try lines(
            ["play", "part 2", "--from", "5", "--output", "null"], "bookmark the song\nquit\n",
            from: 6)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let event = try #require(try outcome.events().first { $0["event"]?.text == "bookmark" })
        let position = try #require(event["position"]?.number)
        // The program reads the command a moment after the event, which is longer on a busy machine.
        let latest = 5 + 3 * Double(TimeLimit.factor)
        #expect(position > 4.9 && position < latest && event["title"]?.text == "the song")
        let saved = try #require(try run.json("bookmarks", "part 2").first)
        #expect(saved["title"]?.text == "the song" && abs((saved["position"]?.number ?? 0) - position) < 0.001)
        #expect(try run.run("undo").status == 0)
        #expect(try run.json("bookmarks").isEmpty)
    }

    @Test("A file that the library does not have cannot have a bookmark")
    func file() throws {
        let outcome = try lines(
            ["play", DemoEpisodes.path(2), "--output", "null"], "bookmark\nquit\n", from: 1)
        let answer = #""command":"bookmark","ok":false,"error":"only episodes of the library can have bookmarks""#
        #expect(outcome.status == 0 && outcome.outputText.contains(answer), "\(outcome.outputText)")
        #expect(outcome.sentences == [] && !outcome.outputText.contains(#""event":"bookmark""#))
    }

    @Test("Playback at a bookmark names the episode that the words of a title match")
    func matchedTitle() throws {
        let item = ServedFeed.Item(guid: "rain", title: "Rain on the harbour", url: run.server.url("/part1.mp3"))
        run.serve(ServedFeed("Weather", [item]), at: "/weather")
        _ = try run.run("subscribe", run.server.url("/weather"))
        _ = try run.run("bookmark", "rain", "0:02", "Thunder")
        let id = try #require(try run.json("bookmarks", "rain").first?["episode"]?.number)
        let sentence = "earshot: \"rain\" matches episode \(Int(id)), \"Rain on the harbour\""
        let outcome = try run.run("play", "rain", "--bookmark", "thunder", "--output", "null:fast")
        #expect(outcome.status == 0 && outcome.sentences.first == sentence, "\(outcome.errors)")
        let exact = try run.run("play", "\(Int(id))", "--bookmark", "thunder", "--output", "null:fast")
        #expect(exact.status == 0 && exact.sentences.isEmpty, "\(exact.errors)")
    }

    @Test("Playback starts at a bookmark, by number or title")
    func play() throws {
        _ = try run.run("bookmark", "part 2", "0:05", "The", "Song")
        _ = try run.run("bookmark", "part 1", "0:02")
        for arguments in [["--bookmark", "1"], ["--bookmark", "song"], ["part 2", "--bookmark", "the song"]] {
            let outcome = try run.start(["play"] + arguments + ["--until", "6", "--output", "null:fast"]).wait()
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try run.json("stats").last?["heard"]?.number == 3)
        #expect(try run.run("play", "--bookmark", "rain", "--output", "null:fast").status == 66)
        #expect(try run.run("play", "part 1", "--bookmark", "song", "--output", "null:fast").status == 66)
        #expect(try run.run("play", "--bookmark", "1", "--from", "3").status == 64)
    }

    @Test("A bookmark beyond the end of an episode is refused once its length is known")
    func beyondEnd() throws {
        #expect(try run.run("play", "part 2", "--from", "5", "--until", "6", "--output", "null:fast").status == 0)
        let outcome = try run.run("bookmark", "part 2", "59:00")
        #expect(outcome.status == 66, "\(outcome.errors)")
        #expect(outcome.errors.contains("59:00 is beyond the end ("), "\(outcome.errors)")
        #expect(try run.json("bookmarks").isEmpty)
    }

    @Test("A bookmark in percent needs the duration of the file, which the feed's is not")
    func percent() throws {
        let unknown = try run.run("bookmark", "part 2", "50%")
        #expect(unknown.status == 64 && unknown.errors.contains("the duration of \"Part 2\" is unknown until it has"))
        #expect(try run.run("play", "part 2", "--until", "1", "--output", "null:fast").status == 0)
        #expect(try run.run("bookmark", "part 2", "50%").status == 0)
    }

    @Test("The tags of a clip that is shorter than wished state its end")
    func shortClip() throws {
        let path = run.earshot.scratch.path("end.flac")
        let outcome = try run.run("clip", "part 2", "0:05-59:00", "--output", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let bytes = String(decoding: run.earshot.scratch.read("end.flac").prefix(2000), as: UTF8.self)
        #expect(bytes.contains("Part 2 (0:05-") && !bytes.contains("59:00"))
    }

    @Test("A clip that begins after the end of the episode fails, and the message names the episode")
    func lateClip() throws {
        let outcome = try run.run("clip", "part 2", "58:00-59:00", "-o", run.earshot.scratch.path("late.flac"))
        #expect(outcome.status == 66)
        #expect(outcome.errors == "earshot: Part 2: it ends before the start of the section\n")
    }

    @Test("A clip has its length, fades and tags")
    func clip() throws {
        _ = try run.run("bookmark", "part 2", "0:05", "The", "Song")
        let path = run.earshot.scratch.path("song.flac")
        let outcome = try run.run("clip", "part 2", "song", "--length", "2", "--output", path)
        #expect(outcome.status == 0 && outcome.errors.hasSuffix("song.flac: 0:02.0 written\n"), "\(outcome.errors)")
        let bytes = String(decoding: run.earshot.scratch.read("song.flac").prefix(2000), as: UTF8.self)
        #expect(bytes.contains("Part 2 (0:05-0:07)") && bytes.contains("Harbour Tales"))
        let raw = run.earshot.scratch.path("clip.wav")
        #expect(try run.run("clip", "part 2", "0:05-0:06", "-o", raw).status == 0)
        #expect(try run.run("clip", "part 2", "0:05-0:06", "-o", raw).status == 73)
        #expect(try run.run("clip", "part 2", "rain", "-o", run.earshot.scratch.path("x.wav")).status == 66)
        let part = run.earshot.scratch.path("part.wav")
        #expect(try run.run("clip", "part 2", "50%-60%", "-o", part).status == 0)
        #expect(try run.run("clip", "part 2", "6-5", "-o", run.earshot.scratch.path("x.wav")).status == 64)
        #expect(try run.run("clip", "part 2", "5-6", "-o", run.earshot.scratch.path("x.mp3")).status == 64)
        #expect(!run.earshot.scratch.names(in: "").contains { $0.hasPrefix("x.") })
    }
}
