// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Media
import Testing
import TrackReading

@testable import Playback

@Suite("ItemReader when the sample rate changes")
struct MixedRateTests {
    /// A block that a reader produced: its format, its time and its samples.
    struct Block {
        let format: AudioFormat
        let time: Duration
        let samples: [Float]

        var end: Duration { time + format.duration(ofFrames: Int64(samples.count / format.channels)) }
    }

    /// 48 kHz, 44.1 kHz, 22.05 kHz mono with 576 frames per packet, and 44.1 kHz again.
    private static let untagged: [UInt8] = [
        (Fixture.untagged, 31), (.cbr, 23), (.slowMono, 47), (.mono, 11), (.cbr, 31),
    ].flatMap { fixture, times in (0..<times).flatMap { _ in fixture.packets.flatMap { $0 } } }

    /// The same after a file with a tag.
    private static let tagged: [UInt8] = Fixture.cbr.bytes + untagged

    private func read(_ reader: ItemReader, enough: Int = .max) -> [Block] {
        var blocks: [Block] = []
        var made = 0
        while made < enough {
            let step = reader.step()
            if reader.block.frames > 0 {
                let samples = Array(reader.block.samples)
                blocks.append(Block(format: reader.block.format, time: reader.block.time, samples: samples))
                made += reader.block.frames
                reader.clearBlock()
            }
            if step != .progressed { break }
        }
        return blocks
    }

    /// Returns the samples of `blocks` from `time` on, in the format of the block at that time.
    private func samples(_ blocks: [Block], at time: Duration, count: Int) -> [Float] {
        guard let place = blocks.lastIndex(where: { $0.time <= time }) else { return [] }
        let format = blocks[place].format
        let run = blocks[place...].prefix { $0.format == format }.flatMap(\.samples)
        let start = Int(format.frames(in: time - blocks[place].time)) * format.channels
        return Array(run.dropFirst(start).prefix(count))
    }

    private func close(_ one: Duration, _ other: Duration) -> Bool {
        abs((one - other) / .microseconds(1)) < 0.01
    }

    @Test(
        "Each block begins when the blocks before it end, and the duration is the sum of all blocks",
        arguments: [true, false])
    func linear(isTagged: Bool) throws {
        let reader = ItemReader.make(MemoryByteSource(isTagged ? Self.tagged : Self.untagged))
        let blocks = read(reader)
        #expect(Set(blocks.map(\.format)).count == 4)
        #expect(zip(blocks, blocks.dropFirst()).allSatisfy { close($0.end, $1.time) })
        let end = try #require(blocks.last?.end)
        guard case .exact(let length) = reader.timeline?.duration else { throw MediaFailure(.badData, "not exact") }
        #expect(close(length, end))
    }

    @Test("A seek lands on the frame of the requested time, bit for bit", arguments: [true, false], [false, true])
    func seeks(isTagged: Bool, isKept: Bool) throws {
        let bytes = isTagged ? Self.tagged : Self.untagged
        let linear = ItemReader.make(MemoryByteSource(bytes))
        let blocks = read(linear)
        let length = try #require(blocks.last?.end)
        let index = try #require(linear.removeIndexToStore())
        let kept = isKept ? KeptFrameIndex(encoded: index.encoded()) : nil
        #expect(!isKept || kept == index)
        let item = PlaybackItem(id: 0, title: "", podcast: nil, location: "")
        for part in 1..<40 {
            let target = length * (Double(part) / 40)
            let reader = ItemReader(item: item, source: MemoryByteSource(bytes)) { kept }
            reader.seek(to: .time(target))
            let found = read(reader, enough: 3000)
            let first = try #require(found.first)
            #expect(abs((first.time - target) / .seconds(1)) * Double(first.format.sampleRate) <= 0.51)
            let heard = found.prefix { $0.format == first.format }.flatMap(\.samples)
            let wanted = samples(blocks, at: first.time + .microseconds(1), count: heard.count)
            #expect(identical(heard, wanted), "at \(target)")
        }
    }

    @Test("Samples read from an island get their true time once the bytes before them have arrived")
    func island() throws {
        let bytes = Self.untagged
        let blocks = read(ItemReader.make(MemoryByteSource(bytes)))
        for part in [0.5, 0.7, 0.9] {
            let source = MemoryByteSource(bytes, held: 60_000)
            let reader = ItemReader.make(source)
            _ = read(reader, enough: 1)
            let length = try #require(reader.timeline?.duration.value)
            reader.seek(to: .time(length * part))
            _ = read(reader)
            source.release(Int(reader.readOffset)..<Int(reader.readOffset) + 40_000)
            let found = read(reader, enough: 4000)
            let first = try #require(found.first)
            #expect(reader.correction.isUnknown)
            source.release()
            while reader.survey(isSoundDue: false) {}
            #expect(!reader.correction.isUnknown)
            let heard = found.prefix { $0.format == first.format }.flatMap(\.samples)
            let time = first.time + reader.correction.time + .microseconds(1)
            let wanted = samples(blocks, at: time, count: heard.count)
            #expect(wanted.count == heard.count)
            #expect((zip(heard, wanted).map { abs($0 - $1) }.max() ?? 1) < 1e-6, "at \(part)")
        }
    }

    @Test("The end position of an item is exact in every run of the file")
    func until() throws {
        let blocks = read(ItemReader.make(MemoryByteSource(Self.untagged)))
        let length = try #require(blocks.last?.end)
        for part in [0.1, 0.4, 0.6, 0.95] {
            let end = length * part
            let made = read(ItemReader.make(MemoryByteSource(Self.untagged), until: .time(end)))
            #expect(abs((try #require(made.last).end - end) / .microseconds(1)) < 50)
        }
    }
}
