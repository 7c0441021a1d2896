// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Glibc
import Media
import Testing

@Suite("The sound of an episode of the library")
struct LibrarySoundTests {
    private let run: FeedRun

    init() throws { run = try FeedRun() }

    /// Plays into a file.
    /// - Returns: the outcome and the samples.
    private func record(_ arguments: String...) throws -> (outcome: ProgramRun.Outcome, samples: [UInt8]) {
        unlink(run.earshot.scratch.path("out.raw"))
        let output = ["--output", "raw:" + run.earshot.scratch.path("out.raw")]
        let outcome = try run.start(["play"] + arguments + output).wait()
        return (outcome, run.earshot.scratch.read("out.raw"))
    }

    private static func floats(_ bytes: [UInt8]) -> [Float] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }

    /// The gain in dB of the first tenth of a second.
    private static func firstGain(of samples: [UInt8]) throws -> Double {
        let count = DemoEpisodes.sampleRate / 10 * DemoEpisodes.bytesPerFrame
        let power = try [samples, DemoEpisodes.samples(1)].map { samples in
            floats(Array(samples.prefix(count))).reduce(0.0) { $0 + Double($1) * Double($1) }
        }
        return 10 * log10(power[0] / power[1])
    }

    @Test("The first play stores the loudness of an episode, and the second one starts with the gain that it gives")
    func loudness() throws {
        try run.subscribe(to: [1])
        let library = try Library(path: run.earshot.scratch.path("earshot/library.db")) {
            UTCTime(secondsSince1970: LibraryStage.newYear)
        }
        let episode = try #require(try library.episodes(EpisodeFilter(), limit: 1).episodes.first?.id)

        #expect(try record("part 1", "--loudness", "-23").outcome.status == 0)
        let stored = try #require(try library.loudness(of: episode))
        #expect(stored.fileLength == Int64(DemoEpisodes.bytes(1).count))

        // One block of −20 LUFS: a loudness that only the library knows.
        let histogram: [UInt8] = [1, 0, 0, 0, 100, 0xF4, 0x03, 1, 100, 0, 0]
        try library.store(
            StoredLoudness(
                fileLength: stored.fileLength, fileHash: stored.fileHash, seconds: 10, integrated: -20, range: nil,
                truePeak: nil, histogram: histogram), of: episode)
        let (outcome, heard) = try record("part 1", "--loudness", "-23")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(abs(try Self.firstGain(of: heard) + 3) < 0.1)
        #expect(try library.loudness(of: episode)?.histogram == histogram)
    }

    @Test(
        "An enclosure in a format that Earshot cannot play is replaced by the alternate one that the library lists",
        arguments: [
            ("WavPack", Array("wvpk".utf8)), ("Windows Media", [0x30, 0x26, 0xB2, 0x75]),
            ("Matroska or WebM", [0x1A, 0x45, 0xDF, 0xA3]), ("AMR", Array("#!AMR\n".utf8)),
        ])
    func alternative(format: String, signature: [UInt8]) throws {
        run.server.serve("/odd.mp3", FaultScript(body: signature + [UInt8](repeating: 0, count: 4000)))
        run.server.serve("/part2.mp3", DemoEpisodes.episode(2))
        var item = ServedFeed.Item.demo(2, on: run.server)
        item.url = run.server.url("/odd.mp3")
        item.elements = """
            <podcast:alternateEnclosure type="audio/mpeg" length="1000">
            <podcast:source uri="\(run.server.url("/part2.mp3"))"/></podcast:alternateEnclosure>
            """
        run.serve(ServedFeed("Harbour Tales", [item]))
        _ = try run.run("subscribe", run.server.url("/feed"))

        let (outcome, heard) = try record("part 2")
        #expect(outcome.status == 0 && outcome.errors.contains("this is \(format), which"), "\(outcome.errors)")
        #expect(try firstDifference(heard, DemoEpisodes.samples(2)) == nil)
        #expect(try run.json("episodes", "--played").map { $0["title"]?.text } == ["Part 2"])
    }
}
