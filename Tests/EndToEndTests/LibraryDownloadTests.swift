// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("Downloads of the library")
struct LibraryDownloadTests {
    private let run: FeedRun

    init() throws {
        run = try FeedRun()
        try run.subscribe(to: [3, 2, 1])
    }

    @Test("An episode is downloaded by its name and listed")
    func byName() throws {
        #expect(try run.run("downloads").errors == "No downloads.\n")
        let outcome = try run.run("download", "part 2")
        #expect(outcome.status == 0 && run.kept.count == 1)
        let path = outcome.outputText.dropLast()
        #expect(ScratchDirectory.bytes(of: String(path)) == DemoEpisodes.bytes(2))
        // Blocks of 4 KiB: 55 for the audio, and one for the file with the validators.
        let list = try run.run("downloads")
        #expect(list.outputText == "2  on disk, 229 kB  Part 2  Harbour Tales\n")
        #expect(list.errors == "1 download, 229 kB.\n")
        let line = try #require(try run.json("downloads").first)
        #expect(
            line.keys == [
                "episode", "title", "podcast", "state", "wantedBy", "wanted", "finished", "total", "extents",
                "occupied",
                "path", "failure",
            ])
        #expect(line["path"]?.text == String(path) && line["wantedBy"]?.text == "listener")
        #expect(try run.json("episodes", "--downloaded").map { $0["title"]?.text } == ["Part 2"])
    }

    @Test("A podcast's newest or all episodes are downloaded, and stored ones are not fetched again")
    func podcast() throws {
        #expect(try run.run("download", "tales").status == 0)
        #expect(try run.json("downloads").map { $0["title"]?.text } == ["Part 3"])
        #expect(try run.run("download", "tales", "--episode", "all").status == 0)
        #expect(run.kept.count == 3 && run.server.requests(for: "/part3.mp3").count == 1)
    }

    @Test(
        "A looped or rendered episode is kept, listed and removable like a played one",
        arguments: [
            ["loop", "part 2", "1-1.5", "--times", "1", "--output", "null:fast"],
            ["render", "part 2", "-o", "out.wav"],
        ])
    func sound(arguments: [String]) throws {
        let words = arguments.map { $0 == "out.wav" ? run.earshot.scratch.path($0) : $0 }
        let outcome = try run.start(words).wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let line = try #require(try run.json("downloads").first)
        #expect(line["title"]?.text == "Part 2" && line["wantedBy"]?.text == "playing")
        #expect(line["state"]?.text != "wanted" && line["total"]?.number == Double(DemoEpisodes.bytes(2).count))
        #expect(try run.run("remove", "part 2").errors.hasPrefix("Removed: Part 2: moved to the trash, "))
        #expect(run.kept.isEmpty)
    }

    @Test("A removed download goes to the trash, can be restored, and can be erased")
    func removed() throws {
        _ = try run.run("download", "part 1", "part 2")
        let files = run.kept
        let removed = try run.run("remove", "part 1", "part 2", "part 3")
        #expect(removed.errors.hasPrefix("Removed: 2 episodes: moved to the trash, "))
        #expect(removed.errors.hasSuffix("Episode 3 \"Part 3\" is not downloaded.\n"))
        #expect(run.kept.isEmpty && run.trash.count >= 2)
        #expect(try run.json("downloads").isEmpty)
        #expect(try run.run("downloads").errors.contains("The trash holds 2 downloads, "))
        #expect(try run.run("undo").errors.hasPrefix("Undone: removed the download: 2 episodes"))
        #expect(run.kept == files && run.trash.isEmpty)
        #expect(try run.json("remove", "part 1").map { $0["title"]?.text } == ["Part 1"])
        #expect(try run.run("downloads", "--empty-trash").errors.hasSuffix(" kB.\n"))
        #expect(run.trash.isEmpty && run.kept.count == 1)
        #expect(try run.run("download", "part 1").status == 0)
        #expect(run.kept == files && run.server.requests(for: "/part1.mp3").count == 2)
    }

    @Test(
        "The progress of a download is known while it runs, and after a stop or a kill", arguments: [SIGINT, SIGKILL])
    func onTheWay(signal: CInt) throws {
        run.server.serve("/part2.mp3", DemoEpisodes.episode(2).slow(after: 120_000))
        let program = try run.start(["download", "part 2"])
        #expect(program.wait { _ in (try? held() ?? 0) ?? 0 > 30_000 })
        program.signal(signal)
        #expect(program.wait().status == 128 + signal)
        if signal == SIGINT {
            let kept = try #require(try run.json("show", "part 2").first?["kept"])
            #expect(kept["held"]?.number ?? 0 > 30_000 && kept["state"]?.text == "partial")
        }
        #expect(try held() ?? 0 > 30_000)
    }

    @Test("Undo leaves the file of a running download where it is until the download ends")
    func undoneWhileRunning() throws {
        run.server.serve("/part2.mp3", DemoEpisodes.episode(2).slow(after: 120_000))
        let program = try run.start(["download", "part 2"])
        #expect(program.wait { _ in (try? held() ?? 0) ?? 0 > 30_000 })
        let undo = try run.run("undo")
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(run.earshot.scratch.names(in: "earshot/episodes").contains { $0.hasSuffix(".partial") })
        program.signal(SIGINT)
        let outcome = program.wait()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(try run.run("downloads").status == 0)
        #expect(!run.earshot.scratch.names(in: "earshot/episodes").contains { $0.hasSuffix(".partial") })
    }

    @Test("A download that another process continues is not removed; the others of the same command are")
    func busy() throws {
        run.server.serve("/part2.mp3", DemoEpisodes.episode(2).slow(after: 120_000))
        let program = try run.start(["download", "part 2"])
        #expect(program.wait { _ in (try? held() ?? 0) ?? 0 > 30_000 })
        #expect(try run.run("download", "part 1").status == 0)
        let removal = try run.run("remove", "part 1", "part 2")
        #expect(removal.status == 75 && removal.errors.contains("Removed: Part 1: moved to the trash, "))
        let refusal = "\"Part 2\" is being played or downloaded by another earshot process; stop it first"
        #expect(removal.errors.hasSuffix("earshot: \(refusal)\n"), "\(removal.errors)")
        program.signal(SIGINT)
        #expect(program.wait().status == 130)
        #expect(try run.json("downloads").map { $0["title"]?.text } == ["Part 2"])
        #expect(try run.run("remove", "part 2").status == 0)
    }

    /// Returns the number of stored bytes from the beginning, once the length is known.
    private func held() throws -> Double? {
        guard let line = try run.json("downloads").first,
            line["total"]?.number == Double(DemoEpisodes.bytes(2).count), case .array(let extents)? = line["extents"],
            case .array(let bounds)? = extents.first
        else { return nil }
        return bounds.last?.number
    }

    @Test("A failed download is reported and stays pending, and download without a target retries it")
    func pending() throws {
        run.server.serve("/part1.mp3", .status(404))
        #expect(try run.run("download", "part 1").status == 66)
        #expect(try run.json("downloads").first?["state"]?.text == "failed")
        #expect(
            try run.run("downloads").outputText
                == "1  failed (the server answered 404 Not Found)  Part 1  Harbour Tales\n")
        run.server.serve("/part1.mp3", DemoEpisodes.episode(1))
        #expect(try run.run("download").status == 0)
        #expect(try run.json("downloads").first?["state"]?.text == "complete")
        let again = try run.run("download")
        #expect(again.status == 0 && again.errors == "Nothing to download.\n" && again.output.isEmpty)
        #expect(try run.run("download", "--quiet").errors.isEmpty)
    }

    @Test("A deleted file is reported as missing")
    func deleted() throws {
        let path = try run.run("download", "part 1").outputText.dropLast()
        _ = try ProgramRun.run(["rm", String(path)])
        #expect(try run.run("downloads").outputText == "1  failed (its file is missing)  Part 1  Harbour Tales\n")
        #expect(try run.run("download").status == 0)
        #expect(run.kept.count == 1)
    }

    @Test(
        "An unknown or ambiguous name fails with one message and a status",
        arguments: [
            ["download"], ["play", "--output", "null:fast"], ["remove"],
        ])
    func names(command: [String]) throws {
        let none = try run.start(command + ["mountains"]).wait()
        #expect(none.status == 66 && none.sentences.count == 1, "\(none.errors)")
        #expect(none.errors.contains("mountains"))
        let several = try run.start(command + ["part"]).wait()
        #expect(several.status == 64 && several.sentences.count == 1, "\(several.errors)")
        #expect(
            several.errors == """
                earshot: "part" matches several episodes. Closest:
                  3 Part 3 (Harbour Tales)
                  2 Part 2 (Harbour Tales)
                  1 Part 1 (Harbour Tales)

                """)
    }
}
