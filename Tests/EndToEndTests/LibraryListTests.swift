// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Testing

@Suite("Library queries")
struct LibraryListTests {
    @Test("Episodes of all podcasts or of one are listed on one line each")
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
        #expect(
            some.errors == """
                "tales" matches the podcast "Harbour Tales".
                More results exist; raise --limit.

                """)
        #expect(try run.json("episodes", "--limit", "1", "--all").numbers("id") == [4, 3, 2, 1])
        #expect(try run.json("episodes", "--limit", "\(Int.max)").numbers("id") == [4, 3, 2, 1])
        #expect(try run.run("history", "--limit", "\(Int.max)").status == 0)
    }

    @Test("Filters select by state and date and are combined with and")
    func chosen() throws {
        let run = try LibraryRun()
        try run.stage.library.mark([1], played: true)
        try run.stage.library.save(.init(position: .seconds(5)), of: 2, .act)
        try run.stage.library.enqueue([2])
        try run.stage.library.requestDownload(3, by: .listener)
        try run.stage.library.noteDownload(3, .complete, total: 1, extents: [0..<1])
        #expect(try run.json("episodes", "--unplayed").numbers("id") == [4, 3, 2])
        #expect(try run.json("episodes", "--played").numbers("id") == [1])
        #expect(try run.json("episodes", "--started", "--queued").numbers("id") == [2])
        #expect(try run.json("episodes", "--downloaded").numbers("id") == [3])
        #expect(try run.json("episodes", "--since", "2025-01-04").numbers("id") == [4, 3])
        let none = try run.run("episodes", "--played", "--queued")
        #expect(none.status == 0 && none.outputText == "" && none.errors == "No episodes match.\n")
    }

    @Test("Dates are in the local time zone, and JSON times are in UTC")
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
        "An invalid query fails with one message and a status",
        arguments: [
            (["episodes", "mountains"], 66, "no podcast is called \"mountains\""),
            (["show", "99"], 66, "nothing in the library is called \"99\""),
            (["episodes", "2"], 66, "podcast 2 is written p2"), (["unsubscribe", "1"], 66, "is written p1"),
            (["refresh", "4"], 66, "4 is the episode \"Whales seen\""),
            (["remove", "harbour tales"], 66, "is a podcast"),
            (["play", "fog", "--episode", "all", "--output", "null"], 66, "is not a podcast"),
            (["download", "fog", "--episode", "all"], 66, "is not a podcast"),
            (["play", "--episode", "all"], 64, "requires the name of a podcast"),
            (["podcasts", "--group", "Sea"], 66, "group"),
            (["queue", "add", "snow"], 66, "nothing in the library is called \"snow\""),
            (["episodes", "--since", "soon"], 64, "'--since <day>': write"),
            (["episodes", "--limit", "0"], 64, "at least 1"),
            (["settings", "set", "volume", "3"], 64, "no setting \"volume\""),
            (["settings", "set", "refresh-every", "0"], 64, "1 to 8760"),
            (["mark", "played"], 64, "Specify episodes"), (["subscribe", ""], 64, "A URL is empty"),
            (["bookmark", "1"], 64, "an episode and a time"), (["bookmark", "--remove", "7"], 66, "no bookmark 7"),
            (["merge", "1", "4"], 64, "two different episodes of the same podcast"),
            (["queue", "move", "1", "0"], 64, "first position"),
            (["settings", "set", "keep-total", "1GB", "--podcast", "1"], 64, "cannot be set for one podcast"),
        ] as [([String], CInt, String)])
    func wrong(arguments: [String], status: CInt, reason: String) throws {
        let run = try LibraryRun()
        let outcome = try run.earshot.run(arguments, environment: ["XDG_DATA_HOME": run.stage.directory.path])
        #expect(outcome.status == status && outcome.outputText == "")
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    }

    @Test(
        "A query does not create a missing library",
        arguments: [
            ["settings"], ["podcasts"], ["episodes"], ["queue"], ["history"], ["bookmarks"], ["downloads"],
            ["undo", "--list"], ["search", "fog"], ["export"], ["export", "--json"], ["doctor"], ["show", "fog"],
            ["settings", "set", "keep-days", "never"], ["mark", "played", "1"],
        ])
    func virgin(command: [String]) throws {
        let earshot = try Earshot()
        _ = try earshot.run(command, environment: ["XDG_DATA_HOME": earshot.scratch.path])
        #expect(!earshot.scratch.names.contains("earshot"), "\(command)")
    }

    @Test(
        "An unknown command or option gets a helpful message",
        arguments: [
            (
                ["skip"],
                "Error: There is no command \"skip\". earshot next plays the next episode. See earshot --help\n"
            ),
            (["list"], "earshot episodes"), (["chapters"], "There is no command \"chapters\". "),
            (["epsodes"], "Did you mean \"episodes\"?"), (["talk.mp3"], "earshot play talk.mp3"),
            (["play", "--rate", "2"], "The option is called --speed.\n"),
            (["play", "--sped", "2"], "Unknown option '--sped'"),
            (
                ["settings", "keep-total", "3MB"],
                "Error: There is no command \"settings keep-total\". "
                    + "To change the value: earshot settings set keep-total 3MB\n"
            ),
            (["settings", "keep-total"], "earshot settings get keep-total\n"),
            (["settings", "get", "keep-total", "3MB"], "Unexpected argument '3MB'"),
            (
                ["queue", "fog signals"],
                "Error: There is no command \"queue fog signals\". "
                    + "To add an episode: earshot queue add \"fog signals\"\n"
            ),
            (["smart", "news"], "earshot play --smart news\n"),
            (["bookmark", "fog", "-5"], "Error: invalid time \"-5\": write 45:00, 1:02:03, 2700 or 75%\n"),
            (["sleep", "-5m"], "Error: invalid sleep timer \"-5m\": write a time like 30m, or chapter,"),
        ])
    func unknown(command: [String], words: String) throws {
        let outcome = try Earshot().run(command)
        #expect(outcome.status == 64 && outcome.outputText == "")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test("show describes an episode or a podcast")
    func show() throws {
        let run = try LibraryRun()
        let episode = try run.run("show", "storm")
        #expect(episode.outputText.hasPrefix("The storm\nHarbour Tales\n\nnumber     3\n"))
        #expect(episode.outputText.contains("\n\nA gull on a rope.\n"))
        #expect(try run.run("show", "3").outputText == episode.outputText)
        #expect(try run.json("show", "3").first?["notes"]?.text == "A gull on a rope.")
        let podcast = try run.run("show", "sea news")
        #expect(podcast.outputText.hasPrefix("Sea News\n\nnumber      p2\n"))
        #expect(try run.run("show", "2", "--podcast").outputText == podcast.outputText)
        #expect(try run.run("show", "--podcast", "2").outputText == podcast.outputText)
        #expect(try run.run("show", "p2").outputText == podcast.outputText)
        #expect(try run.run("show", "fog", "--podcast", "tales").outputText.hasPrefix("Fog\n"))
        #expect(try run.json("show", "sea").first?["feedURL"]?.text == "https://host.example/news.xml")
    }

    @Test("A search shows the line of the notes that contains the words")
    func search() throws {
        let run = try LibraryRun()
        let outcome = try run.run("search", "gull", "ro")
        #expect(outcome.outputText == "3  2025-01-04  ○  The storm  30:00  Harbour Tales\n    A gull on a rope.\n")
        #expect(outcome.errors == "")
        #expect(try run.run("search", "whales").outputText == "4  2025-01-10  ○  Whales seen  30:00  Sea News\n")
        #expect(try run.json("search", "gull").first?["snippet"]?.text == "A gull on a rope.")
        #expect(try run.json("search", "whales").first?["snippet"] == .null)
        #expect(try run.run("search", "snow").errors == "No episode has the words \"snow\".\n")
    }

    @Test("history lists the played episodes")
    func history() throws {
        let run = try LibraryRun()
        #expect(try run.run("history").errors == "No episodes played yet.\n")
        try run.stage.library.save(.init(position: .seconds(65)), of: 2, .act)
        #expect(try run.run("history").outputText == "2  2026-01-01  ◐  Fog  1:05 / 30:00  Harbour Tales\n")
        #expect(try run.json("history").numbers("id") == [2])
    }

    @Test("why explains the state of an episode in sentences")
    func why() throws {
        let run = try LibraryRun()
        let outcome = try run.run("why", "storm")
        #expect(outcome.outputText.hasPrefix("\"The storm\" is episode 3 of \"Harbour Tales\".\nIt is in the feed."))
        #expect(try run.json("why", "3").first?["shown"] == .bool(true))
    }
}
