// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import MPEGAudio

@Suite("Encoding of the frame index")
struct FrameIndexEncodingTests {
    private static func index(of packets: some Sequence<MPEGPacket>) -> FrameIndex {
        packets.reduce(into: FrameIndex()) { $0.append($1) }
    }

    private static func packets(of row: StreamCase) -> [MPEGPacket] {
        StreamDriver.events(of: row.stream.bytes).packets
    }

    /// Returns contiguous packets of MPEG-1 Layer III at 44.1 kHz.
    private static func packets(_ count: Int, kilobits: (Int) -> Int) -> [MPEGPacket] {
        var (offset, slots) = (1000 as Int64, 0)
        return (0..<count).compactMap { number in
            let rate = kilobits(number)
            slots += 144 * rate * 1000 % 44100
            let isPadded = slots >= 44100
            if isPadded { slots -= 44100 }
            let index = MP3Builder.Format.rates(.mpeg1, 3).firstIndex(of: rate).map { $0 + 1 } ?? 0
            let word = 0xFFFB_0000 | UInt32(index) << 12 | (isPadded ? 1 << 9 : 0)
            guard let header = MPEGFrameHeader(word), let length = header.length else { return nil }
            defer { offset += Int64(length) }
            return MPEGPacket(header: header, offset: offset, length: length, number: Int64(number))
        }
    }

    @Test(
        "An encoded index decodes to the same index for any prefix, and can be extended further",
        arguments: FrameIndexTests.streams)
    func roundTrip(row: StreamCase) throws {
        let packets = Self.packets(of: row)
        for count in 0...packets.count {
            let index = Self.index(of: packets[..<count])
            var back = try #require(FrameIndex(encoded: index.encoded()))
            #expect(back == index)
            guard count % 11 == 0 else { continue }
            for packet in packets[count...] { back.append(packet) }
            #expect(back == Self.index(of: packets))
        }
    }

    @Test("Offsets beyond 4 GiB are preserved")
    func farOffsets() throws {
        let header = try #require(MPEGFrameHeader(0xFFFB_9064))
        var random = SeededGenerator(seed: 3)
        var offset: Int64 = 1 << 40
        let index = Self.index(of: (0..<100 as Range<Int64>).map { number in
            offset += .random(in: 417..<1 << 34, using: &random)
            return MPEGPacket(header: header, offset: offset, length: 417, number: number)
        })
        #expect(FrameIndex(encoded: index.encoded()) == index)
    }

    @Test("Every header can be rebuilt from its word")
    func words() {
        for fields in 0..<1 << 14 as Range<UInt32> {
            let word = 0x7FF << 21 | (fields >> 5) << 12 | (fields & 0x1C) << 7 | (fields & 3) << 6
            guard let header = MPEGFrameHeader(word) else { continue }
            #expect(MPEGFrameHeader(header.word) == header)
        }
    }

    @Test("The encoding is stable")
    func golden() {
        var builder = MP3Builder()
        builder.addFrames(20)
        let index = Self.index(of: StreamDriver.events(of: builder.bytes).packets)
        #expect(
            index.encoded() == [
                0x45, 0x53, 0x46, 0x49, 1,  // ESFI, version 1
                20, 0,  // packets, offset of the first
                0x90, 0x34, 0xFE, 0x03,  // a run of 3336 bytes, 255 units of payload
                0, 0,  // another
                0x87, 0x1A, 0xEA, 0x13,  // one of 1668 less, with 1524 bytes of payload
                0, 0, 0x80, 0xA0, 0xEE, 0xFF, 0x0F,  // from packet 0 on: 0xFFFB9000
                0x48, 0x75, 0x2A, 0x4A,  // CRC-32
            ])
        #expect(FrameIndex().encoded().count == 10)
    }

    @Test("The encoding has two bytes per 8 packets at a constant bit rate, at most four at a varying one")
    func size() {
        let packets = 3 * 3600 * 44100 / 1152
        let runs = packets / 8
        let constant = Self.index(of: Self.packets(packets) { _ in 128 }).encoded()
        #expect(constant.count <= 2 * runs + 32)
        var random = SeededGenerator(seed: 8)
        let rates = MP3Builder.Format.rates(.mpeg1, 3)
        let varying = Self.index(of: Self.packets(packets) { _ in rates.randomElement(using: &random) ?? 32 }).encoded()
        #expect(varying.count <= 4 * runs + 32)
    }
}

