// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import SQLDatabase
import Testing

@Suite("Concurrent processes on one library")
struct ManyProcessesTests {
    private static let rounds = 4

    @Test("Each process finishes its work without a lock error, and the library stays intact")
    func together() throws {
        let server = try DemoEpisodes.server()
        let run = try LibraryRun()
        #expect(try run.run("subscribe", server.url("/demo.xml")).status == 0)
        let demo = try run.json("episodes", "demo", "--oldest-first").numbers("id")
        for round in 0..<Self.rounds {
            publish("Chord \(round)", on: server)
            let commands: [[String]] = [
                ["refresh", "demo", "--no-download"], ["refresh", "demo", "--no-download"],
                ["mark", "played", "\(1 + round % 2)"],
                ["queue", "add", "3", "\(demo[4 + round % 2])"], ["search", "whales"],
                ["bookmark", "4", "1:0\(round)"],
                ["settings", "set", "auto-download", "\(round)"],
                ["play", "\(demo[round])", "--output", "null:fast", "--quiet", "--keep-dir", run.earshot.keepPath],
            ]
            try expectSuccess(of: commands, run, "round \(round)")
            #expect(try run.json("show", "\(demo[0])").first?["title"]?.text == "Chord \(round)")
        }
        #expect(try run.json("bookmarks", "4").count == Self.rounds)
        #expect(try Set(run.json("queue").numbers("id")) == Set([3] + demo.suffix(2)))
        #expect(try Set(run.json("episodes", "demo", "--played").numbers("id")) == Set(demo.prefix(Self.rounds)))
        let verdict = try DatabaseQueue(path: run.stage.path).read { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check")
        }
        #expect(verdict == ["ok"])
    }

    private func expectSuccess(of commands: [[String]], _ run: LibraryRun, _ comment: Comment) throws {
        let runs = try commands.map {
            try run.earshot.start($0, environment: ["XDG_DATA_HOME": run.stage.directory.path])
        }
        for (command, outcome) in zip(commands, runs.map { $0.wait() }) {
            // A change that an earlier round already made has no effect.
            let isSettled = ["mark", "queue"].contains(command[0]) && outcome.errors.contains(" already ")
            let isFine = outcome.status == 0 || isSettled && outcome.status == 66
            #expect(isFine, "\(comment), \(command): \(outcome.errors)")
            #expect(!outcome.errors.contains("locked") && !outcome.errors.contains("in use by"), comment)
        }
    }

    /// Serves the feed with a new title for its oldest episode.
    private func publish(_ title: String, on server: FaultServer) {
        let feed = String(decoding: DemoEpisodes.feed, as: UTF8.self)
            .replacing("Part 1: A chord at ninety-six kilobits", with: title)
        server.serve("/demo.xml", FaultScript(body: Array(feed.utf8), contentType: "application/rss+xml"))
    }
}
