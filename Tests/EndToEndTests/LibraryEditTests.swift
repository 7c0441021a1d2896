// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Testing

@Suite("Library changes")
struct LibraryEditTests {
    @Test("The queue is filled, changed and listed")
    func queue() throws {
        let run = try LibraryRun()
        #expect(try run.run("queue").errors == "The queue is empty.\n")
        let added = try run.run("queue", "add", "fog", "3")
        #expect(added.errors == "Queued: 2 episodes.\n" && added.outputText == "")
        #expect(try run.json("queue", "next", "4").numbers("id") == [4, 2, 3])
        #expect(try run.json("queue", "move", "3", "1").numbers("id") == [3, 4, 2])
        let list = try run.run("queue")
        #expect(list.outputText.hasPrefix("#1  3  2025-01-04  ○  The storm  30:00  Harbour Tales\n#2  4  "))
        #expect(try run.json("queue", "list").numbers("id") == [3, 4, 2])
        #expect(try run.run("queue", "remove", "fog").errors == "Removed from the queue: Fog.\n")
        let again = try run.run("queue", "remove", "fog")
        #expect(again.status == 66 && again.errors == "Episode 2 \"Fog\" is not in the queue.\n")
        #expect(try run.run("queue", "remove", "#3").status == 66)
        let shuffled = try run.json("queue", "shuffle").numbers("id")
        #expect(shuffled == [4, 3])
        let statuses = try (1...9).map { try run.run("queue", "shuffle", "--seed", "\($0)").status }
        #expect(Set(statuses) == [0, 66])
        if statuses.count(where: { $0 == 0 }) % 2 == 1 { _ = try run.run("queue", "shuffle") }
        #expect(try run.json("queue", "clear").isEmpty)
        #expect(try run.run("queue", "clear").status == 66)
        _ = try run.run("undo")
        #expect(try run.json("queue").numbers("id") == shuffled)
    }

    @Test("A setting accepts a negative value, with or without \"--\" before it")
    func negativeSetting() throws {
        let run = try LibraryRun()
        #expect(try run.run("settings", "set", "loudness", "-18").errors == "loudness is now -18.\n")
        #expect(try run.run("settings", "set", "loudness", "--", "-20").errors == "loudness is now -20.\n")
    }

    @Test("Adding a podcast queues its unplayed episodes, the oldest first")
    func queuePodcast() throws {
        let run = try LibraryRun()
        _ = try run.run("mark", "played", "fog")
        let added = try run.run("queue", "add", "harbour tales")
        #expect(added.status == 0 && added.errors == "Queued: 2 episodes.\n")
        #expect(try run.json("queue").numbers("id") == [1, 3])
        let again = try run.run("queue", "add", "--podcast", "p1")
        #expect(again.status == 66 && again.errors.contains("Episode 1 \"Tide\" is already in the queue.\n"))
        #expect(try run.json("queue", "add", "--podcast", "sea", "whales").numbers("id") == [1, 3, 4])
        #expect(try run.json("queue", "remove", "#1").numbers("id") == [3, 4])
        #expect(try run.json("queue", "remove", "--podcast", "tales").numbers("id") == [4])
    }

    @Test(
        "A command that changes nothing gives the reason and ends with status 66",
        arguments: [
            (["mark", "unplayed", "1"], "Episode 1 \"Tide\" is already unplayed.\n"),
            (["mark", "unplayed", "--podcast", "tales"], "All episodes of \"Harbour Tales\" are already unplayed.\n"),
            (["queue", "remove", "1"], "Episode 1 \"Tide\" is not in the queue.\n"),
            (["queue", "move", "1", "2"], "Episode 1 \"Tide\" is not in the queue.\n"),
            (["queue", "clear"], "The queue is empty.\n"), (["queue", "shuffle"], "The queue is empty.\n"),
            (["remove", "1"], "Episode 1 \"Tide\" is not downloaded.\n"),
            (["rename", "tales"], "\"Harbour Tales\" already has the title from its feed.\n"),
            (["rename", "tales", "Harbour", "Tales"], "\"Harbour Tales\" already has this title.\n"),
            (["downloads", "--empty-trash"], "The trash is empty.\n"),
            (["settings", "unset", "keep-days"], "keep-days is not set: it is off.\n"),
            (["split", "storm"], "Episode 3 \"The storm\" has no identifiers of another episode.\n"),
            (["bookmark", "--remove", "7"], "earshot: there is no bookmark 7\n"),
        ] as [([String], String)])
    func nothingChanged(command: [String], sentence: String) throws {
        let run = try LibraryRun()
        for json in [[], ["--json"]] {
            let outcome = try run.earshot.run(
                command + json, environment: ["XDG_DATA_HOME": run.stage.directory.path])
            #expect(outcome.status == 66 && outcome.errors == sentence, "\(outcome.errors)")
            #expect(outcome.outputText == "")
        }
    }

