// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Testing

@Suite("Looking into the library", .firstLane)
struct LibraryListTests {
    @Test("episodes are listed, a line each, of all podcasts or of one")
    func episodes() throws {
        let run = try LibraryRun()
        let all = try run.run("episodes")
        #expect(
            all.outputText == """
                4  2025-01-10  ○  Whales seen  30:00  Sea News
                3  2025-01-04  ○  The storm  30:00  Harbour Tales
                2  2025-01-03  ○  Fog  30:00  Harbour Tales
                1  2025-01-02  ○  Tide  30:00  Harbour Tales

                """)
        #expect(all.status == 0 && all.errors == "")
        let some = try run.run("episodes", "tales", "--oldest-first", "--limit", "2")
        #expect(some.outputText == "1  2025-01-02  ○  Tide  30:00\n2  2025-01-03  ○  Fog  30:00\n")
        #expect(some.errors == "There are more: --limit says how many are shown.\n")
        #expect(try run.json("episodes", "--limit", "1", "--all").numbers("id") == [4, 3, 2, 1])
    }

    @Test("flags choose by state and day, and all of them must hold")
    func chosen() throws {
        let run = try LibraryRun()
        try run.stage.library.mark([1], played: true)
        try run.stage.library.save(.init(position: .seconds(5)), of: 2, .act)
        try run.stage.library.enqueue([2])
        try run.stage.library.want(3, by: .listener)
        try run.stage.library.noteDownload(3, .complete, total: 1, extents: [0..<1])
        #expect(try run.json("episodes", "--unplayed").numbers("id") == [4, 3, 2])
        #expect(try run.json("episodes", "--played").numbers("id") == [1])
        #expect(try run.json("episodes", "--started", "--queued").numbers("id") == [2])
        #expect(try run.json("episodes", "--downloaded").numbers("id") == [3])
        #expect(try run.json("episodes", "--since", "2025-01-04").numbers("id") == [4, 3])
        let none = try run.run("episodes", "--played", "--queued")
        #expect(none.status == 0 && none.outputText == "" && none.errors == "There are no such episodes.\n")
    }

    @Test("days are those of the listener's clock; in JSON, times are in UTC")
    func clock() throws {
        let run = try LibraryRun()
        let west = ["XDG_DATA_HOME": run.stage.directory.path, "TZ": "WEST5"]
        let all = try run.earshot.run(["episodes", "--since", "2025-01-03"], environment: west)
        #expect(
            all.outputText == """
                4  2025-01-09  ○  Whales seen  30:00  Sea News
                3  2025-01-03  ○  The storm  30:00  Harbour Tales

                """)
        let json = try run.earshot.run(["episodes", "--since", "2025-01-09", "--json"], environment: west)
        #expect(json.outputText.contains("2025-01-10T00:00:00Z"))
    }

    @Test(
        "what is wrong is one sentence and a status",
        arguments: [
            (["episodes", "mountains"], 66, "no podcast is called 'mountains'"),
            (["show", "99"], 66, "no episode is called '99'"),
            (["queue", "add", "snow"], 66, "no episode is called 'snow'"),
            (["episodes", "--since", "soon"], 64, "no day"), (["episodes", "--limit", "0"], 64, "above 0"),
            (["settings", "set", "volume", "3"], 64, "no setting 'volume'"),
            (["settings", "set", "refresh-every", "0"], 64, "from 1 to 8760"),
            (["mark", "played"], 64, "Name episodes"), (["subscribe", ""], 64, "An address is empty"),
            (["bookmark", "1"], 64, "an episode and a time"), (["bookmark", "--remove", "7"], 66, "no bookmark 7"),
            (["merge", "1", "4"], 64, "two different episodes of one podcast"),
            (["queue", "move", "1", "0"], 64, "first place"),
            (["settings", "set", "keep-total", "1GB", "--podcast", "1"], 64, "all podcasts together"),
        ] as [([String], CInt, String)])
    func wrong(arguments: [String], status: CInt, reason: String) throws {
        let run = try LibraryRun()
        let outcome = try run.earshot.run(arguments, environment: ["XDG_DATA_HOME": run.stage.directory.path])
        #expect(outcome.status == status && outcome.outputText == "")
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    }

    @Test("an episode and a podcast are shown")
    func show() throws {
        let run = try LibraryRun()
        let episode = try run.run("show", "storm")
        #expect(episode.outputText.hasPrefix("The storm\nHarbour Tales\n\nnumber     3\n"))
        #expect(episode.outputText.contains("\n\nA gull on a rope.\n"))
        #expect(try run.run("show", "3").outputText == episode.outputText)
        #expect(try run.json("show", "3").first?["notes"]?.text == "A gull on a rope.")
        let podcast = try run.run("show", "sea news")
        #expect(podcast.outputText.hasPrefix("Sea News\n\nnumber      2\n"))
        #expect(try run.run("show", "2", "--podcast").outputText == podcast.outputText)
        #expect(try run.json("show", "sea").first?["feedURL"]?.text == "https://host.example/news.xml")
    }

    @Test("a search shows the line of the notes in which it found the words")
    func search() throws {
        let run = try LibraryRun()
        let outcome = try run.run("search", "gull", "ro")
        #expect(outcome.outputText == "3  2025-01-04  ○  The storm  30:00  Harbour Tales\n    A gull on a rope.\n")
        #expect(outcome.errors == "")
        #expect(try run.run("search", "whales").outputText == "4  2025-01-10  ○  Whales seen  30:00  Sea News\n")
        #expect(try run.json("search", "gull").first?["snippet"]?.text == "A gull on a rope.")
        #expect(try run.json("search", "whales").first?["snippet"] == .null)
        #expect(try run.run("search", "snow").errors == "There are no such episodes.\n")
    }

    @Test("history is what was listened to")
    func history() throws {
        let run = try LibraryRun()
        #expect(try run.run("history").errors == "Nothing was listened to yet.\n")
        try run.stage.library.save(.init(position: .seconds(65)), of: 2, .act)
        #expect(try run.run("history").outputText == "2  2026-01-01  ◐  Fog  1:05 / 30:00  Harbour Tales\n")
        #expect(try run.json("history").numbers("id") == [2])
    }

    @Test("why says it in sentences")
    func why() throws {
        let run = try LibraryRun()
        let outcome = try run.run("why", "storm")
        #expect(outcome.outputText.hasPrefix("'The storm' is episode 3, of 'Harbour Tales'.\nIt is shown"))
        #expect(try run.json("why", "3").first?["shown"] == .bool(true))
    }
}
