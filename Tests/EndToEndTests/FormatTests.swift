// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import CodecTestSupport

@Suite("Playing every format")
struct FormatTests {
    /// The formats whose files have one PCM format; the lengths of the packets of Opus make no difference here.
    private static let formats: [TrackFileCase] = [
        .aac, .aacLast, .aacFragments, .adts, .heAAC, .heADTS, .opus, .opusInMP4, .vorbis, .flac, .flacTable, .oggFLAC,
        .wave,
    ]

    @Test("It plays while it downloads, and a later run completes the same file", arguments: formats)
    func whileDownloading(format: TrackFileCase) throws {
        let file = try format.file()
        let (samples, count) = (file.parts[0].bytes, file.bytes.count)
        let server = try FaultServer()
        // The server sends 60 %, or the part after a seek, and then nothing more.
        let script = FaultScript(body: file.bytes, contentType: format.contentType).with { $0.etag = "\"one\"" }
        // For tables behind the sound, a later transfer has less than 60 % to send and would not stall.
        let first = format == .aacLast ? script.with { $0.rate = count / 4 } : script
        server.serve("/talk.\(format.ending)", first.stalled(after: count * 6 / 10))
        let (earshot, url) = (try Earshot(), server.url("/talk.\(format.ending)"))
        let path = earshot.scratch.path("first.raw")
        let program = try earshot.start(["play", url, "--output", "raw:" + path, "--keep-dir", earshot.keepPath])

        #expect(program.wait { _ in earshot.scratch.read("first.raw").count > samples.count / 8 })
        // For tables behind the sound, a second transfer fetches the end first, and then perhaps the rest.
        let stored = { earshot.kept.first { $0.hasSuffix(".partial") }.map { earshot.bytes(kept: $0).count } ?? 0 }
        #expect(
            program.wait { _ in
                format == .aacLast ? earshot.recordedBytes >= count / 2 : stored() >= count * 6 / 10
            })

        #expect(server.requests.allSatisfy { $0.bytesSent < count })
        program.signal(SIGTERM)
        #expect(program.wait().status == 128 + SIGTERM)
        let begun = earshot.scratch.read("first.raw")
        #expect(begun.count < samples.count && samples.starts(with: begun))
        #expect(format == .aacLast || earshot.kept.contains { $0.hasSuffix(".partial") }, "\(earshot.kept)")