    @Test("Repeating a change has no effect")
    func twice() throws {
        let run = try LibraryRun()
        for command in [
            ["settings", "set", "keep-days", "7"], ["rename", "tales", "Mine"], ["bookmark", "storm", "1:00"],
            ["queue", "next", "storm"], ["unsubscribe", "p2"],
        ] {
            let earshot = { try run.earshot.run(command, environment: ["XDG_DATA_HOME": run.stage.directory.path]) }
            #expect(try earshot().status == 0, "\(command)")
            #expect(try earshot().status == 66 || command[0] == "rename", "\(command)")
        }
        #expect(try run.run("rename", "mine", "Mine").errors == "\"Mine\" already has this title.\n")
    }

    @Test("Episodes are marked as played, one or all of a podcast, and undo restores them")
    func mark() throws {
        let run = try LibraryRun()
        #expect(try run.run("mark", "played", "storm").errors == "Marked as played: The storm.\n")
        #expect(try run.json("mark", "played", "--podcast", "tales").numbers("id") == [2, 1])
        #expect(try run.json("episodes", "--unplayed").numbers("id") == [4])
        let undone = try run.run("undo")
        #expect(undone.errors.hasPrefix("Undone: marked as played: 2 episodes ("))
        #expect(try run.json("episodes", "--played").numbers("id") == [3])
        #expect(try run.json("mark", "unplayed", "3").first?["progress"]?.text == "unplayed")
    }

    @Test("Actions are listed and undone one by one")
    func undo() throws {
        let run = try LibraryRun()
        _ = try run.run("unsubscribe", "sea")
        #expect(try run.json("podcasts").numbers("id") == [1])
        #expect(try run.json("undo", "--list").map { $0["verb"]?.text } == ["unsubscribe", "subscribe", "subscribe"])
        let undone = try run.json("undo").first
        #expect(undone?["subject"]?.text == "Sea News" && undone?["undone"] == .bool(true))
        #expect(try run.json("podcasts").numbers("id") == [1, 2])
        let list = try run.run("undo", "--list")
        #expect(list.outputText.split(separator: "\n").first?.hasSuffix("unsubscribed: Sea News  (undone)") == true)
    }

    @Test("Undo restores a removed download with its file")
    func removed() throws {
        let server = try DemoEpisodes.server()
        let run = try LibraryRun()
        let keep = ["--keep-dir", run.earshot.keepPath]
        let earshot = { (words: [String]) in
            try run.earshot.run(words + keep, environment: ["XDG_DATA_HOME": run.stage.directory.path])
        }
        #expect(try run.run("subscribe", server.url("/demo.xml")).status == 0)
        let id = try #require(try run.json("episodes", "demo", "--oldest-first").numbers("id").first)
        #expect(try earshot(["download", "\(id)"]).status == 0)
        let files = run.earshot.kept
        #expect(files.count == 1)
        #expect(try earshot(["remove", "\(id)"]).status == 0)
        #expect(run.earshot.kept == ["trash"])
        #expect(try earshot(["undo"]).errors.hasPrefix("Undone: removed the download: "))
        #expect(run.earshot.kept.filter { $0 != "trash" } == files)
        #expect(try run.json("episodes", "--downloaded").numbers("id") == [id])
    }

    @Test("Bookmarks are added, listed and removed")
    func bookmarks() throws {
        let run = try LibraryRun()
        let added = try run.run("bookmark", "storm", "12:30", "the", "song")
        #expect(added.errors == "Added bookmark 1 \"the song\" at 12:30: The storm.\n")
        #expect(try run.json("bookmark", "storm", "15:00").first?["position"]?.number == 900)
        #expect(try run.run("bookmarks", "storm").outputText == "1  12:30  the song\n2  15:00\n")
        #expect(try run.run("bookmarks").outputText == "2  15:00  3 The storm\n1  12:30  the song  3 The storm\n")
        #expect(try run.run("bookmark", "--remove", "1").status == 0)
        #expect(try run.json("bookmarks").numbers("id") == [2])
        _ = try run.run("undo")
        #expect(try run.json("bookmarks", "3").numbers("id") == [1, 2])
    }

