// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("Files with wrong tags", .serialized)
struct LyingTagTests {
    @Test(
        "C30 every MPEG frame is decoded across changes of format, tags and garbage",
        .fileLane)
    func patchwork() async throws {
        let parts = try [(44_100, 2, "128"), (48_000, 1, "64"), (22_050, 2, "64"), (44_100, 2, "160")].map {
            let sound = TestSound(frames: $0 / 2, sampleRate: $0, channels: $1)
            return try sound.encoded("-b", $2, "-t", "--nores")
        }
        var random = SeededGenerator(seed: 30)
        var builder = MP3Builder()
        builder.addBytes(parts[0] + parts[1])
        builder.addID3v2(MP3Builder.id3Frame("TIT2", Array("\u{0}again".utf8)), padding: 300)
        builder.addBytes(parts[2] + (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &random) } + parts[3])
        builder.addAPE(version: 2, itemBytes: 200)
        builder.addID3v1()
        let link = try ShapedLink([builder.bytes])
        let (run, samples) = await PlayerRun.record(link.items, keeping: ScratchDirectory())
        let references = try parts.map { try ReferenceDecoder.samples(of: $0) }
        let frames = [44_100, 48_000, 22_050, 44_100].enumerated().map { number, rate in
            Double(references[number].count / (number == 1 ? 4 : 8)) * 44_100 / Double(rate)
        }
        let exact = frames.reduce(0, +)
        #expect(run.failures == [] && abs(Double(samples.count / 8) - exact) <= 2, "\(samples.count / 8) for \(exact)")
        #expect(firstDifference(samples.prefix(references[0].count), references[0]) == nil)
        #expect(firstDifference(samples.suffix(references[3].count), references[3]) == nil)
    }

    @Test(
        "C31 with a wrong frame count in the tag, playback reaches the true end and corrects the duration",
        .soundLane, .needsSoundServer, arguments: [(10, 1), (1, 10)])
    func wrongCount(factor: Int, divisor: Int) async throws {
        let stage = try PulseStage()
        let honest = try TestSound(frames: 30_000).encoded("-b", "128")
        let packets = Self.count(honest)
        let link = try ShapedLink([Self.claiming(packets * factor / divisor, honest)])
        // The count is wrong, but the delay of the tag may be right.
        let wanted = Frames(Array(try Frames(of: honest.dropFirst(417)).all.dropFirst(576 + 529)))
        let run = stage.start(link.items)
        let length = AudioFormat(sampleRate: 44_100, channels: 2).duration(ofFrames: Int64(packets * 1152 - 576 - 529))
        #expect(await run.wait { $0.player.status.duration == .exact(length) })
        let isOver = await run.playOut()
        let heard = await stage.heard(wanted.sounding.count)
        #expect(isOver && run.failures == [] && wanted.all.count == packets * 1152 - 576 - 529)
        #expect(firstDifference(heard.sounding, wanted.sounding) == nil)
    }

    /// The offset of the count, after the tag's name and flags.
    private static let place = 4 + 32 + 8

    private static func count(_ file: [UInt8]) -> Int { file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }

    private static func claiming(_ count: Int, _ file: [UInt8]) -> [UInt8] {
        var file = file
        for index in 0..<4 { file[place + index] = UInt8(truncatingIfNeeded: count >> (8 * (3 - index))) }
        return file
    }
}
