// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Media
import Testing
import TrackReading

@testable import Playback

@Suite("ItemReader seeks")
struct ItemReaderSeekTests {
    private func time(_ fixture: Fixture, _ frame: Int64) -> TimeTarget {
        .time(fixture.format.duration(ofFrames: frame))
    }

    @Test("A seek in either direction lands on the exact frame, and the samples from there on equal a linear decode",
        arguments: Fixture.all)
    func lands(fixture: Fixture) {
        let reader = ItemReader.make(MemoryByteSource(fixture.bytes))
        var random = SeededGenerator(seed: UInt64(fixture.bytes.count))
        for _ in 0..<12 {
            let frame = Int64.random(in: 0..<fixture.frames, using: &random)
            reader.seek(to: time(fixture, frame))
            let reading = reader.readOn(enough: Int.random(in: 1...20_000, using: &random))
            #expect(reading.start == frame)
            #expect(reading.isUnbroken)
            let end = frame + Int64(reading.samples.count / fixture.format.channels)
            #expect(identical(reading.samples, fixture.samples(from: frame, to: end)), "from \(frame)")
        }
    }

    @Test(
        "C25 a seek to the beginning starts with the first frame after the encoder delay",
        arguments: Fixture.all)
    func toZero(fixture: Fixture) {
        let reader = ItemReader.make(MemoryByteSource(fixture.bytes))
        #expect(reader.readOn().end == .ended)
        reader.seek(to: .time(.zero))
        #expect(identical(reader.readOn().samples, fixture.samples))
    }

    @Test("A seek beyond the downloaded bytes waits and lands exactly once the bytes have arrived",
        arguments: Fixture.all)
    func beyondTheEdge(fixture: Fixture) {
        let source = MemoryByteSource(fixture.bytes, held: fixture.bytes.count / 3)
        let reader = ItemReader.make(source)
        _ = reader.readOn(enough: 1)
        let frame = fixture.frames * 3 / 4
        reader.seek(to: time(fixture, frame))
        let waiting = reader.readOn()
        #expect(waiting.samples.isEmpty && waiting.end == .notYetAvailable)
        let reading = reader.readOn(source) { 1000 }
        #expect(reading.start == frame)
        #expect(reading.end == .ended)
        #expect(identical(reading.samples, fixture.samples(from: frame)))
    }

    @Test("A seek to the end or beyond ends the item; a seek back is still possible", arguments: Fixture.all)
    func beyondTheEnd(fixture: Fixture) {
        let reader = ItemReader.make(MemoryByteSource(fixture.bytes))
        for target in [fixture.frames, fixture.frames + 1, fixture.frames * 100] {
            reader.seek(to: time(fixture, target))
            let reading = reader.readOn()
            #expect(reading.samples.isEmpty && reading.end == .ended, "to \(target)")
        }
        reader.seek(to: time(fixture, fixture.frames - 1))
        #expect(identical(reader.readOn().samples, fixture.samples(from: fixture.frames - 1)))
    }

    @Test("The last of several seeks before the first byte wins")
    func beforeTheFirstByte() {
        let fixture = Fixture.cbr
        let source = MemoryByteSource(fixture.bytes, held: 0)
        let reader = ItemReader.make(source)
        #expect(reader.readOn().end == .notYetAvailable)
        for frame in [30_000, 10, 20_000] as [Int64] { reader.seek(to: time(fixture, frame)) }
        source.release()
        #expect(identical(reader.readOn().samples, fixture.samples(from: 20_000)))
    }

    @Test("A fraction of an item of unknown length is resolved when the whole item has arrived", arguments: Fixture.all)
    func fraction(fixture: Fixture) throws {
        let source = MemoryByteSource(fixture.bytes, held: 0, knowsTotal: false)
        let reader = ItemReader.make(source, from: .fraction(0.5))
        let reading = reader.readOn(source) { 3000 }
        #expect(reading.end == .ended)
        let start = try #require(reading.start)
        #expect(abs(start - fixture.frames / 2) <= fixture.frames / 20)
        #expect(identical(reading.samples, fixture.samples(from: start)))
    }

    @Test("Fractions outside 0...1 are clamped")
    func fractionsOutside() {
        let fixture = Fixture.cbr
        let reader = ItemReader.make(MemoryByteSource(fixture.bytes))
        #expect(reader.readOn().end == .ended)
        reader.seek(to: .fraction(-3))
        #expect(reader.readOn(enough: 1).start == 0)
        reader.seek(to: .fraction(7))
        #expect(reader.readOn().samples.isEmpty)
    }

    @Test("Seeks to random positions land exactly while bytes arrive", arguments: 0..<12)
    func whileArriving(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = Fixture.all[seed % Fixture.all.count]
        let source = MemoryByteSource(fixture.bytes, held: 0, longestRead: Int.random(in: 100...70_000, using: &random))
        let reader = ItemReader.make(source)
        var target: Int64 = 0
        while source.held < fixture.bytes.count {
            source.release(more: Int.random(in: 1...fixture.bytes.count / 4, using: &random))
            let reading = reader.readOn(enough: Int.random(in: 1...30_000, using: &random))
            if let start = reading.start {
                #expect(start == target)
                target += Int64(reading.samples.count / fixture.format.channels)
                #expect(identical(reading.samples, fixture.samples(from: start, to: target)))
            }
            guard Bool.random(using: &random) else { continue }
            target = Int64.random(in: 0..<fixture.frames, using: &random)
            reader.seek(to: time(fixture, target))
        }
        #expect(identical(reader.readOn().samples, fixture.samples(from: target)))
    }

    @Test("The timeline knows the duration early, and the exact duration at the end", arguments: Fixture.all)
    func duration(fixture: Fixture) throws {
        let reader = ItemReader.make(MemoryByteSource(fixture.bytes))
        #expect(reader.timeline == nil)
        _ = reader.readOn()
        let timeline = try #require(reader.timeline as? MPEGTimeline)
        #expect(timeline.duration == .exact(fixture.duration))
        #expect(timeline.time(of: .time(fixture.duration)).map(timeline.frames.frame) == fixture.frames)
        #expect(timeline.time(of: .fraction(1)).map(timeline.frames.frame) == fixture.frames)
        #expect(timeline.time(of: .time(.seconds(-5))) == .zero)
        #expect(timeline.frames.packet(holding: 0) == (timeline.gapless.start / Int64(fixture.packetFrames)))
        #expect(timeline.frames.packet(holding: -1) == timeline.frames.packet(holding: 0))
        #expect(timeline.buffered(ByteRangeSet([0..<Int64(fixture.bytes.count)])) == [.zero..<fixture.duration])
        #expect(timeline.buffered(ByteRangeSet()).isEmpty)
    }
}
