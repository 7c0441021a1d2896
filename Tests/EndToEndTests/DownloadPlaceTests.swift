// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("Download destinations and failures")
struct DownloadPlaceTests {
    @Test("-o FILE copies the kept file; the next run only asks the server whether that file has changed")
    func file() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let file = earshot.scratch.path("mine.mp3")
        for _ in 0..<2 {
            let outcome = try earshot.download([server.url("/part1.mp3")], ["-o", file])
            #expect(outcome.status == 0 && outcome.outputText == file + "\n" && outcome.sentences == [])
            #expect(earshot.scratch.read("mine.mp3") == DemoEpisodes.bytes(1))
        }
        #expect(Self.inode(file) != Self.inode("\(earshot.keepPath)/\(earshot.kept[0])"))
        var status = stat()
        let mask = umask(0)
        umask(mask)
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o666 & ~mask)
        try expectRevalidation(server.requests, etag: "\"part1\"")
        #expect(earshot.scratch.names == ["keep", "mine.mp3"])
    }

    @Test("-o FOLDER names the file after the episode title")
    func folder() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let folder = earshot.scratch.path("folder")
        mkdir(folder, 0o700)
        let outcome = try earshot.download([server.url("/demo.xml")], ["--episode", "2", "-o", folder])
        let name = "Part 5- Sixty-four kilobits.mp3"
        #expect(outcome.status == 0 && outcome.outputText == "\(folder)/\(name)\n", "\(outcome.outputText)")
        #expect(earshot.scratch.names(in: "folder") == [name])
        #expect(ScratchDirectory.bytes(of: "\(folder)/\(name)") == DemoEpisodes.bytes(5))
    }

    @Test("-o also copies a damaged file and prints its path, with status 65, when it is downloaded and later")
    func damaged() throws {
        let bytes = Array("fLaC".utf8) + [4, 0, 0, 34] + [UInt8](repeating: 1, count: 60)
        let server = try FaultServer(["/a.flac": [FaultScript(body: bytes, contentType: "audio/flac")]])
        let earshot = try Earshot()
        for name in ["first.flac", "second.flac"] {
            let path = earshot.scratch.path(name)
            let outcome = try earshot.download([server.url("/a.flac")], ["-o", path])
            #expect(outcome.outputText == path + "\n")
            #expect(outcome.status == 65 && outcome.errors.contains("the FLAC header is damaged"), "\(outcome.errors)")
            #expect(earshot.scratch.read(name) == bytes)
        }
    }

    @Test("-o copies to another file system", .enabled(if: access("/dev/shm", W_OK) == 0))
    func copy() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let file = "/dev/shm/earshot-test-\(getpid()).mp3"
        defer { unlink(file) }
        for _ in 0..<2 {
            #expect(try earshot.download([server.url("/part1.mp3")], ["-o", file]).status == 0)
            #expect(ScratchDirectory.bytes(of: file) == DemoEpisodes.bytes(1))
        }
    }

    @Test("-o never replaces another file and fails before any request")
    func taken() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let file = try earshot.scratch.write([1, 2, 3], to: "taken.mp3")
        symlink("nowhere", earshot.scratch.path("link"))
        for place in [file, earshot.scratch.path("link"), "/dev/null"] {
            let outcome = try earshot.download([server.url("/part1.mp3")], ["-o", place])
            try expectOneSentence(outcome, about: server.url("/part1.mp3"), "\"\(place)\" exists", 73)
        }
        #expect(server.requests.isEmpty && earshot.scratch.read("taken.mp3") == [1, 2, 3])
    }

    @Test("An output file or keep directory that cannot be created fails before any request")
    func unwritable() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let file = try earshot.scratch.write([], to: "file")
        for place in [file + "/a.mp3", earshot.scratch.path("none/a.mp3"), "/proc/a.mp3"] {
            let outcome = try earshot.download([server.url("/part1.mp3")], ["-o", place])
            try expectOneSentence(outcome, about: server.url("/part1.mp3"), "cannot create \(place)", 73)
        }
        let outcome = try earshot.run(["download", server.url("/part1.mp3"), "--keep-dir", file])
        try expectOneDownloadSentence(outcome, about: server.url("/part1.mp3"), "cannot create \(file)", 73)
        #expect(server.requests.isEmpty)
    }

    @Test("An episode that is complete in another folder stays there, with a remark; a file as the folder is refused")
    func otherFolder() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let url = server.url("/part1.mp3")
        let environment = ["XDG_DATA_HOME": earshot.scratch.path]
        let first = try earshot.run(["download", url], environment: environment)
        let usb = earshot.scratch.path("usb")
        let second = try earshot.run(["download", url, "--keep-dir", usb], environment: environment)
        #expect(second.status == 0 && second.outputText == first.outputText)
        let remark = "already on disk in \(earshot.scratch.path("earshot/episodes")); not copied to \(usb) (use -o)\n"
        #expect(second.errors.hasSuffix(remark), "\(second.errors)")
        let file = try earshot.scratch.write([], to: "file")
        let refused = try earshot.run(["download", url, "--keep-dir", file], environment: environment)
        try expectOneDownloadSentence(refused, about: url, "cannot create \(file): not a directory", 73)
    }

    @Test("An interrupted download leaves no output file, and the next run creates it")
    func interrupted() throws {
        let server = try DemoEpisodes.server { $1 = $1.slow(after: 60_000) }
        let earshot = try Earshot()
        let file = earshot.scratch.path("mine.mp3")
        let run = try earshot.startDownloading([server.url("/part4.mp3")], ["-o", file])
        #expect(run.wait { _ in earshot.recordedBytes > 30_000 })
        run.signal(SIGINT)
        #expect(run.wait().status == 130 && earshot.scratch.names == ["keep"])
        server.serve("/part4.mp3", DemoEpisodes.episode(4))
        #expect(try earshot.download([server.url("/part4.mp3")], ["-o", file]).status == 0)
        #expect(earshot.scratch.read("mine.mp3") == DemoEpisodes.bytes(4))
    }

    @Test(
        "A download that fails reports one message and sets the status of the error",
        arguments: [
            (.status(404), "the server answered 404 Not Found", 66), (.status(403), "403", 77),
            (.status(401), "401", 77), (.webPage(), "a web page, not audio", 65),
            (FaultScript(), "the server sent an empty file", 65), (.redirect(to: "/a.mp3"), "redirects too often", 76),
            (.redirect(to: "ftp://127.0.0.1/x"), "scheme \"ftp\"", 76),
        ] as [(FaultScript, String, CInt)])
    func failures(script: FaultScript, reason: String, status: CInt) throws {
        let server = try FaultServer(["/a.mp3": [script]])
        let earshot = try Earshot()
        let outcome = try earshot.download([server.url("/a.mp3") + "?token=secret"])
        try expectOneDownloadSentence(outcome, about: server.url("/a.mp3"), reason, status)
        #expect(earshot.kept.isEmpty && !outcome.errors.contains("secret"))
    }

    @Test("A refused connection, a missing episode number and an unsupported scheme fail")
    func more() throws {
        let server = try DemoEpisodes.server()
        try withExtendedLifetime(RefusingPort()) { port in
            let refused = port.url("/a.mp3")
            try expectOneDownloadSentence(Earshot().download([refused]), about: refused, "connection refused", 69)
        }
        let feed = server.url("/demo.xml")
        try expectOneDownloadSentence(Earshot().download([feed], ["--episode", "9"]), about: feed, "no episode 9", 66)
        try expectOneDownloadSentence(
            Earshot().download(["ftp://a:b@c/d?e"]), about: "ftp://c/d", "scheme \"ftp\"", 76)
    }

    @Test("A download reports a limit of the file size and waits until a signal ends it")
    func fullDisk() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        // Blocks of 512 bytes: a file can grow to 64 KiB, less than the episode.
        let command =
            "ulimit -f 128; exec \(Earshot.program) download \(server.url("/part1.mp3")) --keep-dir \(earshot.keepPath)"
        let run = try ProgramRun(["/bin/sh", "-c", command])
        #expect(run.wait { $0.errorsSoFar.contains("the file has reached the largest size") })
        run.signal(SIGINT)
        #expect(run.wait().status == 130 && earshot.kept.allSatisfy { $0.contains(".partial") })
    }

    @Test(
        "Invalid options fail with a usage error",
        arguments: [
            ["http://a/b", "-o"], ["http://a/b", "-o", "-"],
            ["http://a/b", "http://a/c", "-o", "x"], ["http://a/b", "--episode", "all", "-o", "x"],
            ["http://a/b", "--episode", "0"],
        ])
    func options(arguments: [String]) throws {
        let outcome = try Earshot().run(["download"] + arguments)
        #expect(outcome.status == 64 && outcome.output == [])
        #expect(outcome.errors.hasPrefix("Error: ") && outcome.errors.contains("--help"), "\(outcome.errors)")
    }

    @Test(
        "A local file, a missing file and an empty library have nothing to download",
        arguments: [
            ([], "No podcasts yet. Subscribe first"), (["a.mp3"], "no such file"),
            ([DemoEpisodes.path(1)], "a local file: nothing to download"),
        ])
    func nothingToFetch(arguments: [String], words: String) throws {
        let outcome = try Earshot().run(["download"] + arguments)
        #expect(outcome.status == 66 && outcome.output == [])
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    private static func inode(_ path: String) -> UInt {
        var status = stat()
        return stat(path, &status) == 0 ? UInt(status.st_ino) : 0
    }

    private func expectOneDownloadSentence(
        _ outcome: ProgramRun.Outcome, about subject: String, _ reason: String, _ status: CInt,
        location: SourceLocation = #_sourceLocation
    ) throws {
        try expectOneSentence(outcome, about: subject, reason, status, location: location)
    }
}
