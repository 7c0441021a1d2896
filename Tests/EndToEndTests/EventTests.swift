// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("--json and --commands")
struct EventTests {
    /// The keys of each event in docs/json-events.md.
    static let keys: [String: Set<String>] = [
        "state": ["state", "percent", "wait", "waiting", "reason"],
        "track": ["phase", "track", "count", "title", "podcast", "location"],
        "seek": ["phase", "track", "position", "positionQuality", "waited"],
        "position": [
            "position", "positionQuality", "duration", "durationQuality", "buffered", "download", "wait", "stallRisk",
            "track", "volume", "speed", "remaining", "trimSilence", "loudness", "gain", "voiceBoost", "sleep", "repeat",
        ],
        "stall": ["phase", "track", "position", "lasted"],
        "lost": ["track", "position", "kind", "status", "reason"],
        "version": ["track", "position", "mapping"],
        "alternative": ["track", "reason"],
        "damage": ["track", "reason"],
        "output": ["phase", "reason"],
        "chapters": ["track", "source", "approximate", "chapters", "hidden"],
        "chapter": ["track", "number", "count", "start", "end", "title", "url", "image", "picture"],
        "bookmark": ["track", "position", "positionQuality", "title"],
        "sleep": ["track"],
        "cue": ["track", "start", "end", "speaker", "text", "timing"],
        "ended": [],
        "error": ["kind", "status", "subject", "reason", "track"],
        "answer": ["command", "ok", "error"],
    ]

