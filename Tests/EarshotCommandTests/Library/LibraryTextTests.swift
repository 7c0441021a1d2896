// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Media
import Testing

@testable import Feeds
@testable import TerminalInterface

extension [ReportText] {
    /// The text on standard output.
    var output: String {
        map { if case .output(let text) = $0 { text } else { "" } }.joined()
    }

    /// The text on standard error.
    var errors: String {
        map { if case .error(let text) = $0 { text } else { "" } }.joined()
    }
}

@Suite("Lists of episodes", .clock(.utc))
struct EpisodeTableTests {
    private func stage() throws -> (LibraryStage, [EpisodeSummary]) {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        try stage.merge(
            [
                .numbered(31, title: "The storm"), .numbered(20, title: "A night\u{1B}[2J at the harbour", minutes: 75),
                .numbered(1, title: "日本の港"),
            ], into: podcast)
        try stage.library.save(.init(position: .seconds(61)), of: 2, .act)
        try stage.library.mark([1], played: true)
        return (stage, try stage.library.episodes(limit: 9).episodes)
    }

    @Test("Without a terminal each episode is one complete line")
    func full() throws {
        let (_, episodes) = try stage()
        let text = EpisodeTable(ListLayout()).plain(episodes).output
        #expect(
            text == """
                3  2025-02-01  ○  The storm  30:00  Harbour Tales
                2  2025-01-21  ◐  A night[2J at the harbour  1:01 / 1:15:00  Harbour Tales
                1  2025-01-02  ●  日本の港  30:00  Harbour Tales

                """)
    }

    @Test("On a terminal the columns fit the width, and a narrow terminal hides the podcast")
    func columns() throws {
        let (_, episodes) = try stage()
        let text = { (width: Int) in EpisodeTable(ListLayout(width: width)).plain(episodes).output }
        #expect(
            text(64) == """
                3  2025-02-01  ○  The storm                 30:00  Harbour Tales
                2  2025-01-21  ◐  A night[2J at…   1:01 / 1:15:00  Harbour Tales
                1  2025-01-02  ●  日本の港                  30:00  Harbour Tales

                """)
        #expect(
            text(50) == """
                3  2025-02-01  ○  The storm                  30:00
                2  2025-01-21  ◐  A night[2J at t…  1:01 / 1:15:00
                1  2025-01-02  ●  日本の港                   30:00

                """)
    }

    @Test("Without UTF-8 the progress marks are ASCII characters")
    func ascii() throws {
        let (_, episodes) = try stage()
        let lines = EpisodeTable(ListLayout(glyphs: .ascii), showsPodcast: false).lines(episodes)
        #expect(lines.map { $0.split(separator: " ")[2] } == ["-", ">", "x"])
        #expect(lines[0] == "3  2025-02-01  -  The storm  30:00")
    }

    @Test("The queue shows positions")
    func places() throws {
        let (_, episodes) = try stage()
        let lines = EpisodeTable(ListLayout(), showsPlace: true).lines(episodes)
        #expect(lines.map { $0.prefix(4) } == ["#1  ", "#2  ", "#3  "])
    }

    @Test("Any width is possible")
    func narrow() throws {
        let (_, episodes) = try stage()
        for width in 1..<90 {
            let lines = EpisodeTable(ListLayout(width: width)).lines(episodes)
            #expect(lines.count == 3, "width \(width)")
            // The columns before the title take 18 columns.
            #expect(lines.allSatisfy { $0.terminalColumns <= max(width, 19) }, "width \(width): \(lines)")
        }
    }

    @Test("Each episode is a JSON object with all its keys")
    func json() throws {
        let (_, episodes) = try stage()
        let objects = try EpisodeTable.json(episodes).output.split(separator: "\n").map(JSONDocument.init(parsing:))
        #expect(objects.map { $0["id"]?.number } == [3, 2, 1])
        #expect(objects[1]["position"]?.number == 61)
        #expect(objects[1]["played"]?.text == "2026-01-01T00:00:00Z")
        #expect(objects[0]["played"] == .null)
        #expect(objects[0]["enclosure"]?["url"]?.text == "https://host.example/31.mp3")
        #expect(objects.map { $0["progress"]?.text } == ["unplayed", "started", "played"])
        #expect(Set(objects.map(\.keys)).count == 1)
    }
}

@Suite("Details of an episode or a podcast", .clock(.utc))
struct CardTests {
    private func stage() throws -> LibraryStage {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        var episode = ParsedEpisode.numbered(1, title: "The storm", notes: "<p>A gull &amp; a rope.</p>")
        episode.chapters = [
            Chapter(start: .seconds(61), title: "Rope", url: "https://host.example/rope")
        ]
        episode.link = "https://host.example/storm"
        try stage.merge([episode], into: podcast)
        try stage.library.save(
            .init(position: .seconds(90), version: "v1", heard: .zero ..< .seconds(90)), of: 1, .act)
        try stage.library.addBookmark(1, at: .seconds(75), title: "here")
        try stage.library.enqueue([1])
        return stage
    }

