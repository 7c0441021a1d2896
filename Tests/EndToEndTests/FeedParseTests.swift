// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("feed parse")
struct FeedParseTests {
    @Test("A URL, a file and standard input produce the same document")
    func sameDocument() throws {
        let server = try DemoEpisodes.server()
        let url = server.url("/demo.xml")
        let earshot = try Earshot()
        let fetched = try earshot.run(["feed", "parse", url, "--json"])
        let read = try earshot.run(["feed", "parse", DemoEpisodes.feedPath, "--json", "--url", url])
        let piped = try earshot.start(["feed", "parse", "-", "--json", "--url", url], keepsInput: true)
        piped.write(String(decoding: DemoEpisodes.feed, as: UTF8.self))
        piped.closeInput()
        #expect(fetched.status == 0 && fetched.errors == "")
        let document = try JSONDocument(parsing: fetched.outputText)
        #expect(document.keys.isSuperset(of: ["episodes"]))
        if case .array(let episodes)? = document["episodes"] { #expect(episodes.count == 6) }
        #expect(read.outputText == fetched.outputText && read.status == 0)
        let outcome = piped.wait()
        #expect(outcome.outputText == fetched.outputText && outcome.status == 0)
    }

    @Test("--diagnostics reports repairs and leaves the document unchanged")
    func diagnostics() throws {
        let earshot = try Earshot()
        let run = { (options: [String]) in
            let piped = try earshot.start(["feed", "parse", "-", "--json"] + options, keepsInput: true)
            piped.write("<rss>\n<channel><title>A & B</title><item/></channel></rss>")
            piped.closeInput()
            return piped.wait()
        }
        let (plain, told) = (try run([]), try run(["--diagnostics"]))
        #expect(plain.status == 0 && plain.errors == "")
        #expect(told.status == 0 && told.errors == "line 2: bare ampersand\n")
        #expect(told.outputText == plain.outputText)
    }

    @Test(
        "An address without a feed fails with one message and a status",
        arguments: [
            ("/none", 66, "404"), ("/part1.mp3", 65, "as audio (audio/mpeg)"), ("/page", 65, "HTML page"),
        ] as [(String, CInt, String)])
    func noFeed(path: String, status: CInt, reason: String) throws {
        let server = try DemoEpisodes.server()
        server.serve("/page", .webPage())
        let outcome = try Earshot().run(["feed", "parse", server.url(path), "--json"])
        try expectOneSentence(outcome, about: server.url(path), reason, status)
    }

    @Test("A file that is not a feed fails with one message and a status")
    func noFeedFile() throws {
        let earshot = try Earshot()
        let parse = { try earshot.run(["feed", "parse", $0, "--json"]) }
        try expectOneSentence(parse("/nothing"), about: "/nothing", "no such file", 66)
        try expectOneSentence(parse("/tmp"), about: "/tmp", "a directory", 65)
        try expectOneSentence(parse(DemoEpisodes.path(1)), about: DemoEpisodes.path(1), "it is audio", 65)
    }
}

@Suite("Help")
struct HelpTests {
    @Test(
        "The help of every command contains an example",
        arguments: [
            ["--help"], ["play", "--help"], ["feed", "--help"], ["feed", "parse", "--help"], ["help", "play"],
        ])
    func example(arguments: [String]) throws {
        let outcome = try Earshot().run(arguments)
        #expect(outcome.status == 0 && outcome.errors == "")
        let lines = outcome.outputText.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains { $0.hasPrefix("For example:") })
        #expect(lines.contains { $0.hasPrefix("earshot ") && ($0.contains("http") || $0.contains(".mp3")) })
    }

    @Test("The help lists the exit statuses, and the version starts with the program name")
    func statuses() throws {
        let earshot = try Earshot()
        let help = try earshot.run(["--help"]).outputText
        for status in ["64", "66", "69", "130", "143"] { #expect(help.contains(" \(status)  ")) }
        let version = try earshot.run(["--version"])
        #expect(version.status == 0 && version.outputText.hasPrefix("earshot "))
    }
}
