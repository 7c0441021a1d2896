// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import CodecTestSupport

/// Compares the output of `earshot render` with the samples that the mpg123 program decodes.
@Suite("Rendering to a file")
struct RenderTests {
    private let earshot: Earshot
    private static let second = DemoEpisodes.sampleRate * DemoEpisodes.bytesPerFrame

    init() throws { earshot = try Earshot() }

    private func render(_ arguments: String...) throws -> ProgramRun.Outcome {
        try earshot.start(["render"] + arguments + ["--keep-dir", earshot.keepPath]).wait()
    }

    /// Returns the samples of a float WAV file as bytes.
    private func samples(_ name: String) throws -> [UInt8] {
        let file = earshot.scratch.read(name)
        let head = try #require(file.firstRange(of: Array("data".utf8)))
        return Array(file[(head.upperBound + 4)...])
    }

    /// Returns true if the file contains these samples; a failing expectation then does not print them all.
    private func holds(_ name: String, _ samples: [UInt8]) throws -> Bool { try self.samples(name) == samples }

    private static func section(_ part: Int, _ seconds: Range<Double>) throws -> [UInt8] {
        let bytes = { Int(($0 * Double(DemoEpisodes.sampleRate)).rounded()) * DemoEpisodes.bytesPerFrame }
        return Array(try DemoEpisodes.samples(part)[bytes(seconds.lowerBound)..<bytes(seconds.upperBound)])
    }

    private static func reversed(_ samples: [UInt8]) -> [UInt8] {
        let frame = DemoEpisodes.bytesPerFrame
        return stride(from: samples.count - frame, through: 0, by: -frame).flatMap { samples[$0..<$0 + frame] }
    }

    @Test("A whole file is rendered bit-exactly")
    func whole() throws {
        let out = earshot.scratch.path("out.wav")
        let outcome = try render(DemoEpisodes.path(1), "-o", out, "--sample", "float32")
        #expect(outcome.status == 0 && outcome.errors.hasSuffix("out.wav: 0:13.0 written\n"))
        #expect(try holds("out.wav", DemoEpisodes.samples(1)))
    }

    @Test("Sections are rendered in order, repeated or reversed, exact to the sample")
    func sections() throws {
        let out = earshot.scratch.path("out.wav")
        let inputs = ["\(DemoEpisodes.path(1))@1-1.25", "\(DemoEpisodes.path(3))@2.5-2.6"]
        #expect(try render(inputs[0], inputs[1], "-o", out, "--sample", "float32", "--times", "3").status == 0)
        let parts = [try Self.section(1, 1..<1.25), try Self.section(3, 2.5..<2.6)]
        #expect(try holds("out.wav", parts.flatMap { $0 + $0 + $0 }))
        #expect(try render(inputs[0], inputs[1], "-o", out, "--sample", "float32", "--reverse", "--force").status == 0)
        #expect(try holds("out.wav", parts.flatMap(Self.reversed)))
    }

