// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("Listening times of played episodes")
struct StatsTests {
    private let run: FeedRun

    init() throws {
        run = try FeedRun()
        try run.subscribe(to: [3, 2, 1])
    }

    private func play(_ arguments: String...) throws {
        let outcome = try run.start(["play"] + arguments + ["--output", "null:fast"]).wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func times(_ arguments: String...) throws -> [String: Double] {
        let all = try #require(try run.start(["stats"] + arguments + ["--json"]).wait().events().last)
        return Dictionary(
            uniqueKeysWithValues: ["heard", "took", "savedByPauses", "savedBySpeed"].map { ($0, all[$0]?.number ?? -1) }
        )
    }

    @Test("The time heard is that of the played parts, without skipped ones, and the speed saves its share")
    func played() throws {
        #expect(try run.run("stats").errors == "Nothing heard yet.\n")
        try play("part 1", "--from", "1", "--until", "3")
        #expect(try times() == ["heard": 2, "took": 2, "savedByPauses": 0, "savedBySpeed": 0])
        try play("part 2", "--from", "0", "--until", "4", "--speed", "2")
        let sped = try times("--days", "1")
        #expect(sped["heard"] == 6)
        #expect(abs((sped["savedBySpeed"] ?? 0) - 2) < 0.1)
        _ = try run.run("mark", "unplayed", "part 2")
        _ = try run.run("undo")
        #expect(try times("--podcast", "tales") == sped)
        #expect(try run.run("stats").outputText.hasSuffix("Harbour Tales\n"))
    }

    @Test("The number of days is checked")
    func wrongDays() throws {
        #expect(try run.run("stats", "--days", "0").status == 64)
    }
}
