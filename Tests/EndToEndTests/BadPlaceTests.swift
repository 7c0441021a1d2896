// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@Suite("Unusable files, folders and outputs")
struct BadPlaceTests {
    @Test("A keep directory that cannot be created fails before any request")
    func unwritable() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let file = try earshot.scratch.write([], to: "file")
        for place in [file, file + "/below", "/proc/earshot"] {
            let outcome = try earshot.run(
                ["play", server.url("/part1.mp3"), "--output", "null:fast", "--keep-dir", place])
            let blocked = place.hasPrefix("/proc") ? place : file
            try expectOneSentence(outcome, about: server.url("/part1.mp3"), "cannot create \(blocked)", 73)
        }
        #expect(server.requests.isEmpty)
    }

    @Test(
        "In a folder that cannot be written, an episode plays from memory with one message, and a download fails",
        .enabled(if: access("/sys", F_OK) == 0))
    func unwritableFolder() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let (url, options) = (server.url("/part1.mp3"), ["--keep-dir", "/sys/earshot"])
        let outcome = try earshot.run(["play", url, "--output", "raw:-"] + options)
        let sentence = try #require(outcome.sentences.first)
        #expect(outcome.status == 0 && outcome.sentences.count == 1, "\(outcome.errors)")
        #expect(sentence.hasPrefix("earshot: \(url): cannot write to /sys/earshot: "), "\(sentence)")
        #expect(sentence.hasSuffix("; playing without saving the file"), "\(sentence)")
        let isExact = try outcome.output == DemoEpisodes.samples(1)
        #expect(isExact && server.requests.count == 1)
        let refused = try earshot.run(["download", url] + options)
        try expectOneSentence(refused, about: url, "cannot create /sys/earshot: ", 73)
    }

    @Test("On a full disk an episode plays from memory with one message, and the next run resumes from the stored part")
    func fullDisk() throws {
        let server = try DemoEpisodes.server { $1.rate = 100_000 }
        let earshot = try Earshot()
        // Blocks of 512 bytes: a file can grow to 64 KiB, less than the episode.
        let command =
            "ulimit -f 128; exec \(Earshot.program) play \(server.url("/part1.mp3")) --output raw:-"
            + " --keep-dir \(earshot.keepPath)"
        let outcome = try ProgramRun.run(["/bin/sh", "-c", command], environment: ProgramRun.plainEnvironment)
        let reason = "the file has reached the largest size that its file system or \"ulimit -f\" allows"
        let note = "earshot: \(server.url("/part1.mp3")): \(reason); playing without saving the file"
        #expect(outcome.status == 0 && outcome.sentences == [note], "\(outcome.errors)")
        let isExact = try outcome.output == DemoEpisodes.samples(1)
        #expect(isExact && server.requests.count == 1)
        #expect(!earshot.kept.isEmpty && earshot.kept.allSatisfy { $0.contains(".partial") })
        #expect(try earshot.download([server.url("/part1.mp3")]).status == 0)
        let isWhole = earshot.kept.map { earshot.bytes(kept: $0) } == [DemoEpisodes.bytes(1)]
        let last = try #require(server.requests.last)
        #expect(isWhole && last.status == 206 && last.bytesSent < 156_894 - 40_000)
    }

    @Test(
        "An output that cannot be written fails with the reason",
        arguments: [
            ("raw:/dev/full", "the disk is full", 74),
            ("wav:/dev/null/a.wav", "not a directory", 73),
            ("raw:/tmp", "is a directory", 73), ("wav:/dev/null", "a WAV file must be a regular file", 73),
        ] as [(String, String, CInt)])
    func output(place: String, reason: String, status: CInt) throws {
        let outcome = try Earshot().play([DemoEpisodes.path(1)], output: place)
        try expectOneSentence(outcome, about: "sound output", reason, status)
    }

    @Test(
        "A failing write to standard output is reported and sets the exit status",
        arguments: [
            ("podcasts --json > /dev/full", "standard output: the disk is full", 74),
            ("export > /dev/full", "standard output: the disk is full", 74),
            ("podcasts --json >&-", "standard output: bad file descriptor", 74),
            (#"play "$EPISODE" --output null --json > /dev/full"#, "standard output: the disk is full", 74),
            ("show nowhere > /dev/full", "nowhere", 66), ("podcasts 2>&-", nil, 0),
        ] as [(String, String?, CInt)])
    func standardOutput(command: String, reason: String?, status: CInt) throws {
        let run = try LibraryRun()
        let environment = ProgramRun.plainEnvironment.merging(
            ["XDG_DATA_HOME": run.stage.directory.path, "EPISODE": DemoEpisodes.path(1)]) { $1 }
        let outcome = try ProgramRun(
            ["/bin/sh", "-c", "\(Earshot.program) \(command)"], environment: environment
        ).wait()
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.sentences.count == (reason == nil ? 0 : 1), "\(outcome.errors)")
        #expect(outcome.errors.contains(reason ?? ""))
    }

    @Test("Messages that cannot be written stop neither playback nor a download, and set exit status 74")
    func standardError() throws {
        let earshot = try Earshot()
        let server = try DemoEpisodes.server()
        func outcome(_ command: String) throws -> ProgramRun.Outcome {
            try ProgramRun(
                ["/bin/sh", "-c", "exec \(Earshot.program) \(command) --keep-dir \(earshot.keepPath) 2>/dev/full"],
                environment: ProgramRun.plainEnvironment
            ).wait()
        }
        let wav = earshot.scratch.path("out.wav")
        let played = try outcome("play \(DemoEpisodes.path(1)) --output wav:\(wav)")
        let whole = earshot.scratch.path("whole.wav")
        #expect(try earshot.play([DemoEpisodes.path(1)], output: "wav:" + whole).status == 0)
        let isWhole = ScratchDirectory.bytes(of: wav) == ScratchDirectory.bytes(of: whole)
        #expect(played.status == 74 && isWhole)
        let downloaded = try outcome("download \(server.url("/part1.mp3"))")
        let isThere = earshot.kept.map { earshot.bytes(kept: $0) } == [DemoEpisodes.bytes(1)]
        #expect(downloaded.status == 74 && isThere)
    }

    @Test("A download continues when the reader of its progress has closed the pipe")
    func closedOutput() throws {
        let earshot = try Earshot()
        let server = try DemoEpisodes.server { $1.rate = 400_000 }
        let command = "\(Earshot.program) download \(server.url("/part1.mp3")) --json --keep-dir \(earshot.keepPath)"
        let outcome = try ProgramRun(
            ["/bin/bash", "-c", "\(command) | head -n 1 > /dev/null; exit ${PIPESTATUS[0]}"],
            environment: ProgramRun.plainEnvironment
        ).wait()
        let isThere = earshot.kept.map { earshot.bytes(kept: $0) } == [DemoEpisodes.bytes(1)]
        #expect(outcome.status == 0 && isThere)
    }

    @Test("An output that is also the input is refused and stays unchanged", arguments: ["wav:", "raw:"])
    func ownInput(kind: String) throws {
        let earshot = try Earshot()
        let file = try earshot.scratch.write(ScratchDirectory.bytes(of: DemoEpisodes.path(1)), to: "self.mp3")
        let played = try earshot.play([file], output: kind + file)
        try expectOneSentence(played, about: "sound output", "cannot write \(file): file exists", 73)
        let repeated = try earshot.run(["loop", file, "0-0.1", "--times", "1", "--output", kind + file])
        try expectOneSentence(repeated, about: "sound output", "cannot write \(file): file exists", 73)
        let isWhole = earshot.scratch.read("self.mp3") == ScratchDirectory.bytes(of: DemoEpisodes.path(1))
        #expect(isWhole)
    }

    @Test(
        "A corrupt library is moved aside and replaced by a new one",
        arguments: [["play", "--output", "null:fast"], ["download"]])
    func unreadableLibrary(command: [String]) throws {
        let earshot = try Earshot()
        #expect(mkdir(earshot.scratch.path("earshot"), 0o700) == 0)
        try earshot.scratch.write([UInt8](repeating: 7, count: 8192), to: "earshot/library.db")
        let outcome = try earshot.run(
            command + ["old harbour"], environment: ["XDG_DATA_HOME": earshot.scratch.path])
        #expect(outcome.status == 66 && outcome.sentences.count == 2, "\(outcome.errors)")
        #expect(outcome.sentences.first?.contains("the library was damaged: nothing could be restored") == true)
        let aside = earshot.scratch.names(in: "earshot").filter { $0.contains("damaged") }
        #expect(aside.count == 1 && aside.allSatisfy { earshot.scratch.read("earshot/\($0)").count == 8192 })
    }

    @Test("A corrupt library behind a link is replaced where it is, and the link stays")
    func linkedLibrary() throws {
        let run = try FeedRun()
        let (folder, drive) = (run.earshot.scratch.path("earshot"), run.earshot.scratch.path("drive"))
        #expect(mkdir(folder, 0o700) == 0 && mkdir(drive, 0o700) == 0)
        #expect(symlink("../drive/mine.db", folder + "/library.db") == 0)
        try run.earshot.scratch.write([UInt8](repeating: 7, count: 8192), to: "drive/mine.db")
        try run.subscribe(to: [1])
        #expect(run.earshot.scratch.names(in: "drive").contains { $0.hasPrefix("mine.db.damaged-") })
        var status = stat()
        #expect(lstat(folder + "/library.db", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(try run.json("podcasts").count == 1)
    }

    @Test(
        "Without a sound server one message suggests an alternative", arguments: ["unix:/dev/null", "tcp:127.0.0.1:1"])
    func noSoundServer(address: String) throws {
        let outcome = try Earshot().run(["play", DemoEpisodes.path(1)], environment: ["PULSE_SERVER": address])
        try expectOneSentence(outcome, about: "sound output", "--output null", 69)
    }

    @Test(
        "A negative number is parsed as the value of an option, and the message names the invalid value",
        arguments: [
            (["play", "a", "--from", "-5"], "'--from <time>': write 45:00"),
            (["play", "a", "--volume", "-1"], "'--volume <percent>': write a percentage"),
            (["loop", "a", "0-1", "--times", "-1"], "--times must be"),
            (["loop", "a", "0-1", "--speed", "-2"], "--speed must be"),
            (["refresh", "--within", "-1"], "--within must be"),
            (["render", "a", "-o", "b.wav", "--gain", "-121"], "--gain must be"),
            (["render", "a", "-o", "b.wav", "--quality", "-1"], "--quality must be"),
        ] as [([String], String)])
    func negative(arguments: [String], words: String) throws {
        let outcome = try Earshot().run(arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test("A start that is not a time needs the transcript of an episode in the library")
    func wordsOfFile() throws {
        let path = DemoEpisodes.path(1)
        let outcome = try Earshot().run(["play", path, "--from", "abc:de", "--output", "null:fast"])
        try expectOneSentence(outcome, about: path, "--from \"abc:de\": not a time, and only", 66)
    }

    @Test(
        "The message about an invalid value names the value once and gives a reason",
        arguments: [
            (
                ["play", "a", "--volume", "999"],
                "The value '999' is invalid for '--volume <percent>': write a percentage from 0 to 150."
            ),
            (["episodes", "--limit", "x"], "The value 'x' is invalid for '--limit <count>': write a number."),
            (
                ["episodes", "--limit", "1.5"],
                "The value '1.5' is invalid for '--limit <count>': write a whole number in the allowed range."
            ),
            (["loop", "a", "x"], "The value 'x' is invalid for '<A-B>': write 1:00-1:30, 0-30 or 45:00-."),
            (
                ["transcript", "a", "--shift", "abc"],
                "The value 'abc' is invalid for '--shift <time>': write +35, -2.5 or 0."
            ),
            (
                ["transcript", "a", "--shift", "99999999"],
                "The value '99999999' is invalid for '--shift <time>': write at most 24:00:00."
            ),
            (
                ["play", "--log-level", "x"],
                "The value 'x' is invalid for '--log-level <log-level>': write trace, debug, info, notice, warning, "
                    + "error or critical."
            ),
            (["refresh", "--within", "9223372036854775807"], "--within must be 1 to 31536000."),
            (["export", "--opml", "--json"], "Specify --opml or --json, not both."),
        ] as [([String], String)])
    func reason(arguments: [String], sentence: String) throws {
        let outcome = try Earshot().run(arguments)
        #expect(outcome.status == 64 && outcome.errors.hasPrefix("Error: \(sentence)\n"), "\(outcome.errors)")
    }

    @Test(
        "Invalid options fail with a usage error",
        arguments: [
            ["--nope"], ["frob"], ["play", "a", "--episode", "0"], ["play", "a", "--output", "foo"],
            ["play", "a", "--output", "wav:"], ["play", "a", "--from", "12m"], ["play", "a", "--until", "1:99"],
            ["play", "a", "--from"], ["play", "a", "--volume", "200"], ["play", "a", "--log-level", "loud"],
            ["play", "a", "--from", "5:00", "--until", "4:00"], ["play", "a", "--until", "0"],
            ["play", "a", "--from", "50%", "--until", "40%"], ["play", "--smart", "a", "--until", "5"],
            ["play", "a", "--output", "raw:-", "--show", "transcript"], ["play", "a", "--show", "abc"],
            ["transcript"], ["transcript", "a", "--shift", "5%"],
            ["play", "a", "--output", "raw:-", "--json"], ["play", "a", "--output", "raw:/dev/stdout", "--json"],
            ["play", "a", "--commands", "file"], ["feed", "parse"],
        ])
    func options(arguments: [String]) throws {
        let outcome = try Earshot().run(arguments)
        #expect(outcome.status == 64 && outcome.output == [])
        #expect(outcome.errors.hasPrefix("Error: ") && outcome.errors.contains("--help"), "\(outcome.errors)")
        #expect(outcome.time < .seconds(30) * TimeLimit.factor)
    }
}
