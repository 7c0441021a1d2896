// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("Subscribing")
struct SubscribeTests {
    private static let tales = ServedFeed("Harbour Tales", [.named("Storm", day: 2), .named("Fog")])

    @Test("Subscribing fetches a feed and adds its episodes to the library")
    func feed() throws {
        let run = try FeedRun()
        run.serve(Self.tales)
        let outcome = try run.run("subscribe", run.server.url("/feed"))
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.outputText == "p1  Harbour Tales  (2 episodes)\n")
        #expect(try run.json("podcasts").first?["feedURL"]?.text == run.server.url("/feed"))
        #expect(try run.json("episodes").map { $0["title"]?.text } == ["Storm", "Fog"])
    }

    @Test("A feed whose compressed document is cut off is reported as incomplete")
    func cutOff() throws {
        let run = try FeedRun()
        let whole = FaultScript.gzip(Self.tales.script.body, contentType: "application/rss+xml")
        run.server.serve("/feed", whole.with { $0.body = Array($0.body.dropLast(40)) })
        let outcome = try run.run("subscribe", run.server.url("/feed"))
        #expect(outcome.status == 0 && outcome.outputText.hasPrefix("p1  Harbour Tales  ("))
        let remark = "Only a part of the feed of \"Harbour Tales\" could be read."
        #expect(outcome.errors == "\(remark) \"earshot refresh\" requests all of it again.\n")
    }

    @Test("A page with several feeds subscribes to the first one and lists all of them")
    func pageOfTwo() throws {
        let run = try FeedRun()
        run.serve(Self.tales)
        let link = { (path: String) in "<link rel=alternate type=application/rss+xml href=\(path)>" }
        let page = "<html><head>\(link("/feed"))\(link("/comments?x=1"))</head></html>"
        run.server.serve("/", FaultScript(body: Array(page.utf8), contentType: "text/html"))
        let outcome = try run.run("subscribe", run.server.url("/"))
        #expect(outcome.status == 0 && outcome.outputText == "p1  Harbour Tales  (2 episodes)\n")
        #expect(
            outcome.errors == """
                The page lists 2 feeds. Using: \(run.server.url("/feed"))
                Not used: \(run.server.url("/comments?x=1"))

                """)
    }

    @Test("A page leads to the feed that it links to")
    func page() throws {
        let run = try FeedRun()
        run.serve(Self.tales)
        let page = "<html><head><link rel=alternate type=application/rss+xml href=/feed></head></html>"
        run.server.serve("/", FaultScript(body: Array(page.utf8), contentType: "text/html"))
        let line = try run.json("subscribe", run.server.url("/")).first
        #expect(line?["outcome"]?.text == "subscribed")
        #expect(line?["podcast"]?["feedURL"]?.text == run.server.url("/feed"))
    }

    @Test(
        "An address without a feed fails with one message, and the library stays empty",
        arguments: [
            (FaultScript.status(404), 66, "404"), (.status(401), 77, "401"), (.status(410), 66, "no longer exists"),
            (.webPage(), 65, "HTML page"), (.status(500), 69, "500"),
            (FaultScript(body: Array("Hello".utf8), contentType: "text/plain"), 65, "feed"),
            (FaultScript(contentType: "text/xml"), 65, "empty"),
            (FaultScript(body: Array("ID3".utf8)), 65, "audio"),
        ] as [(FaultScript, CInt, String)])
    func refused(script: FaultScript, status: CInt, reason: String) throws {
        let run = try FeedRun()
        run.server.serve("/feed", script)
        let outcome = try run.run("subscribe", run.server.url("/feed"))
        #expect(outcome.status == status && outcome.outputText == "")
        #expect(outcome.sentences.count == 1 && outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(try run.json("podcasts").isEmpty && run.json("undo", "--list").isEmpty)
        #expect(try run.run("show", "1", "--podcast").status == 66)
    }

    @Test("A failing address does not affect the others, and addresses can come from standard input")
    func several() throws {
        let run = try FeedRun()
        run.serve(Self.tales)
        run.serve(ServedFeed("Sea News", []), at: "/news")
        let program = try run.start(["subscribe", "-"], keepsInput: true)
        let addresses = ["/none", "/feed", "/news"].map(run.server.url)
        program.write("# mine\n\(addresses[0])\n  \(addresses[1])\n\n\(addresses[2])\n")
        program.closeInput()
        let outcome = program.wait()
        #expect(outcome.status == 66 && outcome.sentences.count == 1)
        let words = outcome.outputText.split(separator: "\n")
        #expect(words == ["p1  Harbour Tales  (2 episodes)", "p2  Sea News  (0 episodes)"])
    }

    @Test("A path is refused with advice, whether the file exists or not")
    func path() throws {
        let run = try FeedRun()
        let file = try run.earshot.scratch.write(Array("<rss/>".utf8), to: "feed.xml")
        for path in [file, "./missing.xml", "file://\(file)"] {
            let outcome = try run.run("subscribe", path)
            #expect(outcome.status == 64, "\(path): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("Error: \"\(path)\" is a path: specify the URL of a feed"))
        }
    }

    @Test("Standard input without an address is an error")
    func nothing() throws {
        let run = try FeedRun()
        let program = try run.start(["subscribe", "-"], keepsInput: true)
        program.write("# mine\n\n")
        program.closeInput()
        let outcome = program.wait()
        #expect(outcome.status == 66 && outcome.sentences == ["earshot: standard input: no URL was given"])
    }

    @Test("More than 1 MiB of standard input is refused")
    func longInput() throws {
        let run = try FeedRun()
        let program = try run.start(["subscribe", "-"], keepsInput: true)
        program.write(String(repeating: "# a comment of a list\n", count: 50_000))
        program.closeInput()
        let outcome = program.wait()
        #expect(outcome.status == 65 && outcome.sentences == ["earshot: standard input: more than 1 MiB of URLs"])
    }

    @Test("A known podcast is reported, and subscribing again restores its state")
    func again() throws {
        let run = try FeedRun()
        run.serve(Self.tales)
        let url = run.server.url("/feed")
        _ = try run.run("subscribe", url)
        #expect(try run.run("subscribe", url).errors == "\"Harbour Tales\" is already in the library as p1.\n")
        _ = try run.run("mark", "played", "fog")
        _ = try run.run("unsubscribe", "tales")
        #expect(try run.json("episodes").isEmpty)
        let back = try run.run("subscribe", url)
        #expect(back.status == 0 && back.outputText == "p1  Harbour Tales  (restored)\n")
        #expect(try run.json("episodes", "--played").map { $0["title"]?.text } == ["Fog"])
        _ = try run.run("unsubscribe", "tales")
        run.server.serve("/feed", .status(404))
        #expect(try run.run("subscribe", url).status == 66)
        #expect(try run.json("podcasts").isEmpty)
    }

    @Test("A permanent redirect to a known podcast resolves to that podcast")
    func redirected() throws {
        let run = try FeedRun()
        run.serve(Self.tales)
        run.server.serve("/old", .redirect(to: "/feed", code: 301))
        _ = try run.run("subscribe", run.server.url("/feed"))
        #expect(try run.json("subscribe", run.server.url("/old")).first?["outcome"]?.text == "known")
        #expect(try run.json("podcasts").count == 1)
    }
}

