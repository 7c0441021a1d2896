// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("Frame search")
struct FrameSearchTests {
    /// A stream of 700 kB whose second half has twice the bit rate.
    private static let stream: [UInt8] = {
        let quiet = OpusStream(packets: Array(repeating: (9, 1), count: 600), packetsPerPage: 10, packetLength: 400)
        var writer = OggWriter(serial: 1)
        writer.add(quiet.head, granule: 0)
        writer.flush()
        writer.add(Array("OpusTags".utf8) + CommentBlock.bytes([]), granule: 0)
        writer.flush()
        for number in 0..<1200 {
            let packet = quiet.packet(number % 600)
            writer.add(number < 600 ? packet : packet + packet, granule: Int64(number + 1) * 960)
            if number % 10 == 9 { writer.flush(isLast: number == 1199) }
        }
        return writer.bytes
    }()

    @Test("The search approaches each frame with few jumps, with and without a known length", arguments: [false, true])
    func approach(knowsLength: Bool) throws {
        var run = ContainerRun(Self.stream, OggParser()) { 4096 }
        run.run(packets: 1)
        let start = try #require(run.records.packets.first)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<60 {
            let wanted = Int64.random(in: 0..<1200 * 960, using: &generator)
            var search = FrameSearch(
                for: wanted, from: .init(offset: start.offset, frame: 0),
                to: (Int64(Self.stream.count), knowsLength ? 1200 * 960 : nil), nearFrames: 48000)
            var jumps = 0
            while let offset = search.nextOffset {
                run.parser.synchronize(from: offset)
                run.run(packets: 1)
                search.found(run.records.packets.first.map { .init(offset: $0.offset, frame: $0.frame ?? 0) })
                jumps += 1
            }
            #expect(jumps <= 8)
            run.parser.synchronize(from: search.result.offset)
            run.run(packets: 1)
            let found = try #require(run.records.packets.first?.frame)
            // At most 64 kB, that is 150 packets, or a second are left.
            #expect(found <= wanted && wanted - found < 160 * 960)
        }
    }

    @Test("Long fragments are approached with few jumps, and few bytes are read twice", arguments: [300_000, 470_000])
    func fragments(length: Int64) {
        let (count, frames) = (Int64(500), Int64(8 * 48000))
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<60 {
            let wanted = Int64.random(in: frames..<count * frames, using: &generator)
            var search = FrameSearch(
                for: wanted, from: .init(offset: 0, frame: 0), to: (count * length, count * frames),
                nearFrames: 48000)
            var (jumps, bytes) = (0, Int64(0))
            while let offset = search.nextOffset {
                let next = (offset + length - 1) / length
                search.found(next < count ? .init(offset: next * length, frame: next * frames) : nil)
                jumps += 1
                bytes += next * length - offset
            }
            #expect(jumps <= 12 && bytes < 6 * length, "\(jumps), \(bytes)")
            #expect(search.result.frame <= wanted && wanted - search.result.frame < 2 * frames)
        }
    }

    @Test("A search from between a fragment's start and its sound does not exclude the fragment", arguments: [20, 60])
    func soundAfterPicture(count: Int64) {
        let (length, picture, frames) = (Int64(400_000), Int64(300_000), Int64(10 * 48000))
        for wanted in stride(from: frames, to: count * frames, by: 24000) {
            var search = FrameSearch(
                for: wanted, from: .init(offset: 0, frame: 0), to: (count * length, count * frames),
                nearFrames: 48000)
            var jumps = 0
            while let offset = search.nextOffset {
                let next = (offset + length - 1) / length
                let place = FrameSearch.Place(offset: next * length + picture, frame: next * frames)
                search.found(next < count ? place : nil, inFragmentAt: next * length)
                jumps += 1
            }
            #expect(jumps <= 8 && search.result.frame <= wanted && wanted - search.result.frame < 2 * frames)
        }
    }

    @Test(
        "If the end may be that of another stream, the search stays in the first one",
        arguments: [1200, 2800, 4000, 8000, 11_600] as [Int64])
    func joined(second: Int64) {
        let (first, length, frames) = (Int64(4000), Int64(8000), Int64(4096))
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<60 {
            let wanted = Int64.random(in: 0..<first * frames, using: &generator)
            var search = FrameSearch(
                for: wanted, from: .init(offset: 0, frame: 0), to: ((first + second) * length, first * frames),
                nearFrames: 48000, isEndDoubtful: true)
            while let offset = search.nextOffset {
                let next = (offset + length - 1) / length
                let number = next < first ? next : next - first
                search.found(next < first + second ? .init(offset: next * length, frame: number * frames) : nil)
            }
            #expect(search.result.offset < first * length && wanted - search.result.frame < 60_000)
        }
    }

    /// The first packet at or after an offset of a stream whose minutes alternate between silence and sound.
    private static func packetOfMinutes(at offset: Int64) -> FrameSearch.Place {
        let (count, silent, loud) = (Int64(574), Int64(420), Int64(7000))
        let length = count * (silent + loud)
        let (pair, rest) = offset.quotientAndRemainder(dividingBy: length)
        let isSilent = rest < count * silent
        let number = isSilent ? (rest + silent - 1) / silent : count + (rest - count * silent + loud - 1) / loud
        let bytes = min(number, count) * silent + max(0, number - count) * loud
        return .init(offset: pair * length + bytes, frame: (pair * 2 * count + number) * 4608)
    }

    @Test("An hour whose bit rate changes each minute is searched with six jumps on average")
    func varyingRate() {
        let end = Self.packetOfMinutes(at: 30 * 574 * 7420)
        var generator = SeededGenerator(seed: 6)
        var jumps = 0
        for _ in 0..<60 {
            let wanted = Int64.random(in: 0..<end.frame, using: &generator)
            var search = FrameSearch(
                for: wanted, from: .init(offset: 0, frame: 0), to: (end.offset, end.frame), nearFrames: 44100)
            while let offset = search.nextOffset {
                let place = Self.packetOfMinutes(at: offset)
                search.found(place.offset < end.offset ? place : nil)
                jumps += 1
            }
            // 64 KB of silence are 157 packets.
            #expect(search.result.frame <= wanted && wanted - search.result.frame < 160 * 4608)
        }
        #expect(jumps <= 6 * 60, "\(jumps)")
    }

    @Test("A packet with a lower number than an earlier one belongs to another stream")
    func lowerNumber() throws {
        let start = FrameSearch.Place(offset: 1_000_000, frame: 1_000_000)
        var search = FrameSearch(for: 2_000_000, from: start, to: (100_000_000, nil), nearFrames: 48000)
        let offset = try #require(search.nextOffset)
        search.found(.init(offset: offset, frame: 5))
        let next = try #require(search.nextOffset)
        #expect(search.result == start && next < offset)
    }

    @Test("A source that finds nothing, or packets out of order, ends the search", arguments: 0..<20 as Range<UInt64>)
    func hostile(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var search = FrameSearch(for: 1 << 40, from: .init(offset: 0, frame: 0), to: (1 << 40, nil), nearFrames: 48000)
        var jumps = 0
        while let offset = search.nextOffset, jumps < 1000 {
            jumps += 1
            let frame = Int64.random(in: 0...1 << 41, using: &generator)
            search.found(
                Bool.random(using: &generator)
                    ? .init(offset: .random(in: 0...2 * max(1, offset), using: &generator), frame: frame) : nil)
        }
        #expect(jumps < 200)
    }
}
