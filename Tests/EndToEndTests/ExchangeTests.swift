// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Testing

@Suite("Import and export of subscriptions")
struct ExchangeTests {
    private static let list = """
        <opml version="2.0"><body>
        <outline text="Sea"><outline text="Deep"><outline text="Whales" xmlUrl="https://w.example/feed"/></outline>
        <outline text="Gulls" xmlUrl="https://me:hunter2@g.example/feed"/></outline>
        <outline text="Known" xmlUrl="https://host.example/news.xml"/>
        <outline text="A page" xmlUrl="https://podcasts.apple.com/podcast/id1"/>
        <outline text="Nothing" type="rss" xmlUrl=""/>
        </body></opml>
        """

    @Test(
        "An import subscribes to all valid feeds in one undoable action and reports each refused line with its reason")
    func importing() throws {
        let run = try LibraryRun()
        let file = try run.stage.directory.write(Self.list.utf8, to: "list.opml")
        let outcome = try run.run("import", file)
        #expect(outcome.status == 0)
        #expect(outcome.outputText == "p3  Whales\np4  Gulls\n")
        #expect(
            outcome.errors == """
                earshot: line 5: A page: it is a page of Apple's directory, not a feed
                earshot: line 6: Nothing: it has no URL
                Imported 2 podcasts, 1 already present, 2 rejected. Run "earshot refresh" to fetch the episodes.

                """)
        #expect(try run.stage.library.podcast(3).folder == ["Sea", "Deep"])
        #expect(try run.stage.library.podcast(4).feedURL == "https://g.example/feed")
        #expect(try run.stage.library.login(for: 4) == Login(user: "me", password: "hunter2"))
        #expect(try run.run("undo").errors.hasPrefix("Undone: imported: 3 podcasts"))
        #expect(try run.json("podcasts").numbers("id") == [1, 2])
    }

    @Test("A second import of a file changes nothing, gives the reason and exits with 66")
    func again() throws {
        let run = try LibraryRun()
        let file = try run.stage.directory.write(Self.list.utf8, to: "list.opml")
        _ = try run.run("import", file)
        let again = try run.run("import", file)
        #expect(again.status == 66 && again.outputText == "")
        let reason = "Nothing to import: the library already has all valid entries of the file.\n"
        #expect(again.errors.hasSuffix("Nothing: it has no URL\n" + reason), "\(again.errors)")
        let json = try run.run("import", file, "--json")
        #expect(json.status == 66 && json.errors == reason)
        #expect(try json.events().prefix(3).allSatisfy { $0["outcome"]?.text == "known" })
    }

    @Test("An import that only adds groups to known podcasts succeeds")
    func groups() throws {
        let run = try LibraryRun()
        let known = "<outline text=\"Known\" xmlUrl=\"https://host.example/news.xml\"/>"
        let list = "<opml version=\"2.0\"><body><outline text=\"Sea\">\(known)</outline></body></opml>"
        let file = try run.stage.directory.write(list.utf8, to: "list.opml")
        let outcome = try run.run("import", file)
        #expect(outcome.status == 0 && outcome.errors == "Imported 0 podcasts, 1 already present.\n")
        #expect(try run.run("import", file).status == 66)
    }

    @Test("An import reads standard input and reports as JSON")
    func piped() throws {
        let run = try LibraryRun()
        let program = try run.earshot.start(
            ["import", "-", "--json"], environment: ["XDG_DATA_HOME": run.stage.directory.path], keepsInput: true)
        program.write(Self.list)
        program.closeInput()
        let events = try program.wait().events()
        #expect(events.map { $0["outcome"]?.text } == ["subscribed", "subscribed", "known", "refused", "refused"])
        #expect(events.map { $0["podcast"]?.number } == [3, 4, 2, nil, nil])
        #expect(events[3]["line"]?.number == 5)
    }

    @Test(
        "A file that is not a subscription list fails with one message and changes nothing",
        arguments: ["<html><body>Hello</body></html>", "", "<opml><body/></opml>"])
    func noList(text: String) throws {
        let run = try LibraryRun()
        let file = try run.stage.directory.write(text.utf8, to: "list.opml")
        let outcome = try run.run("import", file)
        #expect(outcome.status == 65 && outcome.outputText == "")
        #expect(outcome.sentences.count == 1 && outcome.errors.contains("\(file): "), "\(outcome.errors)")
        let nowhere = try run.run("import", "/nowhere.opml")
        #expect(nowhere.status == 66 && nowhere.errors == "earshot: /nowhere.opml: no such file\n")
    }

    @Test("A truncated list is imported as far as it goes, and the message reports the missing rest")
    func cut() throws {
        let run = try LibraryRun()
        let beginning = Self.list.utf8.prefix { $0 != UInt8(ascii: "G") }
        let file = try run.stage.directory.write(beginning, to: "list.opml")
        let outcome = try run.run("import", file)
        #expect(outcome.status == 0 && outcome.outputText == "p3  Whales\n")
        #expect(outcome.errors.hasSuffix("\(file) is truncated: the entries after its end are missing.\n"))
    }

    @Test("An exported list can be imported into another library with its groups, and contains no password")
    func roundTrip() throws {
        let run = try LibraryRun()
        let file = try run.stage.directory.write(Self.list.utf8, to: "list.opml")
        _ = try run.run("import", file)
        let out = run.stage.directory.path("out.opml")
        #expect(try run.run("export", out).status == 0)
        let again = try run.run("export", out)
        #expect(again.status == 73 && again.errors.contains("file exists"))
        let text = try run.run("export", "--opml").outputText
        #expect(Array(text.utf8) == run.stage.directory.read("out.opml"))
        #expect(!text.contains("hunter2"))
        let other = try LibraryStage(folder: "earshot")
        let taken = try run.earshot.run(
            ["import", out], environment: ["XDG_DATA_HOME": other.directory.path])
        #expect(taken.status == 0)
        let parts = { (library: Library) in
            try library.podcasts().map { [$0.feedURL, $0.name] + $0.folder }
        }
        #expect(try parts(other.library) == parts(run.stage.library))
    }

    @Test("export --json writes the library as lines of JSON")
    func everything() throws {
        let run = try LibraryRun()
        try run.stage.library.save(.init(position: .seconds(30)), of: 3, .act)
        let lines = try run.run("export", "--json").events()
        #expect(lines.map { $0["kind"]?.text } == ["library", "podcast", "podcast", "episode"])
        #expect(lines.last?["position"]?.number == 30)
    }
}