@Suite("A feed with a password")
struct PrivateFeedTests {
    private static let password = "hunter2"
    /// "me:hunter2"
    private static let authorization = "Basic bWU6aHVudGVyMg=="

    private let run: FeedRun
    private var url: String { "http://me:\(Self.password)@\(run.server.authority)/feed" }

    init() throws {
        run = try FeedRun()
        let feed = ServedFeed("Private Tales", [.demo(1, on: run.server)]).script
        serve(feed, at: "/feed")
        serve(DemoEpisodes.episode(1), at: "/part1.mp3")
    }

    private func serve(_ script: FaultScript, at path: String, for authorization: String = authorization) {
        run.server.handle(path) { request, _ in
            request.authorization == authorization ? script.honouringConditions(request) : .status(401)
        }
    }

    @Test("The password works for the feed and its episodes, and is never shown")
    func hidden() throws {
        let commands = [
            ["subscribe", url], ["subscribe", url, "--json"], ["podcasts"], ["podcasts", "--json"], ["show", "private"],
            ["show", "private", "--json"], ["refresh", "--all"], ["refresh", "--all", "--json"], ["episodes", "--json"],
            ["download", "part 1", "--json"], ["downloads", "--json"], ["show", "part 1", "--json"], ["why", "part 1"],
            ["export"], ["export", "--json"], ["undo", "--list", "--json"], ["unsubscribe", "private", "--json"],
        ]
        for command in commands {
            let outcome = try run.start(command).wait()
            #expect(outcome.status == 0, "\(command): \(outcome.errors)")
            let text = outcome.outputText + outcome.errors
            #expect(!text.contains(Self.password) && !text.contains("me:"), "\(command): \(text)")
        }
        // Unsubscribing moves the download to the trash.
        #expect(run.kept.isEmpty && run.trash.count == 1)
    }

