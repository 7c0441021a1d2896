// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("Subscribing by name")
struct DirectoryTests {
    private let run: FeedRun

    init() throws {
        run = try FeedRun()
        run.serve(ServedFeed("Harbour Tales", [.named("Storm", day: 2)]))
        let address = run.server.url("/search?term={words}")
        #expect(try run.run("settings", "set", "directory", address).status == 0)
    }

    private func answer(_ json: String, _ script: (inout FaultScript) -> Void = { _ in }) {
        var page = FaultScript(body: Array(json.utf8), contentType: "text/javascript")
        script(&page)
        let served = page
        run.server.handle("/search") { _, _ in served }
    }

    private func results(_ feeds: (title: String, path: String)...) -> String {
        let list = feeds.map { #"{"collectionName":"\#($0.title)","feedUrl":"\#(run.server.url($0.path))"}"# }
        return #"{"results":[\#(list.joined(separator: ","))]}"#
    }

    @Test("The words are sent to the directory, and its results are listed")
    func list() throws {
        answer(results(("Harbour Tales", "/feed"), ("Sea News", "/news")))
        let outcome = try run.run("subscribe", "harbour", "tälés")
        #expect(outcome.status == 66)
        #expect(
            outcome.outputText == """
                1  Harbour Tales
                   \(run.server.url("/feed"))
                2  Sea News
                   \(run.server.url("/news"))

                """)
        #expect(outcome.errors.hasPrefix("Not subscribed. ") && outcome.errors.split(separator: "\n").count == 1)
        #expect(run.server.requests.last?.query == "term=harbour%20t%C3%A4l%C3%A9s")
        #expect(try run.json("podcasts").isEmpty)
        let lines = try run.start(["subscribe", "tales", "--json"]).wait()
        #expect(try lines.events().map { $0["title"]?.text } == ["Harbour Tales", "Sea News"] && lines.errors == "")
    }

    @Test("--first subscribes to the first result")
    func first() throws {
        answer(results(("Harbour Tales", "/feed"), ("Sea News", "/news")))
        #expect(try run.run("subscribe", "--first", "harbour").outputText == "p1  Harbour Tales  (1 episode)\n")
        #expect(try run.json("subscribe", "--first", "harbour").first?["outcome"]?.text == "known")
    }

    @Test("--result subscribes to the result with that number, and lists the results if there is none")
    func result() throws {
        answer(results(("Sea News", "/news"), ("Harbour Tales", "/feed")))
        let outcome = try run.run("subscribe", "harbour", "--result", "3")
        #expect(outcome.status == 66 && outcome.outputText.contains("2  Harbour Tales\n"))
        #expect(outcome.errors.contains("There is no result 3: the directory found 2 podcasts."))
        #expect(outcome.errors.contains("--result 2"))
        #expect(try run.run("subscribe", "harbour", "--result", "2").outputText == "p1  Harbour Tales  (1 episode)\n")
        #expect(try run.run("subscribe", "harbour", "--result", "0").status == 64)
        #expect(try run.run("subscribe", "https://host.example/", "--result", "1").status == 64)
    }

    @Test("A directory that fails, answers something else or finds nothing causes one sentence and a status")
    func failures() throws {
        let cases: [(FaultScript, CInt, String)] = [
            (.status(404), 66, "404"), (.status(500), 69, "500"), (.webPage(), 65, "not a list of podcasts"),
            (FaultScript(body: Array(#"{"results":[]}"#.utf8)), 66, "has no podcast"),
        ]
        for (script, status, reason) in cases {
            run.server.handle("/search") { _, _ in script }
            let outcome = try run.run("subscribe", "harbour")
            #expect(outcome.status == status && outcome.sentences.count == 1, "\(outcome.errors)")
            #expect(outcome.errors.contains(reason) && outcome.outputText == "", "\(outcome.errors)")
        }
    }

    @Test("Without the setting no server is contacted")
    func noDirectory() throws {
        #expect(try run.run("settings", "unset", "directory").status == 0)
        let outcome = try run.run("subscribe", "harbour")
        #expect(outcome.status == 66 && outcome.sentences.count == 1)
        #expect(outcome.errors.contains("earshot settings set directory"))
        #expect(run.server.requests.isEmpty)
        #expect(try run.run("settings", "set", "directory", "https://host.example/search").status == 64)
        #expect(try run.run("subscribe", "--first", "https://host.example/").status == 64)
    }
}