        server.handle("/talk.\(format.ending)") { request, _ in script.honouringConditions(request) }
        let before = server.requests.count
        let (outcome, heard) = try earshot.record([url])
        #expect(outcome.status == 0 && outcome.sentences == [] && heard == samples, "\(outcome.errors)")
        #expect(server.requests[before...].reduce(0) { $0 + $1.bytesSent } < count / 2 + 9000)
        #expect(earshot.kept.count == 1 && earshot.bytes(kept: earshot.kept[0]) == file.bytes)
        #expect(earshot.kept.first?.hasSuffix("." + format.ending) == true, "\(earshot.kept)")
    }

    @Test("A started episode resumes at its exact position", arguments: formats)
    func resumes(format: TrackFileCase) throws {
        let file = try format.file()
        let run = try FeedRun()
        let path = "/talk.\(format.ending)"
        run.server.serve(path, FaultScript(body: file.bytes, contentType: format.contentType))
        run.serve(ServedFeed("Talks", [.init(guid: "1", title: "Talk", url: run.server.url(path))]))
        #expect(try run.run("subscribe", run.server.url("/feed")).status == 0)

        #expect(try run.run("play", "talk", "--until", "11.3", "--output", "null:fast").status == 0)
        #expect(try run.json("show", "talk").first?["position"]?.number == 11.3)
        let outcome = try run.run("play", "talk", "--output", "raw:" + run.earshot.scratch.path("out.raw"))

        #expect(outcome.status == 0 && outcome.sentences == [], "\(outcome.errors)")
        let heard = run.earshot.scratch.read("out.raw").floats
        let wanted = file.samples(from: 11.3)
        #expect(heard.count == wanted.count && file.accuracy.accepts(heard, wanted))
    }

    /// A file of about a megabyte: a seek reads on if the target is near.
    private static let large: [String] = ["m4a", "opus", "flac", "wav"]

    private static func largeFile(_ ending: String) throws -> TrackFile {
        switch ending {
        case "m4a": try EpisodeVersions.aac().first
        case "mp4": try EpisodeVersions.aacLast()
        case "opus": try EpisodeVersions.opus().first
        case "flac": try TrackFileCase.flacTable.file()
        default: try TrackFileCase.wave.file()
        }
    }

    @Test("A start far ahead is exact and fetches only its own part", arguments: large)
    func far(ending: String) throws {
        let file = try Self.largeFile(ending)
        let server = try FaultServer()
        // About the rate of playback: reading up to the target would take long.
        server.serve("/talk.\(ending)", FaultScript(body: file.bytes).with { $0.rate = file.bytes.count / 20 })
        let earshot = try Earshot()

        let (outcome, heard) = try earshot.record(
            [server.url("/talk.\(ending)")], ["--from", "26.5", "--until", "28"])

        #expect(outcome.status == 0 && outcome.sentences == [], "\(outcome.errors)")
        let wanted = file.samples(from: 26.5, until: 28)
        #expect(heard.floats.count == wanted.count && file.accuracy.accepts(heard.floats, wanted))
        #expect(server.requests.count > 1 && server.requests.dropFirst().allSatisfy { $0.range != nil })
        let sent = server.requests.reduce(0) { $0 + $1.bytesSent }
        #expect(sent < file.bytes.count / 2, "\(sent) of \(file.bytes.count)")
    }

    @Test("A server that sends the beginning of the file for every range is read in order", arguments: ["m4a", "mp4"])
    func repeatedBeginning(ending: String) throws {
        let file = try Self.largeFile(ending)
        let server = try FaultServer()
        server.serve(
            "/talk.\(ending)",
            FaultScript(body: file.bytes).with { ($0.ranges, $0.rate) = (.beginning, file.bytes.count / 3) })

        let (outcome, heard) = try Earshot().record([server.url("/talk.\(ending)")], ["--from", "26.5"])

        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("the server does not support seeking"), "\(outcome.errors)")
        #expect(identical(heard.floats, file.samples(from: 26.5)))
        #expect(server.requests.contains { $0.range != nil })
    }

    @Test("A rendered file with a damaged packet has all frames, and the command reports the damage")
    func renderedDamage() throws {
        let (file, earshot) = (try TrackFileCase.aac.file(), try Earshot())
        var bytes = file.bytes
        let middle = bytes.count * 6 / 10
        bytes.replaceSubrange(middle..<middle + 2000, with: repeatElement(0, count: 2000))
        let (damaged, output) = (try earshot.scratch.write(bytes, to: "d.m4a"), earshot.scratch.path("o.wav"))

        let outcome = try earshot.run(["render", damaged, "-o", output])

        #expect(outcome.status == 65 && outcome.errors.contains("damaged at byte"), "\(outcome.errors)")
        // 16 bits per sample, after the header.
        let sound = file.parts[0].samples.count * 2
        #expect((sound..<sound + 200).contains(earshot.scratch.read("o.wav").count))
    }

    /// The formats of 48,000 Hz with one channel, each twice in a mixed order.
    private static let list: [TrackFileCase] = {
        let formats: [TrackFileCase] = [
            .aac, .vorbis, .aacLast, .opus, .adts, .flac, .opusInMP4, .flacTable, .shortOpus, .oggFLAC, .longOpus,
        ]
        return formats + formats.reversed()
    }()

    @Test("A playlist of all formats, each twice, has the sum of their samples")
    func playlist() throws {
        let server = try FaultServer()
        var (targets, wanted): ([String], [UInt8]) = ([], [])
        for (number, format) in Self.list.enumerated() {
            let file = try format.shortFile()
            server.serve("/\(number).\(format.ending)", FaultScript(body: file.bytes))
            targets.append(server.url("/\(number).\(format.ending)"))
            wanted += file.parts[0].bytes
        }

        let (outcome, heard) = try Earshot().record(targets)

        #expect(outcome.status == 0 && outcome.sentences == [], "\(outcome.errors)")
        // The items that are not downloaded yet count as stereo. The samples at the borders are equal, too.
        let expected = wanted.floats.flatMap { [$0, $0] }
        #expect(identical(heard.floats, expected), "\(heard.count / 4) and \(expected.count) samples")
    }
}

extension TrackFileCase {
    fileprivate var ending: String {
        switch self {
        case .aac, .aacLast, .aacFragments, .heAAC, .opusInMP4, .flacInMP4: "m4a"
        case .adts, .heADTS: "aac"
        case .opus, .shortOpus, .longOpus: "opus"
        case .vorbis, .chain: "ogg"
        case .oggFLAC: "oga"
        case .flac, .flacTable: "flac"
        case .wave, .rf64: "wav"
        case .wave64: "w64"
        case .aiff: "aiff"
        }
    }

    fileprivate var contentType: String {
        switch ending {
        case "m4a": "audio/mp4"
        case "opus", "oga": "audio/ogg"
        default: "audio/" + ending
        }
    }
}

extension TrackFile {
    /// Returns the samples from one time in seconds to another, of the only part.
    fileprivate func samples(from start: Double, until end: Double? = nil) -> ArraySlice<Float> {
        let part = parts[0]
        func place(_ time: Double) -> Int {
            Int((time * Double(part.format.sampleRate)).rounded()) * part.format.channels
        }
        return part.samples[place(start)..<(end.map(place) ?? part.samples.count)]
    }
}

extension [UInt8] {
    /// The bytes as 32-bit floats, little-endian.
    fileprivate var floats: [Float] {
        withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }
}
