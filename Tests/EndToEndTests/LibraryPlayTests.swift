// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("Playing from the library")
struct LibraryPlayTests {
    private let run: FeedRun

    init() throws {
        run = try FeedRun()
        try run.subscribe(to: [3, 2, 1])
    }

    /// Plays into a file.
    /// - Returns: the outcome and the samples.
    private func record(_ arguments: String...) throws -> (outcome: ProgramRun.Outcome, samples: [UInt8]) {
        unlink(run.earshot.scratch.path("out.raw"))
        let output = ["--output", "raw:" + run.earshot.scratch.path("out.raw")]
        let outcome = try run.start(["play"] + arguments + output).wait()
        return (outcome, run.earshot.scratch.read("out.raw"))
    }

    private func play(_ arguments: String...) throws -> ProgramRun.Outcome {
        try run.start(["play"] + arguments + ["--output", "null:fast"]).wait()
    }

    private func position(_ name: String) throws -> Double? {
        try run.json("show", name).first?["position"]?.number
    }

    private func samples(_ part: Int, from second: Int) throws -> ArraySlice<UInt8> {
        try DemoEpisodes.samples(part).dropFirst(second * DemoEpisodes.sampleRate * DemoEpisodes.bytesPerFrame)
    }

    @Test(
        "An episode is found by words of its title or by its number, a podcast by its title",
        arguments: [
            ("part 2", 2), ("1", 1), ("tales", 3),
        ])
    func named(name: String, part: Int) throws {
        let (outcome, heard) = try record(name)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try firstDifference(heard, DemoEpisodes.samples(part)) == nil)
        #expect(run.kept.count == 1)
        #expect(try run.json("episodes", "--played").map { $0["title"]?.text } == ["Part \(part)"])
    }

    @Test("Without a target playback resumes the last episode and continues with the queue")
    func goesOn() throws {
        #expect(try play("part 2", "--until", "5").status == 0)
        #expect(try position("part 2") == 5)
        _ = try run.run("queue", "add", "part 3", "part 1")
        let (outcome, heard) = try record()
        let expected = try samples(2, from: 5) + samples(3, from: 0) + samples(1, from: 0)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(heard.count == expected.count && firstDifference(heard, Array(expected)) == nil)
        #expect(try run.json("queue").isEmpty)
        #expect(try run.json("episodes", "--played").count == 3)
        let nothing = try play()
        #expect(nothing.status == 66 && nothing.sentences.count == 1, "\(nothing.errors)")
    }

    @Test("An end that is not after the saved position is refused with that reason")
    func endBeforeSavedPosition() throws {
        _ = try play("part 2", "--until", "5")
        let saved = try position("part 2")
        let outcome = try play("part 2", "--until", "3")
        #expect(outcome.status == 66 && outcome.sentences.count == 1, "\(outcome.errors)")
        let reason = ": its saved position is not before the end position; choose a start position, too\n"
        #expect(outcome.errors.hasSuffix(reason), "\(outcome.errors)")
        #expect(try saved != nil && position("part 2") == saved)
    }

    @Test("The most recent episode plays before the queue, and a finished episode leaves the queue")
    func queue() throws {
        _ = try run.run("queue", "add", "part 1", "part 2")
        _ = try play("part 2", "--until", "5")
        #expect(try run.json("queue").map { $0["title"]?.text } == ["Part 1", "Part 2"])
        let (outcome, heard) = try record()
        #expect(outcome.status == 0)
        #expect(try heard.count == (samples(2, from: 5) + samples(1, from: 0)).count)
        #expect(try run.json("queue").isEmpty)
    }

    @Test("An episode that is queued during playback is played too")
    func queuedMeanwhile() throws {
        _ = try play("part 2", "--until", "11")
        _ = try play("part 1", "--until", "5")
        let program = try run.start(["play", "--output", "null", "--json", "--commands", "-"], keepsInput: true)
        #expect(program.wait { $0.hasReached(5) })
        // On a busy machine, the command may take longer than the rest of the first episode.
        program.write("pause\n")
        #expect(program.wait { $0.outputSoFar.contains("\"state\":\"paused\"") })
        #expect(try run.run("queue", "add", "part 3", "part 2").status == 0)
        program.write("seek 0:08\nplay\n")
        // The episode after it is longer than a test may take.
        #expect(program.wait { $0.outputSoFar.contains("\"title\":\"Part 3\"") })
        program.signal(SIGTERM)
        #expect(program.wait().status == 143)
        #expect(try run.json("episodes", "--played").map { $0["title"]?.text } == ["Part 1"])
        #expect(try run.json("queue").map { $0["title"]?.text } == ["Part 3", "Part 2"])
    }

    @Test("With --until, playback ends there although another episode is queued during playback")
    func queuedBeforeEnd() throws {
        _ = try play("part 2", "--until", "2")
        let arguments = ["play", "--until", "8", "--output", "null", "--json", "--commands", "-"]
        let program = try run.start(arguments, keepsInput: true)
        #expect(program.wait { $0.hasReached(2) })
        program.write("pause\n")
        #expect(program.wait { $0.outputSoFar.contains("\"state\":\"paused\"") })
        #expect(try run.run("queue", "add", "part 3").status == 0)
        program.write("play\n")
        let outcome = program.wait()
        #expect(outcome.status == 0 && !outcome.outputText.contains("\"title\":\"Part 3\""), "\(outcome.errors)")
    }

    @Test("A started episode resumes at its position, and --from overrides it")
    func resumes() throws {
        _ = try play("part 2", "--until", "5")
        let (_, heard) = try record("part 2")
        #expect(try firstDifference(heard, Array(samples(2, from: 5))) == nil)
        _ = try play("part 2", "--until", "5")
        let (_, whole) = try record("part 2", "--from", "0")
        #expect(try firstDifference(whole, DemoEpisodes.samples(2)) == nil)
        #expect(try position("part 2") == 0)
    }

    @Test("Playing by the feed's address saves the position too")
    func byAddress() throws {
        let feed = run.server.url("/feed")
        #expect(try play(feed, "--until", "4").status == 0)
        #expect(try position("part 3") == 4)
        let (_, heard) = try record(feed)
        #expect(try firstDifference(heard, Array(samples(3, from: 4))) == nil)
        #expect(try run.json("episodes", "--played").map { $0["title"]?.text } == ["Part 3"])
    }

    @Test(
        "A terminating signal saves the position, and a kill loses at most one second",
        arguments: [SIGTERM, SIGINT, SIGKILL])
    func signal(signal: CInt) throws {
        let program = try run.start(["play", "part 2", "--output", "null", "--json"])
        #expect(program.wait { $0.hasReached(1) })
        // Another queue stores the position.
        #expect(program.wait { _ in ((try? position("part 2")) ?? 0) > 0 })
        program.signal(signal)
        let outcome = program.wait()
        #expect(outcome.status == 128 + signal)
        // A kill may cut the last line.
        let lines = outcome.outputText.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let told = try #require(try lines.compactMap { try JSONDocument(parsing: $0)["position"]?.number }.last)
        let saved = try #require(try position("part 2"))
        let factor = Double(TimeLimit.factor)
        #expect(saved > told - factor && saved < told + 2 * factor)
        #expect(try run.json("episodes", "--started").map { $0["title"]?.text } == ["Part 2"])
    }
}
