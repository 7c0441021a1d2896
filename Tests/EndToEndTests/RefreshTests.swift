// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("Refreshing")
struct RefreshTests {
    private let run: FeedRun
    private var tales = ServedFeed("Harbour Tales", [.named("Storm", day: 2), .named("Fog")])

    init() throws {
        run = try FeedRun()
        run.serve(tales)
        _ = try run.run("subscribe", run.server.url("/feed"))
    }

    @Test("A refresh reports a new episode and applies a changed title")
    func news() throws {
        var feed = tales
        feed.items[1].title = "Thick fog"
        feed.items.insert(.named("Calm and clear", day: 3), at: 0)
        run.serve(feed)
        let outcome = try run.run("refresh", "tales")
        #expect(outcome.status == 0 && outcome.outputText == "Harbour Tales: 1 new: Calm and clear\n")
        #expect(outcome.errors == "\"tales\" matches the podcast \"Harbour Tales\".\n1 new episode in 1 podcast.\n")
        #expect(try run.json("episodes").map { $0["title"]?.text } == ["Calm and clear", "Storm", "Thick fog"])
    }

    @Test("A refresh as JSON has the documented keys")
    func json() throws {
        var feed = tales
        feed.items[1].title = "Thick fog"
        feed.items.insert(.named("Calm", day: 3), at: 0)
        run.serve(feed)
        let line = try #require(try run.json("refresh", "--all").first)
        #expect(line.keys == [
            "podcast", "title", "outcome", "new", "edited", "kind", "reason", "retryAfter", "newAddress",
            "unreadAddress",
        ])
        #expect(line["outcome"]?.text == "changed" && line["new"] == .array([.number(3)]))
        #expect(line["edited"]?.number == 1 && line["reason"] == .null)
    }

    @Test("A manual refresh asks all feeds, and a quiet one only those that are due")
    func unchanged() throws {
        let rests = try run.run("refresh", "--quiet")
        #expect(rests.status == 0 && rests.outputText == "" && rests.errors == "")
        #expect(try run.json("refresh", "--quiet").first?["outcome"]?.text == "resting")
        #expect(run.server.requests.count == 1)
        #expect(try run.json("refresh", "--quiet", "--all").first?["outcome"]?.text == "unchanged")
        #expect(try run.run("refresh").errors == "No new episodes.\n")
        #expect(run.server.requests.map(\.status) == [200, 304, 304])
    }

    @Test("A feed with status 410 is marked as gone, keeps its episodes, and does not fail the next refresh")
    func gone() throws {
        run.server.serve("/feed", .status(410))
        let outcome = try run.run("refresh", "--all")
        #expect(outcome.status == 66)
        let gone = "Harbour Tales: the feed no longer exists; its episodes stay in the library\n"
        #expect(outcome.errors.hasPrefix(gone))
        #expect(try run.json("podcasts").first?["gone"] == .bool(true))
        #expect(try run.json("episodes").count == 2)
        #expect(try run.run("refresh", "--quiet").status == 0)
        #expect(run.server.requests.count == 2)
        run.serve(tales)
        #expect(try run.run("refresh", "tales").status == 0)
        #expect(try run.json("podcasts").first?["gone"] == .bool(false))
    }

    @Test("A podcast does not change its address over plain http")
    func unproven() throws {
        var feed = tales
        feed.newFeedURL = run.server.url("/elsewhere")
        run.server.serve("/feed", .redirect(to: "/new", code: 301))
        run.serve(feed, at: "/new")
        let before = run.server.requests(for: "/feed").count
        for _ in 0..<2 {
            let outcome = try run.run("refresh", "--all")
            #expect(outcome.status == 0 && !outcome.errors.contains("moved"), "\(outcome.errors)")
        }
        #expect(run.server.requests(for: "/feed").count == before + 2)
        #expect(run.server.requests(for: "/elsewhere").isEmpty)
        let podcast = try #require(try run.json("show", "tales").first)
        #expect(podcast["feedURL"]?.text == run.server.url("/feed") && podcast["formerAddresses"] == .array([]))
        #expect(try run.run("subscribe", run.server.url("/feed")).errors.contains("already in the library as p1"))
    }

    @Test("A failing feed does not affect the others, and sets the status only if all feeds fail")
    func broken() throws {
        run.serve(ServedFeed("Sea News", [.named("Whales", day: 4)]), at: "/news")
        _ = try run.run("subscribe", run.server.url("/news"))
        run.server.serve("/feed", .status(404))
        let some = try run.run("refresh", "--all")
        #expect(some.status == 0)
        #expect(some.errors.contains("Harbour Tales: the server answered 404 Not Found\n"))
        #expect(some.errors.hasSuffix("No new episodes. 1 feed could not be read.\n"))
        #expect(try run.json("episodes").count == 3)
        let quiet = try run.run("refresh", "--all", "--quiet")
        #expect(quiet.outputText == "" && quiet.errors == "Harbour Tales: the server answered 404 Not Found\n")
        #expect(try run.run("refresh", "tales").status == 66)
        #expect(try run.json("podcasts").first?["failure"]?.text == "the server answered 404 Not Found")
    }

    @Test("Podcasts are selected by name, duplicates count once, and an unknown name fails")
    func named() throws {
        #expect(try run.json("refresh", "tales", "p1").count == 1)
        let unknown = try run.run("refresh", "tales", "mountains")
        #expect(unknown.status == 66 && unknown.sentences == ["earshot: no podcast is called \"mountains\""])
    }

    @Test("The refresh interval can be set")
    func rest() throws {
        #expect(try run.run("settings", "set", "refresh-every", "12", "--podcast", "tales").status == 0)
        #expect(try run.json("refresh", "--quiet").first?["outcome"]?.text == "resting")
    }
}

