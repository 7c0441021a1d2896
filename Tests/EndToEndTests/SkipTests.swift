// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("Skipped beginnings and ends")
struct SkipTests {
    private let run: FeedRun

    init() throws {
        run = try FeedRun()
        try run.subscribe(to: [2, 1])
        #expect(try run.run("download", "part 1").status == 0)
    }

    @Test("A skipped end is not heard, and the episode counts as played")
    func outro() throws {
        #expect(try run.run("settings", "set", "skip-outro", "2s", "--podcast", "tales").status == 0)
        let played = try run.start(["play", "part 1", "--output", "null:fast"]).wait()
        #expect(played.status == 0, "\(played.errors)")
        let whole =
            Double(try DemoEpisodes.samples(1).count / DemoEpisodes.bytesPerFrame)
            / Double(DemoEpisodes.sampleRate)
        let heard = try #require(try run.json("stats").last?["heard"]?.number)
        #expect(abs(heard - (whole - 2)) < 0.001)
        #expect(try run.json("episodes", "--played").map { $0["title"]?.text } == ["Part 1"])
    }

    @Test("Nothing is skipped where it would exceed a third of the episode")
    func tooMuch() throws {
        #expect(try run.run("settings", "set", "skip-outro", "1h").status == 0)
        let played = try run.start(["play", "part 1", "--output", "null:fast"]).wait()
        #expect(played.status == 0, "\(played.errors)")
        let whole =
            Double(try DemoEpisodes.samples(1).count / DemoEpisodes.bytesPerFrame)
            / Double(DemoEpisodes.sampleRate)
        #expect(abs((try run.json("stats").last?["heard"]?.number ?? 0) - whole) < 0.001)
    }
}
