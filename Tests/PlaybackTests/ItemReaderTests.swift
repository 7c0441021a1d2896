// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import Playback

@Suite("ItemReader")
struct ItemReaderTests {
    @Test("A whole file decodes to the same samples as a linear decode, bit for bit", arguments: Fixture.all)
    func whole(fixture: Fixture) {
        let reading = ItemReader.make(MemoryByteSource(fixture.bytes)).readOn()
        #expect(reading.start == 0)
        #expect(reading.end == .ended)
        #expect(reading.isUnbroken)
        #expect(identical(reading.samples, fixture.samples))
    }

    @Test("The size of the arriving pieces does not change the samples", arguments: Fixture.all, [1, 7, 417, 4096])
    func drip(fixture: Fixture, piece: Int) {
        guard piece > 1 || fixture.bytes.count < 10_000 else { return }
        let source = MemoryByteSource(fixture.bytes, held: 0)
        let reading = ItemReader.make(source).readOn(source) { piece }
        #expect(reading.end == .ended)
        #expect(identical(reading.samples, fixture.samples))
    }

    @Test("Random gaps in arrival, an unknown length and short reads do not change the samples", arguments: 0..<12)
    func edges(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = Fixture.all[seed % Fixture.all.count]
        let source = MemoryByteSource(
            fixture.bytes, held: Int.random(in: 0...fixture.bytes.count, using: &random), knowsTotal: seed % 2 == 0,
            longestRead: Int.random(in: 1...2000, using: &random))
        let reading = ItemReader.make(source).readOn(source) { Int.random(in: 1...9000, using: &random) }
        #expect(reading.end == .ended)
        // If the length is unknown when the first packet is found, the reader trusts the tag without a check.
        #expect(identical(reading.samples, fixture.samples))
    }

    @Test("An item with a second of declared padding and a later change of channel count ends and mixes no samples")
    func formatChangeInPadding() {
        var builder = MP3Builder()
        builder.addID3v2(MP3Builder.iTunSMPB(delay: 0, padding: 48_000, frames: 1152))
        builder.addFrames(42)
        builder.format.isMono = true
        builder.addFrames(60)
        let reading = ItemReader.make(MemoryByteSource(builder.bytes)).readOn()
        #expect(reading.end == .ended)
        #expect(reading.samples.count <= 1152 * 2 * 43 + 1152 * 60)
    }

    @Test("A file of one MPEG frame is played completely")
    func oneFrame() {
        var builder = MP3Builder()
        builder.addFrames(1)
        let reading = ItemReader.make(MemoryByteSource(builder.bytes)).readOn()
        #expect(reading.end == .ended)
        #expect(reading.samples.count == 1152 * 2)
    }

    @Test("A file without audio fails after 2 MiB and a window are read")
    func garbage() {
        var builder = MP3Builder()
        builder.addGarbage(4 << 20)
        let source = MemoryByteSource(builder.bytes)
        let failure = MediaFailure(.badData, "no audio found")
        #expect(ItemReader.make(source).readOn().end == .failed(failure))
        #expect(source.highestRead <= (2 << 20) + (64 << 10))
        #expect(ItemReader.make(MemoryByteSource(Array("<html>".utf8))).readOn().end == .failed(failure))
        #expect(ItemReader.make(MemoryByteSource([])).readOn().end == .failed(failure))
    }

    @Test("If the bytes end early, the reader returns every complete packet before the end", arguments: Fixture.all)
    func breaksOff(fixture: Fixture) {
        let failure = MediaFailure(.unavailable, "the connection broke")
        let source = MemoryByteSource(fixture.bytes, held: fixture.bytes.count / 2)
        source.fail(failure)
        let reading = ItemReader.make(source).readOn()
        #expect(reading.end == .lost(failure))
        let frames = reading.samples.count / fixture.format.channels
        #expect(identical(reading.samples, fixture.samples(from: 0, to: Int64(frames))))
        #expect(frames > Int(fixture.frames) / 4)
    }

    @Test("The start and end of an item are exact to the frame", arguments: Fixture.all)
    func limits(fixture: Fixture) {
        let (from, to) = (fixture.frames / 4 + 1, fixture.frames * 3 / 4 + 1)
        let times = [from, to].map { TimeTarget.time(fixture.format.duration(ofFrames: $0)) }
        let source = MemoryByteSource(fixture.bytes)
        let reading = ItemReader.make(source, from: times[0], until: times[1]).readOn()
        #expect(reading.start == from)
        #expect(reading.end == .ended)
        #expect(identical(reading.samples, fixture.samples(from: from, to: to)))
    }

    @Test("An end before the start yields no samples")
    func noneLeft() {
        let source = MemoryByteSource(Fixture.cbr.bytes)
        let reading = ItemReader.make(source, from: .time(.seconds(1)), until: .time(.milliseconds(500))).readOn()
        #expect(reading.samples.isEmpty && reading.end == .ended)
    }
}
