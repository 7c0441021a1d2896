// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@Suite("Playing")
struct PlaylistTests {
    @Test(
        "--episode selects episodes of a feed",
        arguments: [
            ([], [6]), (["latest"], [6]), (["oldest"], [1]), (["all"], [1, 2, 3, 4, 5, 6]), (["3"], [4]), (["1"], [6]),
            (["earshot-demo-2"], [2]), (["small VARIABLE"], [3]),
        ] as [([String], [Int])])
    func episodes(choice: [String], numbers: [Int]) throws {
        let server = try DemoEpisodes.server()
        let option = choice.isEmpty ? [] : ["--episode"] + choice
        let (outcome, samples) = try Earshot().record([server.url("/demo.xml")], option)
        #expect(outcome.status == 0 && outcome.sentences == [])
        #expect(try samples == DemoEpisodes.samples(numbers))
        #expect(Set(server.requests.map(\.path)) == Set(["/demo.xml"] + numbers.map { "/part\($0).mp3" }))
    }

    @Test("A feed on disk resolves its episodes relative to its own path")
    func localFeed() throws {
        let earshot = try Earshot()
        let (outcome, samples) = try earshot.record([DemoEpisodes.feedPath], ["--episode", "2"])
        #expect(outcome.status == 0 && outcome.sentences == [])
        #expect(try samples == DemoEpisodes.samples(5))
        #expect(earshot.kept == [])
    }

    @Test("A feed on disk resolves its episodes in a folder with special characters")
    func strangeFolder() throws {
        let earshot = try Earshot()
        let folder = earshot.scratch.path("50% a#b?ü ")
        _ = try ProgramRun.run(["mkdir", folder])
        _ = try ProgramRun.run(["cp", DemoEpisodes.feedPath, DemoEpisodes.path(6), folder])
        let (outcome, samples) = try earshot.record([folder + "/demo.xml"])
        #expect(outcome.status == 0 && outcome.sentences == [])
        #expect(try samples == DemoEpisodes.samples(6))
    }

    @Test("Several files play without a gap")
    func gapless() throws {
        let targets = (1...6).map(DemoEpisodes.path)
        let (outcome, samples) = try Earshot().record(targets)
        #expect(outcome.status == 0 && outcome.sentences == [])
        #expect(try samples == DemoEpisodes.samples(1...6))
    }