    @Test("An episode is rendered while it is downloading")
    func episodes() throws {
        let server = try DemoEpisodes.server()
        let out = earshot.scratch.path("out.wav")
        #expect(try render(server.url("/part2.mp3"), "-o", out, "--sample", "float32").status == 0)
        #expect(try holds("out.wav", DemoEpisodes.samples(2)))
        #expect(try render(server.url("/part3.mp3") + "@-1", "-o", out, "--sample", "float32", "--force").status == 0)
        #expect(try holds("out.wav", Self.section(3, 0..<1)))
        let backward = ["-o", out, "--sample", "float32", "--force", "--reverse"]
        #expect(try earshot.start(
            ["render", server.url("/part4.mp3"), "--keep-dir", earshot.keepPath] + backward).wait().status == 0)
        #expect(try holds("out.wav", Self.reversed(DemoEpisodes.samples(4))))
    }

    @Test("A lossless format preserves every sample", arguments: ["wav", "aiff", "caf", "flac"])
    func lossless(ending: String) throws {
        let (first, again) = (earshot.scratch.path("one.\(ending)"), earshot.scratch.path("again.wav"))
        #expect(try render("\(DemoEpisodes.path(1))@1-3", "-o", first, "--sample", "int24").status == 0)
        #expect(try render(first, "-o", again, "--sample", "float32").status == 0)
        let direct = earshot.scratch.path("direct.wav")
        #expect(try render("\(DemoEpisodes.path(1))@1-3", "-o", direct, "--sample", "int24").status == 0)
        #expect(try render(direct, "-o", direct + ".float.wav", "--sample", "float32").status == 0)
        #expect(try holds("again.wav", samples("direct.wav.float.wav")))
    }

    @Test("A lossy format preserves the duration", arguments: ["ogg", "opus"])
    func lossy(ending: String) throws {
        let first = earshot.scratch.path("one.\(ending)")
        #expect(try render("\(DemoEpisodes.path(1))@1-3", "-o", first, "--quality", "0.4").status == 0)
        let again = try render(first, "-o", earshot.scratch.path("again.wav"), "--channels", "1", "--rate", "44100")
        #expect(again.status == 0 && again.errors.hasSuffix("again.wav: 0:02.0 written\n"))
    }

    @Test("Clipping is reported with a gain that avoids it")
    func clipped() throws {
        let out = earshot.scratch.path("loud.wav")
        let loud = try render(DemoEpisodes.path(1), "-o", out, "--gain", "30")
        #expect(loud.status == 0 && loud.errors.contains("clipped; use --gain "))
        let gain = try #require(loud.errors.split(separator: "--gain ").last?.split(separator: " ").first)
        let fitting = try render(DemoEpisodes.path(1), "-o", out, "--force", "--gain", String(gain))
        #expect(fitting.status == 0 && !fitting.errors.contains("clipped"))
    }

    /// Returns two seconds of AAC in one MP4 file, in two that are joined, and in ADTS. The second one is encrypted, or
    /// AAC Main.
    private static func changingFiles() throws -> [(name: String, bytes: [UInt8])] {
        let payloads = try AACPackets(core: 48000, channels: 1, count: 94, seed: 9).packets.map(\.bytes)
        let config = BoxWriter.esds(AACPackets.config(48000, 1, .none))
        let (entry, other) = (BoxWriter.soundEntry("mp4a", config), BoxWriter.soundEntry("enca", []))
        var movie = MP4Builder(payloads)
        (movie.entry, movie.moreEntries, movie.timescale) = (entry, [other], 48000)
        (movie.chunkLengths, movie.descriptions) = ([47], [1: 2])
        var fragments = FragmentBuilder(payloads)
        (fragments.entry, fragments.timescale) = (entry, 48000)
        var encrypted = fragments
        encrypted.entry = other
        var adts = ADTSBuilder()
        (adts.format.rate, adts.format.channels) = (3, 1)
        for payload in payloads { adts.addFrame(payload) }
        adts.format.profile = 0
        for payload in payloads { adts.addFrame(payload) }
        return [
            ("a.m4a", movie.build().bytes), ("b.m4a", fragments.build().bytes + encrypted.build().bytes),
            ("c.aac", adts.bytes),
        ]
    }

    @Test("A file that continues in a format that cannot be played fails with the reason")
    func otherFormat() throws {
        for file in try Self.changingFiles() {
            let path = try earshot.scratch.write(file.bytes, to: file.name)
            let outcome = try render(path, "-o", earshot.scratch.path("out.wav"), "--force")
            let isNamed = outcome.errors.contains(", which Earshot cannot play")
            #expect(outcome.status == 65 && isNamed, "\(file.name): \(outcome.errors)")
        }
    }

    @Test("An existing file is not replaced without --force")
    func present() throws {
        let out = try earshot.scratch.write(Array("mine".utf8), to: "mine.wav")
        let refused = try render(DemoEpisodes.path(1), "-o", out)
        #expect(refused.status == 73 && refused.errors.contains("file exists; use --force to replace it"))
        #expect(earshot.scratch.read("mine.wav") == Array("mine".utf8))
    }

    @Test("A file that appears during rendering is kept; --force replaces it", arguments: [false, true])
    func appearing(isForced: Bool) throws {
        let out = earshot.scratch.path("out.flac")
        let force = isForced ? ["--force"] : []
        // Slow, so that the file appears before the end.
        let server = try DemoEpisodes.server { $1.rate = 50_000 }
        let run = try earshot.start(
            ["render", server.url("/part1.mp3"), "--keep-dir", earshot.keepPath, "-o", out] + force)
        #expect(run.wait { _ in earshot.scratch.names(in: "").contains { $0.hasSuffix(".partial") } })
        let mine = Array("mine".utf8)
        try earshot.scratch.write(mine, to: "out.flac")
        let outcome = run.wait()
        #expect(outcome.status == (isForced ? 0 : 73), "\(outcome.errors)")
        #expect(isForced || outcome.errors.contains("out.flac: file exists; use --force to replace it"))
        #expect((earshot.scratch.read("out.flac") == mine) != isForced)
        #expect(earshot.scratch.names(in: "").filter { $0 != "keep" } == ["out.flac"])
    }

    @Test(
        "An impossible request fails with one message and leaves no files",
        arguments: [
            (["nowhere.mp3", "-o", "OUT.wav"], 66), (["README", "-o", "OUT.wav"], 65),
            (["DEMO@20-21", "-o", "OUT.wav"], 66),
            (["DEMO", "-o", "/nowhere/at/all.wav"], 73), (["DEMO", "-o", "OUT.mp3"], 64), (["DEMO", "-o", "OUT"], 64),
            (["DEMO@3-2", "-o", "OUT.wav"], 64), (["DEMO", "-o", "OUT.flac", "--sample", "float64"], 64),
            (["DEMO", "-o", "OUT.wav", "--gain", "nan"], 64), (["DEMO", "-o", "/dev/null.wav/x.wav"], 73),
            (["DEMO", "-o", "OUT.wav", "--times", "0"], 64), (["DEMO", "-o", "OUT.opus", "--rate", "44100"], 64),
            (["DEMO", "-o", "OUT.wav", "--rate", "7"], 64), (["DEMO", "-o", "OUT.wav", "--quality", "0.5"], 64),
            (["DEMO", "-o", "OUT.ogg", "--sample", "int16"], 64),
            (["DEMO", "-o", "OUT.ogg", "--sample", "int16", "--quality", "0.5"], 64),
            (["/dev/null", "-o", "OUT.wav"], 65),
        ] as [([String], Int32)])
    func refused(arguments: [String], status: Int32) throws {
        let out = earshot.scratch.path("OUT")
        let text = try earshot.scratch.write(Array("no sound at all, but words".utf8), to: "README")
        let words = arguments.map {
            $0.replacing("DEMO", with: DemoEpisodes.path(1)).replacing("OUT", with: out).replacing("README", with: text)
        }
        let outcome = try earshot.start(["render"] + words).wait()
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(!outcome.errors.isEmpty)
        #expect(earshot.scratch.names(in: "").filter { $0 != "keep" } == ["README"])
    }

    @Test("A truncated MP3 file, local or on a server, is rendered as far as it goes, and a message reports the loss")
    func cutOff() throws {
        let half = DemoEpisodes.bytes(1).prefix(DemoEpisodes.bytes(1).count / 2)
        let path = try earshot.scratch.write(Array(half), to: "half.mp3")
        let server = try DemoEpisodes.server { number, script in if number == 1 { script.body = Array(half) } }
        let out = earshot.scratch.path("out.wav")
        for input in [path, server.url("/part1.mp3")] {
            let outcome = try render(input, "-o", out, "--sample", "float32", "--force")
            #expect(outcome.status == 65, "\(outcome.errors)")
            #expect(outcome.errors.contains("shorter than its tag declares"), "\(outcome.errors)")
            let written = try samples("out.wav")
            let isBeginning = try DemoEpisodes.samples(1).starts(with: written)
            #expect(isBeginning && written.count > 5 * Self.second, "\(written.count)")
        }
        let section = try render(path + "@1-2", "-o", out, "--force")
        #expect(section.status == 0 && !section.errors.contains("shorter"))
        let backward = try render(path, "-o", out, "--force", "--reverse")
        #expect(backward.status == 65 && backward.errors.contains("written"))
    }

    @Test("A truncated FLAC file is rendered as far as it goes, and the next input follows")
    func cutOffFLAC() throws {
        let (flac, out) = (earshot.scratch.path("one.flac"), earshot.scratch.path("out.wav"))
        #expect(try render("\(DemoEpisodes.path(1))@1-3", "-o", flac, "--sample", "int24").status == 0)
        let bytes = earshot.scratch.read("one.flac")
        let cut = try earshot.scratch.write(Array(bytes[..<(bytes.count / 2)]), to: "cut.flac")
        let outcome = try render(cut, "\(DemoEpisodes.path(2))@1-2", "-o", out, "--sample", "float32")
        let sentence = "cut.flac: the file is damaged or truncated"
        #expect(outcome.status == 65 && outcome.errors.contains(sentence), "\(outcome.errors)")
        let written = try samples("out.wav")
        #expect(written.count > Self.second * 3 / 2)
        #expect(try written.suffix(Self.second).elementsEqual(Self.section(2, 1..<2)))
    }

    @Test("A file without sound and a section shorter than a frame are reported")
    func soundless() throws {
        let header = "RIFF\u{24}\0\0\0WAVEfmt \u{10}\0\0\0\u{1}\0\u{1}\0\u{40}\u{1F}\0\0"
            + "\u{40}\u{1F}\0\0\u{1}\0\u{8}\0data\0\0\0\0"
        let file = try earshot.scratch.write(header.unicodeScalars.map { UInt8($0.value) }, to: "empty.wav")
        let empty = try render(file, "-o", earshot.scratch.path("out.wav"))
        #expect(empty.status == 65 && empty.errors.contains("empty.wav: contains no audio"), "\(empty.errors)")
        let brief = try render("\(DemoEpisodes.path(1))@1-1.00001", "-o", earshot.scratch.path("out.wav"))
        #expect(brief.status == 66 && brief.errors.contains("shorter than one PCM frame"), "\(brief.errors)")
    }

    @Test("A file that lacks all pages after the start of a cut is reported as truncated")
    func cutBeforeStart() throws {
        let file = try earshot.scratch.write(try VorbisEncoding.cutBeforeStart(), to: "cut.ogg")
        let outcome = try render(file, "-o", earshot.scratch.path("out.wav"))
        let sentence = "cut.ogg: the file is truncated: its end is missing"
        #expect(outcome.status == 65 && outcome.errors.contains(sentence), "\(outcome.errors)")
    }

    @Test("A limit of the file size is reported as an output error and leaves no partial file")
    func fullDisk() throws {
        let out = earshot.scratch.path("out.wav")
        // Blocks of 512 bytes: a file can grow to 64 KiB.
        let command = "ulimit -f 128; exec \(Earshot.program) render \(DemoEpisodes.path(1)) -o \(out)"
        let outcome = try ProgramRun.run(["/bin/sh", "-c", command])
        let reason = "out.wav: the file has reached the largest size that its file system or \"ulimit -f\" allows"
        #expect(outcome.status == 74 && outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(earshot.scratch.names(in: "").filter { $0 != "keep" } == [])
    }

    @Test("A file name of maximum length is written")
    func longName() throws {
        let name = String(repeating: "n", count: 251) + ".wav"
        #expect(try render("\(DemoEpisodes.path(1))@0-0.1", "-o", earshot.scratch.path(name)).status == 0)
        #expect(earshot.scratch.names(in: "").filter { $0 != "keep" } == [name])
    }

    @Test("An existing file with a similar name is not touched")
    func strangers() throws {
        let out = earshot.scratch.path("out.wav")
        _ = try earshot.scratch.write(Array("mine".utf8), to: "out.wav.partial")
        #expect(try render("nowhere.mp3", "-o", out).status == 66)
        #expect(try render(DemoEpisodes.path(1), "-o", out).status == 0)
        #expect(earshot.scratch.read("out.wav.partial") == Array("mine".utf8))
        #expect(earshot.scratch.names(in: "").filter { $0 != "keep" }.sorted() == ["out.wav", "out.wav.partial"])
    }

    @Test("An interrupted rendering leaves no files")
    func interrupted() throws {
        let out = earshot.scratch.path("long.flac")
        let run = try earshot.start(["render", DemoEpisodes.path(1), "--times", "2000", "-o", out])
        #expect(run.wait { _ in earshot.scratch.names(in: "").contains { $0.hasSuffix(".partial") } })
        run.signal(2)
        #expect(run.wait().status == 130)
        #expect(earshot.scratch.names(in: "").filter { $0 != "keep" } == [])
    }
}
