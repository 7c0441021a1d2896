// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("Smart queues and groups on the command line")
struct SmartQueueRunTests {
    @Test("A smart queue is created, shown, played and deleted")
    func smartQueue() throws {
        let run = try FeedRun()
        try run.subscribe(to: [3, 2, 1])
        let created = try run.run("smart", "create", "tales", "--podcast", "harbour", "--limit", "2")
        #expect(created.errors == "Created the smart queue \"tales\": 2 episodes.\n")
        #expect(try run.json("smart", "show", "Tales").map { $0["title"]?.text } == ["Part 1", "Part 2"])
        #expect(try run.json("smart").first?["episodes"]?.number == 2)
        let played = try run.start(["play", "--smart", "tales", "--output", "null:fast", "--repeat", "off"]).wait()
        #expect(played.status == 0, "\(played.errors)")
        let all = try run.json("episodes", "--played").map { $0["title"]?.text }
        #expect(all.contains("Part 1") && all.contains("Part 2"))
        #expect(try run.run("smart", "delete", "tales").errors == "Deleted the smart queue \"tales\".\n")
        #expect(try run.run("smart", "show", "tales").status == 66)
        #expect(try run.run("undo").errors.hasPrefix("Undone: deleted the smart queue: tales ("))
        #expect(try run.run("smart").outputText.hasPrefix("tales  "))
    }

    @Test("An episode that enters a smart queue because another one plays is played after it", arguments: [1, 2])
    func refilled(limit: Int) throws {
        let run = try FeedRun()
        try run.subscribe(to: [3, 2, 1])
        _ = try run.run("smart", "create", "tales", "--podcast", "harbour", "--limit", "\(limit)")
        let played = try run.start(["play", "--smart", "tales", "--output", "null", "--speed", "3.5"]).wait()
        #expect(played.status == 0, "\(played.errors)")
        #expect(try run.json("episodes", "--played").count == 3)
    }

    @Test("An empty or unknown smart queue is reported with status 66")
    func nothing() throws {
        let run = try FeedRun()
        try run.subscribe(to: [1])
        _ = try run.run("mark", "played", "--podcast", "harbour")
        _ = try run.run("smart", "create", "tales")
        let sentences = [("tales", "tales: the smart queue is empty"), ("x", "there is no smart queue \"x\"")]
        for (name, sentence) in sentences {
            let outcome = try run.start(["play", "--smart", name, "--output", "null:fast"]).wait()
            #expect(outcome.status == 66 && outcome.sentences == ["earshot: \(sentence)"], "\(outcome.errors)")
        }
    }

    @Test("A podcast is queued as one change, in the chosen order")
    func queueAdd() throws {
        let run = try LibraryRun()
        _ = try run.run("mark", "played", "fog")
        #expect(try run.json("queue", "add", "--podcast", "tales", "--newest-first").numbers("id") == [3, 1])
        _ = try run.run("undo")
        #expect(try run.json("queue").isEmpty)
        let all = ["queue", "add", "--podcast", "tales", "--include-played", "--limit", "2"]
        let environment = ["XDG_DATA_HOME": run.stage.directory.path]
        #expect(try run.earshot.run(all, environment: environment).errors == "Queued: 2 episodes.\n")
        #expect(try run.json("queue").numbers("id") == [1, 2])
    }

    @Test("Lists show groups as headings, and episodes are filtered by group")
    func groups() throws {
        let run = try LibraryRun()
        let opml = """
            <opml version="2.0"><body><outline text="Sea"><outline text="Ports"><outline type="rss"
            xmlUrl="https://host.example/ports.xml" text="Ports Weekly"/></outline></outline></body></opml>
            """
        try run.earshot.scratch.write(Array(opml.utf8), to: "list.opml")
        #expect(try run.run("import", run.earshot.scratch.path("list.opml")).status == 0)
        let podcasts = try run.run("podcasts", "--by-group").outputText
        #expect(podcasts.hasPrefix("Sea / Ports\np3  Ports Weekly"), "\(podcasts)")
        #expect(podcasts.contains("\n\nno group\np1  Harbour Tales"))
        #expect(try run.json("episodes", "--group", "ports").isEmpty)
        #expect(try run.run("episodes", "--group", "hills").status == 66)
        #expect(try run.run("episodes", "--by-group").outputText.hasPrefix("no group\n4  "))
    }
}