    @Test(
        "A failed target is reported, and the others play completely",
        arguments: [
            "/part2.mp3", "/gone", "/gone.mp3", "/page.mp3",
        ])
    func goesOn(bad: String) throws {
        let server = try DemoEpisodes.server { number, script in
            if number == 2 { script = .status(403) }
        }
        server.serve("/page.mp3", .webPage(contentType: "audio/mpeg"))
        let targets = ["/part1.mp3", bad, "/part3.mp3"].map(server.url)
        let earshot = try Earshot()
        let (outcome, samples) = try earshot.record(targets)
        #expect(outcome.status != 0)
        #expect(outcome.sentences.count == 1
            && outcome.errors.contains("earshot: \(server.url(bad)): "))
        #expect(try samples == DemoEpisodes.samples([1, 3]))
        #expect(earshot.kept.count == 2)
    }

    @Test("A truncated episode ends an unattended session and does not skip to the next one")
    func truncated() throws {
        let server = try DemoEpisodes.server { number, script in
            guard number == 1 else { return }
            script.body = Array(script.body.prefix(100_000))
            script.framing = .declaredLength(156_894)
            script.ranges = .ignored
        }
        let earshot = try Earshot()
        let (outcome, samples) = try earshot.record([server.url("/part1.mp3"), server.url("/part2.mp3")])
        let first = try DemoEpisodes.samples(1)
        #expect(outcome.status == 69 && outcome.sentences.count == 1
            && outcome.errors.contains("lost connection at 0:"))
        #expect(samples.count > first.count / 2 && samples.count < first.count)
        #expect(firstDifference(samples, first.prefix(samples.count)) == nil)
        #expect(earshot.kept.contains { $0.hasPrefix("part1") && $0.hasSuffix(".partial") })
    }

    @Test("A WAV file has correct sizes and equal samples")
    func wav() throws {
        let earshot = try Earshot()
        let outcome = try earshot.play([DemoEpisodes.path(4)], output: "wav:" + earshot.scratch.path("out.wav"))
        let wav = try #require(WAVFile(earshot.scratch.read("out.wav")))
        #expect(outcome.status == 0)
        #expect(wav.channels == 2 && wav.rate == 44_100 && wav.bits == 32 && wav.isFloat)
        #expect(try Array(wav.data) == DemoEpisodes.samples(4))
        let sox = "/usr/bin/sox"
        guard ProgramRun.isInstalled(sox) else { return }
        #expect(try ProgramRun.run([sox, "--i", earshot.scratch.path("out.wav")]).status == 0)
    }

    @Test(
        "--from and --until are exact to the frame",
        arguments: [
            ("3.5", "7.25"), (nil, "1.00001"), ("0:12.5", nil), ("0", "0:13"), ("4", "4.00005"),
        ] as [(String?, String?)])
    func stretch(from: String?, until: String?) throws {
        let reference = try DemoEpisodes.samples(1)
        let frames = reference.count / DemoEpisodes.bytesPerFrame
        func frame(_ time: String?, or other: Int) -> Int {
            guard let time, let seconds = Double(time.split(separator: ":").last ?? "") else { return other }
            return min(frames, Int((seconds * Double(DemoEpisodes.sampleRate)).rounded()))
        }
        let wanted = frame(from, or: 0)..<frame(until, or: frames)
        let options = (from.map { ["--from", $0] } ?? []) + (until.map { ["--until", $0] } ?? [])
        let server = try DemoEpisodes.server()
        for target in [DemoEpisodes.path(1), server.url("/part1.mp3")] {
            let (outcome, samples) = try Earshot().record([target], options)
            #expect(outcome.status == 0)
            #expect(firstDifference(samples, reference[(wanted.lowerBound * 8)..<(wanted.upperBound * 8)]) == nil)
        }
    }

    @Test("A percentage start is exact to within one frame", arguments: [2, 3])
    func fraction(number: Int) throws {
        let reference = try DemoEpisodes.samples(number)
        let server = try DemoEpisodes.server()
        let (outcome, samples) = try Earshot().record([server.url("/part\(number).mp3")], ["--from", "75%"])
        let start = (reference.count - samples.count) / DemoEpisodes.bytesPerFrame
        let wanted = Double(reference.count / DemoEpisodes.bytesPerFrame) * 0.75
        #expect(outcome.status == 0)
        #expect(abs(Double(start) - wanted) <= 1)
        #expect(firstDifference(samples, reference.suffix(samples.count)) == nil)
    }
}

/// The chunks of a WAV file.
struct WAVFile {
    var channels = 0
    var rate = 0
    var bits = 0
    var isFloat = false
    var data: ArraySlice<UInt8> = []

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 12, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WAVE".utf8),
            Self.number(bytes[4..<8]) == bytes.count - 8
        else { return nil }
        var rest = bytes[12...]
        while rest.count >= 8 {
            let (name, size) = (rest.prefix(4), Self.number(rest.dropFirst(4).prefix(4)))
            let body = rest.dropFirst(8).prefix(size)
            guard body.count == size else { return nil }
            if name.elementsEqual("fmt ".utf8) {
                let fields = Array(body)
                channels = Self.number(fields[2..<4])
                rate = Self.number(fields[4..<8])
                bits = Self.number(fields[14..<16])
                // WAVE_FORMAT_IEEE_FLOAT, or the same value as the subformat of WAVE_FORMAT_EXTENSIBLE.
                let format = Self.number(fields[0..<2])
                isFloat = format == 3 || format == 0xFFFE && Self.number(fields[24..<26]) == 3
            }
            if name.elementsEqual("data".utf8) { data = body }
            rest = rest.dropFirst(8 + size + size % 2)
        }
    }

    private static func number(_ bytes: some Collection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