    @Test("The details of an episode contain facts, notes, chapters and bookmarks")
    func episode() throws {
        let text = EpisodeCard(ListLayout()).plain(try stage().library.record(of: 1)).output
        #expect(
            text == """
                The storm
                Harbour Tales

                number     1
                published  2025-01-02 00:00
                duration   30:00
                progress   at 1:30, 2026-01-01 00:00
                queue      position 1
                GUID       g1
                link       https://host.example/storm
                audio      https://host.example/1.mp3 (audio/mpeg, 1.0 MB)

                A gull & a rope.

                Chapters from the feed
                  1:01  Rope  https://host.example/rope

                Bookmarks
                  1  1:15  here

                """)
    }

    @Test(
        "The feed's chapters are marked as approximate if the file is not as long as the feed says",
        arguments: [(1801, "  1:01  Rope", false), (1830, "  ~1:01  Rope", true), (1700, "  ~1:01  Rope", true)])
    func approximateChapters(seconds: Int, line: String, isApproximate: Bool) throws {
        let stage = try stage()
        try stage.library.save(.init(position: .seconds(90), duration: .seconds(seconds)), of: 1, .act)
        let record = try stage.library.record(of: 1)
        let text = EpisodeCard(ListLayout()).plain(record).output
        #expect(text.contains("Chapters from the feed\n" + line))
        let object = try JSONDocument(parsing: EpisodeCard.json(record).output)
        #expect(object["chaptersApproximate"] == .bool(isApproximate))
    }

    @Test("Chapters after the end of a downloaded file are left out, also before it is played")
    func chaptersAfterEnd() throws {
        let record = try stage().library.record(of: 1)
        let list = ChapterList(
            .inFile, [Chapter(start: .zero, title: "One"), Chapter(start: .seconds(3600), title: "Far")])
        let text = EpisodeCard(ListLayout()).plain(record, inFile: list, length: .seconds(120)).output
        #expect(text.contains("Chapters in the file\n  0:00  One\n") && !text.contains("Far"))
        let json = EpisodeCard.json(record, inFile: list, length: .seconds(120)).output
        #expect(json.contains("One") && !json.contains("Far"))
    }

    @Test("Notes keep their layout on a terminal and contain no control characters", arguments: [nil, 12, 80])
    func notes(width: Int?) throws {
        let stage = try LibraryStage()
        let html =
            "<p>A <a href=\"https://host.example/g\">gull</a>\u{9B}2J\u{202E} on \u{1B}[31m a rope.</p>"
            + "<ul><li>one</ul>"
        try stage.merge([.numbered(1, notes: html)], into: try stage.subscribe())
        let text = EpisodeCard(ListLayout(width: width)).plain(try stage.library.record(of: 1)).output
        #expect(text.contains("• one\n"))
        #expect(text.contains("[1] https://host.example/g\n"))
        let driving = ["\u{9B}", "\u{202E}", "\u{1B}"] as [Unicode.Scalar]
        #expect(driving.allSatisfy { !text.unicodeScalars.contains($0) })
    }

    @Test("A password or a token in an episode's addresses is never shown")
    func secrets() throws {
        let stage = try LibraryStage()
        let url = "https://joe:secret@host.example/1.mp3?key=secret&part=1"
        var untitled = ParsedEpisode.numbered(1, guid: url, url: url)
        untitled.title = nil
        try stage.merge([untitled], into: try stage.subscribe())
        let record = try stage.library.record(of: 1)
        #expect(record.summary.name == "https://host.example/1.mp3?key=***&part=1")
        let (card, json) = (EpisodeCard(ListLayout()).plain(record), EpisodeCard.json(record))
        for text in [card, json, EpisodeTable.json([record.summary])].map(\.output) {
            #expect(text.contains("host.example/1.mp3?key=***&part=1") && !text.contains("secret"), "\(text)")
        }
    }

    @Test("The JSON of an episode contains the played ranges, the version and the details from the feed")
    func episodeJSON() throws {
        let object = try JSONDocument(parsing: EpisodeCard.json(try stage().library.record(of: 1)).output)
        #expect(object["listened"] == .array([.array([.number(0), .number(90)])]))
        #expect(object["version"]?.text == "v1")
        #expect(object["notes"]?.text == "A gull & a rope.")
        #expect(object["identity"]?.text == "new")
        #expect(object["queuePlace"]?.number == 1)
        #expect(object["kept"] == .null)
        guard case .array(let chapters)? = object["details"]?["chapters"] else {
            Issue.record("no details were printed")
            return
        }
        #expect(chapters.first?["title"]?.text == "Rope")
    }

    @Test("The details of a podcast show that a password is stored, but not its value")
    func podcast() throws {
        let stage = try LibraryStage()
        let podcast = try stage.library.subscribe(
            Subscription(
                feedURL: "https://host.example/feed", folder: ["Talk", "Sea"],
                login: Login(user: "me", password: "hunter2"))
        ).id
        try stage.merge([.numbered(1)], into: podcast)
        try stage.library.set(.keepNewest, to: .count(3), for: podcast)
        let record = try PodcastRecord(stage.library, try stage.library.podcast(podcast))
        let (text, json) = (PodcastCard(ListLayout()).plain(record).output, PodcastCard.json(record).output)
        for part in ["Harbour Tales\n", "Talk / Sea", "saved", "keep-newest", "1, 1 unplayed"] {
            #expect(text.contains(part))
        }
        #expect(try JSONDocument(parsing: json)["settings"] == .object(["keep-newest": .string("3")]))
        #expect(try JSONDocument(parsing: json)["hasPassword"] == .bool(true))
        #expect(!(text + json).contains("hunter2"))
    }

    @Test("Lines are wrapped to the width of the terminal", arguments: [20, 40, 80])
    func wrapped(width: Int) throws {
        let lines = WrappedText.lines(PrintableText(String(repeating: "rope and tide ", count: 30)), columns: width)
        #expect(lines.count > 1)
        #expect(lines.allSatisfy { $0.count <= width })
        #expect(lines.joined(separator: " ").split(separator: " ").count == 90)
    }
}
