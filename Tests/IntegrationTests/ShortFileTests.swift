// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite(
    "Very short files and files of exact buffer sizes, on a sound server", .serialized, .soundLane, .needsSoundServer)
struct ShortFileTests {
    private let stage: PulseStage

    init() throws { stage = try PulseStage() }

    @Test("C1 an episode of one MPEG frame plays once and ends")
    func oneFrame() async throws {
        // Each packet is independent of the others; the encoder delay ends before the sixth.
        let sound = try TestSound(frames: 20_000).encoded("-b", "320", "--nores", "-t")
        let packets = Self.packets(of: sound)
        let link = try ShapedLink([Array(sound[packets[5]])])
        let start = ContinuousClock.now
        let run = stage.start(link.items)
        #expect(await run.wait { $0.hasEnded })
        let time = ContinuousClock.now - start
        #expect(time < TimeLimit.shortRun)
        // mpg123 decodes no samples from a single packet.
        let two = try Frames(of: sound[packets[5].lowerBound..<packets[6].upperBound])
        let wanted = Frames(Array(two.all.prefix(1152))).sounding
        let heard = await stage.heard(wanted.count)
        #expect(wanted.count > 1000 && firstDifference(heard.sounding, wanted) == nil)
        #expect(run.events.count { $0 == .ended } == 1 && run.failures == [])
        #expect(await run.stop())
    }

    /// Returns the packets of a stream of 320 kbit/s at 44.1 kHz.
    private static func packets(of stream: [UInt8]) -> [Range<Int>] {
        var (packets, place) = ([Range<Int>](), 0)
        while place + 4 <= stream.count {
            let length = 144 * 320_000 / 44_100 + Int(stream[place + 2] >> 1 & 1)
            packets.append(place..<place + length)
            place += length
        }
        return packets
    }

    @Test(
        "C2 files shorter than the lead, the device buffer and its prebuffer play completely at full speed",
        arguments: [1, 1000, 3000, 10_000])
    func shorterThanBuffers(frames: Int) async throws {
        let file = try TestSound(frames: frames).encoded("-b", "128")
        let link = try ShapedLink([file, file], rate: .max, roundTrip: .zero)
        let run = stage.start(link.items)
        let isOver = await run.playOut()
        let once = try Frames(of: file)
        let wanted = Frames(once.all + once.all)
        let heard = await stage.heard(wanted.sounding.count)
        #expect(isOver && run.failures == [])
        #expect(once.all.count == frames && firstDifference(heard.sounding, wanted.sounding) == nil)
    }

    @Test("C3 a file of exactly the buffer sizes, in bytes and in PCM frames, plays once to its end")
    func asLongAsBuffers() async throws {
        let file = try Self.exactly(frames: 65_536)
        let wanted = try Frames(of: file)
        #expect(file.count % 65_536 == 0 && wanted.all.count == 65_536)
        let link = try ShapedLink([file])
        try await PulseStage.expectGapless(link.items, wanted)
        #expect(!link.server.requests.isEmpty)
    }

    @Test(
        "C3 two files of exact buffer sizes in a row are recorded to the last frame",
        arguments: [1024, 4096, 16_384, 65_536, 131_072])
    func asLongAsBuffersInARow(frames: Int) async throws {
        let file = try Self.exactly(frames: frames)
        let link = try ShapedLink([file, file], rate: .max, roundTrip: .zero)
        let (run, samples) = await PlayerRun.record(link.items, keeping: stage.scratch)
        let once = try ReferenceDecoder.samples(of: file)
        #expect(run.failures == [] && once.count == frames * 8)
        #expect(firstDifference(samples, once + once) == nil)
    }

    /// Returns a file with this many PCM frames whose size in bytes is a multiple of the 64 KiB read window.
    private static func exactly(frames: Int) throws -> [UInt8] {
        let sound = try TestSound(frames: frames).encoded("-b", "128")
        var builder = MP3Builder()
        builder.addID3v2(padding: 65_536 - (sound.count + 10) % 65_536)
        return builder.bytes + sound
    }
}
