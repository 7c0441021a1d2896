// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("MP4 parser: chunks that contradict a damaged table")
struct MP4ContradictionTests {
    private static let count = 60

    /// Packets that begin with the same byte, as those of AAC do, in chunks that follow each other. No other byte has
    /// that value, so each start is certain.
    private static var builder: MP4Builder {
        builder(MP4Builder.payloads(count, sizes: 90...400).map { $0.map { $0 & 0xFE == 0x20 ? 0x40 : $0 } })
    }

    private static func builder(_ payloads: [[UInt8]]) -> MP4Builder {
        var builder = MP4Builder(payloads.map { [0x21] + $0.dropFirst() })
        builder.chunkLengths = [10]
        return builder
    }

    /// Returns a file with another value in an entry of a table.
    private func file(_ builder: MP4Builder, _ table: String, entry: Int, change: (UInt32) -> UInt32) -> [UInt8] {
        var bytes = builder.build().bytes
        let body = bytes.firstRange(of: table.utf8)?.upperBound ?? 0
        let place = body + (table == "stsz" ? 12 : 8) + 4 * entry
        let value = bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
        bytes.replaceSubrange(place..<place + 4, with: BoxWriter.u32(Int(change(value))))
        return bytes
    }

    /// Expects that a file gives every packet, whole or in pieces.
    private func expectAll(_ bytes: [UInt8], _ builder: MP4Builder, _ comment: Comment) {
        var generator = SeededGenerator(seed: 5)
        let outcome = MP4Driver.outcome(MP4Parser(), bytes)
        #expect(outcome.payloads == builder.payloads, comment)
        #expect(MP4Driver.outcome(MP4Parser(), bytes, cutBy: &generator).events == outcome.events, comment)
    }

    @Test("A wrong size of a packet moves no other packet", arguments: [true, false])
    func size(isMovieFirst: Bool) {
        var builder = Self.builder
        builder.isMovieFirst = isMovieFirst
        // The last packet of a chunk moves none anyway, and the last chunk has no successor.
        for entry in 0..<Self.count - 10 where entry % 10 != 9 {
            for bit in [UInt32(1), 0x80, 0x100, 0x400, 0x1_0000, 0x8000_0000] {
                expectAll(file(builder, "stsz", entry: entry) { $0 ^ bit }, builder, "\(entry), \(bit)")
            }
        }
    }

    @Test("A wrong offset of a chunk moves no packet", arguments: [true, false])
    func offset(isMovieFirst: Bool) {
        var builder = Self.builder
        builder.isMovieFirst = isMovieFirst
        for chunk in 1..<Self.count / 10 - 1 {
            for bit in [UInt32(1), 0x80, 0x100, 0x1000, 0x100_0000] {
                expectAll(file(builder, "stco", entry: chunk) { $0 ^ bit }, builder, "\(chunk), \(bit)")
            }
        }
    }

    @Test("Where other bytes look like the start of a packet, at most two packets are wrong")
    func likeness() {
        let builder = Self.builder(MP4Builder.payloads(Self.count, seed: 9, sizes: 90...400))
        for entry in 0..<Self.count - 10 {
            for bit in [UInt32(1), 0x10, 0x100, 0x10_0000] {
                let outcome = MP4Driver.outcome(MP4Parser(), file(builder, "stsz", entry: entry) { $0 ^ bit })
                let wrong = zip(outcome.payloads, builder.payloads).count { $0 != $1 }
                #expect(outcome.payloads.count == Self.count && wrong <= 2, "\(entry), \(bit): \(wrong)")
            }
        }
    }

    @Test("The chunk of a truncated file is returned as its table states it")
    func truncated() {
        let bytes = file(Self.builder, "stsz", entry: 44) { $0 ^ 64 }
        let outcome = MP4Driver.outcome(MP4Parser(), Array(bytes.dropLast(2600)))
        #expect(outcome.payloads.starts(with: Self.builder.payloads.prefix(44)))
    }

    @Test("Packets that begin differently show no damage: each is returned as the table states it")
    func undecided() {
        var builder = Self.builder
        builder.payloads = MP4Builder.payloads(Self.count, sizes: 90...400)
        let outcome = MP4Driver.outcome(MP4Parser(), file(builder, "stsz", entry: 14) { $0 ^ 16 })
        #expect(outcome.payloads.prefix(14) == builder.payloads.prefix(14))
        #expect(outcome.payloads.dropFirst(20) == builder.payloads.dropFirst(20))
    }
}