    @Test("A page on the same server that links to the feed is sufficient")
    func page() throws {
        let page = "<html><head><link rel=alternate type=application/rss+xml href=/feed></head></html>"
        serve(FaultScript(body: Array(page.utf8), contentType: "text/html"), at: "/")
        let outcome = try run.run("subscribe", "http://me:\(Self.password)@\(run.server.authority)/")
        #expect(outcome.status == 0 && outcome.outputText.hasSuffix("  Private Tales  (1 episode)\n"))
    }

    @Test("The podcast is found by its address with the password")
    func named() throws {
        _ = try run.run("subscribe", url)
        #expect(try run.json("show", url).first?["title"]?.text == "Private Tales")
        #expect(try run.json("unsubscribe", url).count == 1)
    }

    @Test("A new password that the server refuses changes nothing, and the feed does not count as failing")
    func refusedNewPassword() throws {
        _ = try run.run("subscribe", url)
        for _ in 0..<3 {
            #expect(try run.run("subscribe", "http://me:typo@\(run.server.authority)/feed").status == 77)
        }
        #expect(!(try run.run("podcasts").outputText.contains("401")))
        #expect(try run.run("refresh", "--all").status == 0)
    }

    @Test("A wrong password leaves no podcast and does not appear in the message", arguments: ["wrong", ""])
    func wrong(password: String) throws {
        let outcome = try run.run("subscribe", "http://me:\(password)@\(run.server.authority)/feed")
        #expect(outcome.status == 77 && outcome.sentences.count == 1)
        #expect(password.isEmpty || !outcome.errors.contains(password))
        #expect(try run.json("podcasts").isEmpty)
    }

    @Test("A new password replaces the old one if it works")
    func changed() throws {
        #expect(try run.run("subscribe", url).status == 0)
        #expect(try run.run("subscribe", "http://me:wrong@\(run.server.authority)/feed").status == 77)
        #expect(try run.json("refresh", "private").first?["outcome"]?.text == "unchanged")
        // "me:sesame"
        serve(ServedFeed("Private Tales", []).script, at: "/feed", for: "Basic bWU6c2VzYW1l")
        #expect(try run.run("refresh", "private").status == 77)
        #expect(try run.run("subscribe", "http://me:sesame@\(run.server.authority)/feed").status == 0)
        #expect(try run.run("refresh", "private").status == 0)
        _ = try run.run("unsubscribe", "private")
        serve(ServedFeed("Private Tales", []).script, at: "/feed")
        #expect(try run.run("subscribe", url).outputText == "p1  Private Tales  (restored)\n")
    }
}