    @Test("A bookmark with an empty title has none", arguments: ["", " "])
    func emptyTitle(title: String) throws {
        let run = try LibraryRun()
        #expect(try run.run("bookmark", "storm", "0", title).errors == "Added bookmark 1 at 0:00: The storm.\n")
        #expect(try run.run("bookmarks", "storm").outputText == "1  0:00\n")
        #expect(try run.run("bookmark", "storm", "0").errors.contains("already has this bookmark: bookmark 1"))
    }

    @Test("Settings are set, read and reset, for all podcasts and for one")
    func settings() throws {
        let run = try LibraryRun()
        #expect(try run.run("settings", "set", "auto-download", "3", "--podcast", "tales").status == 0)
        #expect(try run.run("settings", "set", "auto-download", "1").errors == "auto-download is now 1.\n")
        #expect(try run.run("settings", "get", "auto-download", "--podcast", "tales").outputText == "3\n")
        #expect(try run.run("settings", "get", "auto-download").outputText == "1\n")
        #expect(try run.json("settings", "unset", "auto-download", "--podcast", "tales").first?["value"]?.text == "1")
        #expect(try run.json("settings").count == SettingKey.allCases.count)
        #expect(try run.run("settings", "list", "--podcast", "sea").outputText.contains("auto-download  "))
        _ = try run.run("settings", "set", "auto-download-words", "news", "talk")
        #expect(try run.json("settings", "get", "auto-download-words").first?["value"]?.text == "news talk")
    }

    @Test(
        "An episode without audio is reported and cannot be queued",
        arguments: [
            (["play", "--output", "null"], 66), (["download"], 66), (["queue", "add"], 66),
        ] as [([String], CInt)])
    func silent(command: [String], status: CInt) throws {
        let run = try LibraryRun()
        var letter = ParsedEpisode.numbered(12, title: "A letter")
        letter.enclosures = []
        try run.stage.merge([letter], into: 1, isComplete: false)
        let outcome = try run.earshot.run(
            command + ["a letter"], environment: ["XDG_DATA_HOME": run.stage.directory.path])
        #expect(outcome.status == status && outcome.sentences.count == 1)
        #expect(outcome.errors.hasSuffix("the episode \"A letter\" has no audio\n"), "\(outcome.errors)")
        #expect(try run.json("queue").isEmpty)
    }

    @Test("A podcast is renamed and gets its original title back")
    func rename() throws {
        let run = try LibraryRun()
        let renamed = "Renamed \"Harbour Tales\" to \"The Harbour\".\n"
        #expect(try run.run("rename", "tales", "The", "Harbour").errors == renamed)
        #expect(try run.json("rename", "the harbour").first?["title"]?.text == "Harbour Tales")
        _ = try run.run("rename", "tales", "Harbour")
        #expect(try run.json("rename", "harbour", " ", "").first?["title"]?.text == "Harbour Tales")
        _ = try run.run("undo")
        #expect(try run.json("podcasts").first?["title"]?.text == "Harbour")
    }

    @Test("Unsubscribing from several podcasts changes nothing if one of them is unknown")
    func unsubscribe() throws {
        let run = try LibraryRun()
        #expect(try run.run("unsubscribe", "sea", "mountains").status == 66)
        #expect(try run.json("podcasts").count == 2)
        #expect(try run.run("unsubscribe", "sea", "tales").errors.contains("Unsubscribed: Sea News."))
        #expect(try run.run("podcasts").outputText == "")
    }

    @Test("Two episodes are merged, and one is split")
    func identity() throws {
        let run = try LibraryRun()
        try run.stage.library.save(.init(position: .seconds(30)), of: 1, .act)
        #expect(try run.json("merge", "tide", "fog").first?["position"]?.number == 30)
        #expect(try run.run("show", "tide").status == 66)
        #expect(try run.run("split", "fog").errors == "Split \"Fog\": removed 2 identifiers.\n")
    }

    @Test(
        "The help of each command contains an example",
        arguments: [
            "episodes", "show", "search", "queue", "mark", "history", "undo", "bookmarks", "bookmark", "settings",
            "unsubscribe", "rename", "merge", "split", "why", "import", "export", "podcasts", "doctor", "subscribe",
            "refresh", "downloads", "remove",
        ])
    func help(command: String) throws {
        let lines = try Earshot().run([command, "--help"]).outputText.split(separator: "\n")
        #expect(lines.contains("For example:"))
        #expect(lines.contains { $0.hasPrefix("  earshot \(command)") })
    }
}
