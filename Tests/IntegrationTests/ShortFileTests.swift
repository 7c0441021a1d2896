// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("Short files and exact ones, to a sound server", .serialized, .soundLane, .needsSoundServer)
struct ShortFileTests {
    private let stage: PulseStage

    init() throws { stage = try PulseStage() }

    @Test("C1 an episode of one MPEG frame: it is heard, once, and has ended within a second")
    func oneFrame() async throws {
        // Each packet stands for itself; the encoder's delay is over in the sixth.
        let sound = try TestSound(frames: 20_000).encoded("-b", "320", "--nores", "-t")
        let packets = Self.packets(of: sound)
        let link = try ShapedLink([Array(sound[packets[5]])])
        let start = ContinuousClock.now
        let run = stage.start(link.items)
        #expect(await run.wait { $0.hasEnded })
        let time = ContinuousClock.now - start
        #expect(time < .seconds(1))
        // The program makes nothing of one packet alone.
        let two = try Frames(of: sound[packets[5].lowerBound..<packets[6].upperBound])
        let wanted = Frames(Array(two.all.prefix(1152))).sounding
        let heard = await stage.heard(wanted.count)
        #expect(wanted.count > 1000 && firstDifference(heard.sounding, wanted) == nil)
        #expect(run.events.count { $0 == .ended } == 1 && run.failures == [])
        #expect(await run.stop())
    }

    /// The packets of a stream of 320 kbit/s at 44.1 kHz.
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
        "C2 files shorter than the lead, the device's buffer and its prebuffer, at full speed: all of each",
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

    @Test("C3 as long as the buffers are, in bytes and in PCM frames: it ends, once")
    func asLongAsBuffers() async throws {
        let file = try Self.exactly(frames: 65_536)
        let wanted = try Frames(of: file)
        #expect(file.count % 65_536 == 0 && wanted.all.count == 65_536)
        let link = try ShapedLink([file])
        let run = stage.start(link.items)
        let isOver = await run.playOut()
        let heard = await stage.heard(wanted.sounding.count)
        #expect(isOver && run.failures == [] && run.stalls == 0)
        #expect(firstDifference(heard.withoutEnds, wanted.withoutEnds) == nil)
        #expect(run.events.count { $0 == .ended } == 1)
    }

    @Test(
        "C3 into a file, and with another behind it: both, to the last frame",
        arguments: [1024, 4096, 16_384, 65_536, 131_072])
    func asLongAsBuffersInARow(frames: Int) async throws {
        let file = try Self.exactly(frames: frames)
        let link = try ShapedLink([file, file], rate: .max, roundTrip: .zero)
        let (run, samples) = await PlayerRun.record(link.items, keeping: stage.scratch)
        let once = try ReferenceDecoder.samples(of: file)
        #expect(run.failures == [] && once.count == frames * 8)
        #expect(firstDifference(samples, once + once) == nil)
    }

    /// A file of so many PCM frames whose bytes fill the window of 64 KiB in which a file is read.
    private static func exactly(frames: Int) throws -> [UInt8] {
        let sound = try TestSound(frames: frames).encoded("-b", "128")
        var builder = MP3Builder()
        builder.addID3v2(padding: 65_536 - (sound.count + 10) % 65_536)
        return builder.bytes + sound
    }
}