@Suite("Automatic downloads")
struct RuleTests {
    @Test("A refresh downloads the newest episodes by rule, and moves those beyond the limit to the trash")
    func rules() throws {
        let run = try FeedRun()
        try run.subscribe(to: [2, 1])
        _ = try run.run("settings", "set", "auto-download", "1")
        _ = try run.run("settings", "set", "keep-newest", "1")
        #expect(try run.run("refresh", "--no-download").status == 0)
        #expect(run.kept.isEmpty)
        #expect(try run.run("refresh").status == 0)
        let first = try #require(try run.json("downloads").first)
        #expect(first["title"]?.text == "Part 2" && first["wantedBy"]?.text == "rule")
        #expect(first["state"]?.text == "complete" && run.kept.count == 1)
        run.server.serve("/part3.mp3", DemoEpisodes.episode(3))
        run.serve(ServedFeed("Harbour Tales", [3, 2, 1].map { .demo($0, on: run.server) }))
        #expect(try run.run("refresh", "--all", "--quiet").errors == "")
        #expect(try run.run("refresh").status == 0)
        #expect(try run.json("downloads").map { $0["title"]?.text } == ["Part 3"])
        #expect(run.trash.count == 1)
    }

    @Test("A file that cannot be moved to the trash does not keep a refresh from applying the rules")
    func stuckFile() throws {
        let run = try FeedRun()
        try run.subscribe(to: [2, 1])
        _ = try run.run("settings", "set", "auto-download", "2")
        _ = try run.run("refresh")
        _ = try run.run("settings", "set", "keep-newest", "1")
        let name = try #require(run.kept.first { $0.contains("part1") })
        for obstacle in ["trash", "trash/\(name)"] {
            mkdir(run.earshot.scratch.path("earshot/episodes/\(obstacle)"), 0o755)
        }
        run.server.serve("/part3.mp3", DemoEpisodes.episode(3))
        run.serve(ServedFeed("Harbour Tales", [3, 2, 1].map { .demo($0, on: run.server) }))

        let outcome = try run.run("refresh")

        #expect(outcome.status == 73 && outcome.errors.contains("keep-newest: removed 1 download"))
        let kept = try run.json("downloads").compactMap { $0["title"]?.text }
        #expect(kept.sorted() == ["Part 1", "Part 3"])
    }

    @Test("A file that cannot be moved out of the trash does not keep a refresh from applying the rules")
    func stuckInTrash() throws {
        let run = try FeedRun()
        try run.subscribe(to: [1])
        _ = try run.run("download", "part 1")
        let name = try #require(run.kept.first)
        let folder = run.earshot.scratch.path("earshot/episodes")
        mkdir("\(folder)/trash", 0o755)
        rename("\(folder)/\(name)", "\(folder)/trash/\(name)")
        mkdir("\(folder)/\(name)", 0o755)
        _ = try run.run("settings", "set", "auto-download", "1")
        run.server.serve("/part2.mp3", DemoEpisodes.episode(2))
        run.serve(ServedFeed("Harbour Tales", [2, 1].map { .demo($0, on: run.server) }))

        let outcome = try run.run("refresh")

        #expect(outcome.status == 73 && run.kept.count == 2)
    }

    @Test("A removed episode is not downloaded again, even after the trash is emptied")
    func removed() throws {
        let run = try FeedRun()
        try run.subscribe(to: [1])
        _ = try run.run("settings", "set", "auto-download", "1")
        _ = try run.run("refresh")
        #expect(try run.run("remove", "part 1").status == 0)
        #expect(try run.run("refresh").status == 0 && run.kept.isEmpty)
        #expect(try run.run("downloads", "--empty-trash").status == 0)
        #expect(try run.run("refresh").status == 0)
        #expect(run.kept.isEmpty && run.trash.isEmpty && run.server.requests(for: "/part1.mp3").count == 1)
        #expect(try run.run("download", "part 1").status == 0)
        #expect(run.kept.count == 1)
    }

    @Test("A refresh beside another one skips the episode that it downloads")
    func besideRefresh() throws {
        let run = try FeedRun()
        try run.subscribe(to: [1])
        _ = try run.run("settings", "set", "auto-download", "1")
        run.server.serve("/part1.mp3", DemoEpisodes.episode(1).slow(after: 60_000))
        let first = try run.start(["refresh"])
        #expect(first.wait { _ in !run.server.requests(for: "/part1.mp3").isEmpty })
        let second = try run.run("refresh", "--quiet")
        #expect(second.status == 0 && second.errors == "")
        #expect(run.server.requests(for: "/part1.mp3").count == 1)
        #expect(try run.json("downloads").map { $0["state"]?.text == "failed" } == [false])
        first.signal(SIGINT)
        _ = first.wait()
    }

    @Test("A failed automatic download is not retried immediately, except by name")
    func failed() throws {
        let run = try FeedRun()
        try run.subscribe(to: [1])
        _ = try run.run("settings", "set", "auto-download", "1")
        run.server.serve("/part1.mp3", .status(404))
        #expect(try run.run("refresh").status == 66)
        run.server.serve("/part1.mp3", DemoEpisodes.episode(1))
        #expect(try run.run("refresh").status == 0 && run.kept.isEmpty)
        #expect(run.server.requests(for: "/part1.mp3").count == 1)
        #expect(try run.run("download", "part 1").status == 0)
        #expect(run.kept.count == 1)
    }
}