    @Test("docs/json-events.md lists the events and their keys")
    func documented() {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let text = String(decoding: ScratchDirectory.bytes(of: root + "/docs/json-events.md"), as: UTF8.self)
        let play = text.split(separator: "\n").prefix { $0 != "## `earshot download`" }
        let rows = play.filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `event` |") }.map { row in
            row.split(separator: "|").prefix(2).map { cell in cell.split { !$0.isLetter }.map(String.init) }
        }
        let documented = Dictionary(uniqueKeysWithValues: rows.map { ($0[0].joined(), Set($0[1])) })
        #expect(documented == Self.keys)
    }

    private func expectDocumented(_ events: [JSONDocument]) throws {
        for event in events {
            let name = try #require(event["event"]?.text)
            let keys = try #require(Self.keys[name], "\(name) is not documented")
            #expect(event.keys == keys.union(["event"]))
        }
        for event in events.named("position") {
            #expect(event["download"]?.keys == ["state", "bytes", "total", "rate"])
        }
    }

    @Test("Every line is an object with the documented keys, and a position event comes every second")
    func lines() throws {
        let server = try DemoEpisodes.server()
        let outcome = try Earshot().play(
            [server.url("/part1.mp3"), server.url("/part2.mp3")], ["--json", "--from", "10.5", "--until", "0.5"],
            output: "null")
        let events = try outcome.events()
        #expect(outcome.status == 0)
        try expectDocumented(events)
        let tracks = events.named("track")
        #expect(tracks.map { $0["phase"]?.text } == ["begin", "end", "begin", "end"])
        #expect(tracks.map { $0["track"]?.number } == [1, 1, 2, 2])
        #expect(events.named("ended").count == 1)
        let positions = events.named("position").filter { $0["track"]?.number == 1 }.compactMap {
            $0["position"]?.number
        }
        // A busy machine delays single events.
        let (first, last) = (try #require(positions.first), try #require(positions.last))
        #expect(positions.count >= 2 && zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
        #expect(Double(positions.count) <= last - first + 2)
        #expect(events.named("state").compactMap { $0["state"]?.text }.last == "ended")
    }

    @Test("A failed target produces an error event and an error message")
    func error() throws {
        let server = try DemoEpisodes.server()
        let outcome = try Earshot().play([server.url("/none.mp3"), server.url("/part1.mp3")], ["--json"])
        let events = try outcome.events()
        try expectDocumented(events)
        let error = try #require(events.named("error").first)
        #expect(error["kind"] == .string("missing") && error["status"] == .number(66))
        #expect(error["subject"] == .string(server.url("/none.mp3")))
        #expect(outcome.status == 66 && outcome.sentences.count == 1)
    }

    @Test("A stall produces a begin and an end event, and no samples are lost")
    func stall() throws {
        let (server, whole, hasStalled) = (try FaultServer(), DemoEpisodes.episode(1), Gate())
        server.handle("/part1.mp3") { _, earlier in
            guard earlier > 0 else { return whole.cut(after: 60_000) }
            hasStalled.pass()
            return whole
        }
        let earshot = try Earshot()
        let run = try earshot.startPlaying(
            [server.url("/part1.mp3")], ["--json"], output: "raw:" + earshot.scratch.path("out.raw"))
        #expect(run.wait { $0.outputSoFar.contains(#""event":"stall""#) })
        hasStalled.open()
        let stalls = try run.wait().events().named("stall")
        try expectDocumented(stalls)
        #expect(stalls.count >= 2 && stalls.count % 2 == 0)
        #expect(stalls.map { $0["phase"]?.text } == (0..<stalls.count).map { $0 % 2 == 0 ? "begin" : "end" })
        #expect(stalls.compactMap { $0["lasted"]?.number }.reduce(0, +) > 0)
        #expect(try earshot.scratch.read("out.raw") == DemoEpisodes.samples(1))
    }

    @Test("On a link slower than the bit rate, playback stalls and resumes, and plays every sample once")
    func slow() throws {
        let server = try DemoEpisodes.server { $1.rate = 60_000 }
        let earshot = try Earshot()
        let outcome = try earshot.play(
            [server.url("/part5.mp3")], ["--json"], output: "raw:" + earshot.scratch.path("out.raw"))
        #expect(outcome.status == 0 && outcome.time > .milliseconds(1900))
        #expect(try earshot.scratch.read("out.raw") == DemoEpisodes.samples(5))
    }

    @Test("Every command is executed and answered, and an invalid command is answered with an error")
    func commands() throws {
        let server = try DemoEpisodes.server()
        let earshot = try Earshot()
        let run = try earshot.startPlaying(
            (1...3).map { server.url("/part\($0).mp3") }, ["--json", "--commands", "-"], keepsInput: true)
        #expect(run.wait { $0.outputSoFar.contains("\"phase\":\"begin\"") })
        let script: [(line: String, sign: String)] = [
            ("pause", "\"state\":\"paused\""), ("volume 40", "\"volume\":40"), ("seek 0:02", "\"position\":2.0"),
            ("play", "\"state\":\"playing\""), ("next", "\"phase\":\"begin\",\"track\":2"),
            ("seek 50%", "\"position\":7"), ("previous", "\"position\":0"), ("frobnicate", "\"ok\":false"),
            ("seek", "takes one value"), ("repeat one", "\"repeat\":\"one\""), ("move 2 1", "\"ok\":true"),
            ("remove 1", "\"phase\":\"begin\",\"track\":1"), ("quit", "\"command\":\"quit\",\"ok\":true"),
        ]
        for (line, sign) in script {
            let before = run.outputSoFar.utf8.count
            run.write(line + "\n")
            let isSeen = run.wait {
                String(decoding: $0.outputSoFar.utf8.dropFirst(before), as: UTF8.self).contains(sign)
            }
            #expect(isSeen, "\(line): \(run.outputSoFar)")
        }
        let outcome = run.wait()
        #expect(outcome.status == 0 && !outcome.isOverdue)
        let events = try outcome.events()
        try expectDocumented(events)
        let answers = events.named("answer")
        #expect(answers.map { $0["command"]?.text } == script.map(\.line))
        #expect(answers.map { $0["ok"] == .bool(true) } == script.map { !["frobnicate", "seek"].contains($0.line) })
    }

    @Test("A chime before the first sound is answered with an error")
    func earlyChime() throws {
        let server = try DemoEpisodes.server { _, script in script.rate = 100 }
        let earshot = try Earshot()
        let run = try earshot.startPlaying(
            [server.url("/part1.mp3")], ["--commands", "-", "--json"], keepsInput: true)
        run.write("chime\nquit\n")
        let answers = try run.wait().events().named("answer")
        #expect(answers.map { $0["ok"] } == [.bool(false), .bool(true)])
    }

    @Test("Playback that is paused when its commands end, and that nothing else controls, ends")
    func pausedAtEnd() throws {
        let earshot = try Earshot()
        let run = try earshot.startPlaying([DemoEpisodes.path(2)], ["--commands", "-"], keepsInput: true)
        run.write("pause\n")
        run.closeInput()
        let outcome = run.wait()
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("the commands ended while playback was paused, so playback ends"))
    }

    @Test("Playback that the last command resumes continues after the end of the commands")
    func resumedAtEnd() throws {
        let earshot = try Earshot()
        let run = try earshot.startPlaying([DemoEpisodes.path(2)], ["--json", "--commands", "-"], keepsInput: true)
        #expect(run.wait { $0.outputSoFar.contains("\"phase\":\"begin\"") })
        run.write("pause\nseek 95%\n")
        #expect(run.wait { $0.outputSoFar.contains("\"state\":\"paused\"") })
        run.write("play\n")
        run.closeInput()
        let outcome = run.wait()
        #expect(outcome.status == 0 && outcome.outputText.contains("\"phase\":\"end\""))
    }

    @Test("The end of the commands does not stop playback")
    func endOfCommands() throws {
        let earshot = try Earshot()
        let outcome = try earshot.play(
            [DemoEpisodes.path(1)], ["--commands", "-", "--json"], output: "raw:" + earshot.scratch.path("out.raw"))
        #expect(outcome.status == 0)
        #expect(try earshot.scratch.read("out.raw") == DemoEpisodes.samples(1))
    }
}