// MARK: Malformed bytes
extension FrameIndexEncodingTests {
    @Test("A truncated, changed or extended encoding is refused", arguments: FrameIndexTests.streams)
    func damaged(row: StreamCase) {
        let bytes = Self.index(of: Self.packets(of: row)).encoded()
        for end in bytes.indices { #expect(FrameIndex(encoded: Array(bytes[..<end])) == nil) }
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= UInt8(1 << (place % 8))
            #expect(FrameIndex(encoded: changed) == nil)
        }
        #expect(FrameIndex(encoded: bytes + [0]) == nil)
    }

    @Test(
        "A forged encoding with a valid checksum is refused or yields a consistent index",
        arguments: 0..<40 as Range<UInt64>)
    func lies(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let row = FrameIndexTests.streams[Int(seed) % FrameIndexTests.streams.count]
        let honest = Array(Self.index(of: Self.packets(of: row)).encoded().dropLast(4))
        for _ in 0..<400 {
            var bytes = honest
            for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&bytes, &random) }
            bytes += CRC32.checksum(bytes).bytes
            guard let index = FrameIndex(encoded: bytes) else { continue }
            #expect(index.encoded() == bytes)
            try expectSound(index)
        }
    }

    @Test("A packet count that the bytes cannot contain is refused before memory is allocated")
    func manyPackets() {
        for count in [100, 1 << 20, 1 << 62, UInt64(Int64.max), .max] {
            var bytes = Array("ESFI".utf8) + [1]
            bytes.append(varint: count)
            bytes += [0, 0, 0, 0, 0, 0]
            #expect(FrameIndex(encoded: bytes + CRC32.checksum(bytes).bytes) == nil)
        }
    }

    @Test("The checksum is the common CRC-32")
    func checksum() {
        #expect(CRC32.checksum("123456789".utf8).value == 0xCBF4_3926)
        #expect(CRC32.checksum([]).value == 0)
    }

    @Test("A number is accepted only in its canonical encoding and in range")
    func numbers() {
        for value in [0, 1, 127, 128, 300, 1 << 32, .max] as [UInt64] {
            var bytes: [UInt8] = []
            bytes.append(varint: value)
            var reader = VarintReader(bytes[...])
            let back = reader.unsigned()
            #expect(back == value && reader.isAtEnd)
        }
        for value in [0, -1, 1, 63, -64, 64, .max, .min] as [Int64] {
            var bytes: [UInt8] = []
            bytes.append(zigzag: value)
            var (reader, sum) = (VarintReader(bytes[...]), 0 as Int64)
            let isRead = reader.add(to: &sum)
            #expect(isRead && sum == value)
        }
        let refused: [[UInt8]] = [
            [], [0x80], [0x80, 0], [0xFF, 0x80, 0], Array(repeating: 0xFF, count: 9) + [2],
            Array(repeating: 0xFF, count: 12),
        ]
        for bytes in refused {
            var reader = VarintReader(bytes[...])
            let number = reader.unsigned()
            #expect(number == nil, "\(bytes)")
        }
        var (reader, sum) = (VarintReader([2]), Int64.max)
        let fits = reader.add(to: &sum)
        #expect(!fits)
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 5..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = .random(in: .min ... .max, using: &random)
        case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 2 where bytes.count > 6: bytes.remove(at: place)
        case 3: bytes.insert(contentsOf: Array(repeating: 0xFF, count: 8) + [0x7F], at: place)
        default: bytes.insert(.random(in: .min ... .max, using: &random), at: place)
        }
    }

    /// Expects that every query has an answer and that the answers are consistent.
    private func expectSound(_ index: FrameIndex) throws {
        for number in 0...index.count {
            let point = try #require(index.seekPoint(for: number))
            #expect(point.packetNumber <= number && point.packetNumber % 8 == 0)
            #expect(index.offset(ofPacket: point.packetNumber) == point.offset || index.count == 0)
        }
        guard let frontier = index.frontier, let first = index.first else { return }
        #expect(first.offset < frontier.offset)
        #expect(index.packetNumber(atOffset: first.offset) == 0)
        #expect(index.packetNumber(atOffset: frontier.offset) == nil)
        #expect(index.packetNumber(atOffset: .max) == nil)
    }
}
