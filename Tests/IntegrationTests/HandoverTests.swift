// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("Gapless handover, into a file", .serialized, .fileLane)
struct HandoverTests {
    @Test("C26 two LAME, two Lavc, one tagless, one --nogap pair: every join is exact")
    func encoders() async throws {
        let ends = [40_001, 77_777, 120_000, 163_333, 200_003]
        let sound = TestSound(frames: 200_003)
        let cut = try sound.encoded(endingAt: ends, [["-b", "128"], ["-t"], ["-V", "4"], ["-t"], ["-t", "-V", "2"]])
        let pair = try TestSound(frames: 80_000).encodedWithoutGap(endingAt: [37_000, 80_000], "-b", "128")
        let files = [
            cut[0], Self.tagged(cut[1], encoder: "Lavc58.13", frames: 37_776), cut[4], cut[2], pair[0], pair[1],
            Self.tagged(cut[3], encoder: "Lavf", frames: 43_333),
        ]
        let references = try files.map { try ReferenceDecoder.samples(of: $0) }
        let lengths = references.map { $0.count / 8 }
        // The file without a tag keeps the padding of the encoder.
        #expect(lengths[0] == 40_001 && lengths[1] == 37_776 && lengths[3] == 42_223 && lengths[6] == 43_333)
        #expect(lengths[2] % 1152 == 0 && lengths[2] > 36_670)
        let link = try ShapedLink(files)
        let (run, samples) = await PlayerRun.record(link.items, keeping: ScratchDirectory())
        #expect(run.failures == [])
        #expect(samples.count == references.reduce(0) { $0 + $1.count })
        #expect(firstDifference(samples, references.reduce([], +)) == nil)
    }

    /// Returns the stream with the Xing frame that another encoder on the same library writes; the stream has 128
    /// kbit/s and no tag.
    private static func tagged(_ stream: [UInt8], encoder: String, frames: Int) -> [UInt8] {
        let delay = 576
        let packets = (stream.count * 44_100 + 144 * 64_000) / (144 * 128_000)
        var builder = MP3Builder()
        builder.addXing(
            isInfo: true, frames: packets, bytes: stream.count + 417, encoder: encoder, delay: delay,
            padding: packets * 1152 - delay - frames)
        return builder.bytes + stream
    }
}

@Suite("Gapless handover, on a sound server", .serialized, .soundLane, .needsSoundServer)
struct HandoverSoundTests {
    @Test("C27 files of 44.1 kHz stereo, 48 kHz mono and 22.05 kHz play as one continuous wave through one stream")
    func formats() async throws {
        // Each part has whole periods, so that the next one continues the wave.
        let files = try [(44_100, 2), (48_000, 1), (22_050, 2)].map { rate, channels in
            try TestSound(frames: rate / 2, sampleRate: rate, channels: channels, hertz: 2000).encoded("-b", "128")
        }
        let link = try ShapedLink(files)
        try await PulseStage.expectOnce { stage in
            let run = stage.start(link.items)
            var streams: [Set<Substring>] = []
            for number in files.indices {
                #expect(await run.wait { $0.started > number })
                streams.append(try stage.streams())
            }
            let isOver = await run.playOut()
            #expect(isOver && run.failures == [])
            #expect(streams[0].count == 2 && streams == [streams[0], streams[0], streams[0]])
            let heard = await stage.heard(3 * 22_050 - 100).withoutEnds
            return run.stalls == 0 ? Self.fault(of: heard) : "\(run.stalls) stalls"
        }
    }

    /// Returns the deviation of a recording from three parts of one sine.
    private static func fault(of heard: [UInt64]) -> String? {
        let count = 3 * 22_050
        // The first sample of the sine and the last one may be silent.
        guard (count - 3...count + 1).contains(heard.count) else { return "\(heard.count) frames for \(count)" }
        guard Frames(heard).sounding.count == heard.count else { return "silence inside" }
        guard zip(heard, heard.dropFirst()).allSatisfy({ $0 != $1 }) else { return "a repeated frame" }
        // lame reduces the level by 0.025; a shift of one frame would cause a distance of 0.138. At each join, the
        // codec and the converter start again.
        let distances = Frames(heard).distances(toSine: 2000)
        for part in 0..<3 {
            let frames: Range<Int> = (part * 22_050 + 200)..<((part + 1) * 22_050 - 200)
            let farthest: Double = distances[frames].max() ?? 1
            guard farthest < 0.12 else { return "\(farthest) from the sine in part \(part)" }
        }
        return nil
    }

    @Test("C28 when a server answers late, the previous item plays to its last sample, followed by one silence")
    func lateAnswer() async throws {
        let files = try TestSound(frames: 40_000).encoded(endingAt: [22_000, 40_000], [["-b", "128"], ["-b", "96"]])
        let link = try ShapedLink(files) { if $0 == 1 { $1.latency = .milliseconds(1500) } }
        let wanted = try files.map { try Frames(of: $0) }
        try await PulseStage.expectOnce { stage in
            let run = stage.start(link.items)
            let isOver = await run.playOut()
            let heard = await stage.heard(40_000 - 100)
            #expect(isOver && run.failures == [])
            if let place = firstDifference(heard.sounding, wanted[0].sounding + wanted[1].sounding) {
                return "a difference at frame \(place)"
            }
            // The recording contains a single silence between the two.
            let first = wanted[0].withoutEnds
            if let place = firstDifference(heard.withoutEnds.prefix(first.count), first) {
                return "silence at frame \(place)"
            }
            let gap = heard.withoutEnds.count - Frames(wanted[0].all + wanted[1].all).withoutEnds.count
            return gap > 44_100 / 4 ? nil : "a silence of \(gap) frames"
        }
    }
}

extension PlayerRun {
    /// The number of items that began to play.
    fileprivate var started: Int { events.count { if case .itemStarted = $0 { true } else { false } } }
}

extension PulseStage {
    /// Returns the indexes of the server's playing streams.
    fileprivate func streams() throws -> Set<Substring> {
        var environment = ProgramRun.plainEnvironment
        environment["PULSE_SERVER"] = server.address
        let outcome = try ProgramRun.run(["pactl", "list", "short", "sink-inputs"], environment: environment)
        return Set(outcome.outputText.split(separator: "\n").compactMap { $0.split(separator: "\t").first })
    }
}
