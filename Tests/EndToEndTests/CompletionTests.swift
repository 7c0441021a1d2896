// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Glibc
import Testing

@Suite("Completion of names")
struct CompletionTests {
    private func names(_ run: LibraryRun, _ arguments: String...) throws -> [String] {
        let outcome = try run.earshot.run(
            ["complete"] + arguments, environment: ["XDG_DATA_HOME": run.stage.directory.path])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        return outcome.outputText.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test("A typed beginning completes to titles in any case, the newest episode first")
    func titles() throws {
        let run = try LibraryRun()
        #expect(try names(run, "episodes", "--", "t") == ["The storm", "Tide"])
        #expect(try names(run, "names", "--", "SEA") == ["Sea News"])
        #expect(try names(run, "podcasts", "--", "") == ["Harbour Tales", "Sea News"])
    }

    @Test("A wildcard of SQL in the typed text is an ordinary character", arguments: ["%", "_", "\\"])
    func wildcard(text: String) throws {
        #expect(try names(try LibraryRun(), "names", "--", text) == [])
    }

    @Test("The description of an episode is its podcast")
    func description() throws {
        let run = try LibraryRun()
        let outcome = try run.run("complete", "episodes", "--", "Whales")
        #expect(outcome.outputText == "Whales seen\tSea News\n")
    }

    @Test("Settings and their values complete without a library")
    func settings() throws {
        let run = try LibraryRun()
        #expect(try names(run, "settings", "--", "keep-d") == ["keep-days"])
        #expect(try names(run, "values", "--", "m", "trim-silence") == ["mild", "medium"])
        #expect(try names(run, "values", "--", "", "no-such-setting") == [])
    }

    @Test("Groups, smart queues and bookmarks complete")
    func others() throws {
        let run = try LibraryRun()
        _ = try run.run("smart", "create", "morning")
        _ = try run.run("bookmark", "Fog", "0:01", "the gull")
        #expect(try names(run, "smart", "--", "m") == ["morning"])
        #expect(try names(run, "bookmarks", "--", "the") == ["the gull"])
        #expect(try names(run, "groups", "--", "") == [])
    }

    @Test("Without a library there are no names, no error and no new file")
    func noLibrary() throws {
        let earshot = try Earshot()
        let outcome = try earshot.run(
            ["complete", "names", "--", "a"], environment: ["XDG_DATA_HOME": earshot.scratch.path])
        #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
        #expect(earshot.scratch.names(in: "").isEmpty)
    }
}
