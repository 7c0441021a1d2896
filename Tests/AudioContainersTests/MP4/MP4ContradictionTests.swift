// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("MP4 parser: packets that contradict a damaged table")
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
        let isWhole = outcome.payloads == builder.payloads
        let isEqual = MP4Driver.outcome(MP4Parser(), bytes, cutBy: &generator).events == outcome.events
        #expect(isWhole && isEqual, comment)
    }

    @Test("A wrong size of a packet moves no other packet", arguments: [true, false], [10, 1000])
    func size(isMovieFirst: Bool, chunkLength: Int) {
        var builder = Self.builder
        (builder.isMovieFirst, builder.chunkLengths) = (isMovieFirst, [chunkLength])
        // The first packets show the pattern. The last one of a chunk moves none, and the last chunk has no successor.
        for entry in 8..<Self.count - 10 where entry % 10 != 9 {
            for bit in [UInt32(1), 0x80, 0x100, 0x400, 0x1_0000, 0x8000_0000] {
                expectAll(file(builder, "stsz", entry: entry) { $0 ^ bit }, builder, "\(entry), \(bit)")
            }
        }
    }

    @Test("A wrong offset of a chunk moves no packet", arguments: [true, false])
    func offset(isMovieFirst: Bool) {
        var builder = Self.builder
        builder.isMovieFirst = isMovieFirst
        for chunk in 1..<Self.count / 10 {
            for bit in [UInt32(1), 0x80, 0x100, 0x1000, 0x100_0000, 0x8000_0000] {
                expectAll(file(builder, "stco", entry: chunk) { $0 ^ bit }, builder, "\(chunk), \(bit)")
            }
        }
    }

    @Test("Where other bytes look like the start of a packet, at most two packets are wrong", arguments: [10, 1000])
    func likeness(chunkLength: Int) {
        var builder = Self.builder(MP4Builder.payloads(Self.count, seed: 9, sizes: 90...400))
        builder.chunkLengths = [chunkLength]
        for entry in 8..<Self.count - 10 {
            for bit in [UInt32(1), 0x10, 0x100, 0x10_0000] {
                let outcome = MP4Driver.outcome(MP4Parser(), file(builder, "stsz", entry: entry) { $0 ^ bit })
                let wrong = zip(outcome.payloads, builder.payloads).count { $0 != $1 }
                #expect(outcome.payloads.count == Self.count && wrong <= 2, "\(entry), \(bit): \(wrong)")
            }
        }
    }

    @Test(
        "Packets that begin with an element without sound are where the tables place them, also beside another track",
        arguments: [[1], [10, 1], [3], [10]], [0xDE, 0x80] as [UInt8])
    func silentElements(chunkLengths: [Int], first: UInt8) {
        // Packets of the other track look alike, and one lies where the previous packet of the track ends.
        var payloads = MP4Builder.payloads(Self.count, sizes: 100...100).map { [0x21] + $0.dropFirst() }
        for index in stride(from: 0, to: Self.count, by: 16) { payloads[index][0] = first }
        var builder = MP4Builder(payloads)
        (builder.chunkLengths, builder.laterGap) = (chunkLengths, 300)
        builder.otherBytes = MP4Builder.payloads(1, seed: 8, sizes: 100...100).flatMap { [0x21] + $0.dropFirst() }
        expectAll(builder.build().bytes, builder, "\(chunkLengths)")
    }

    @Test("A packet that looks damaged, in chunks of one packet beside another track, stays in its place")
    func damagedBesideTrack() {
        var payloads = MP4Builder.payloads(Self.count, sizes: 100...100).map { [0x21] + $0.dropFirst() }
        payloads[40][0] = 0x40
        var builder = MP4Builder(payloads)
        (builder.chunkLengths, builder.laterGap) = ([1], 300)
        builder.otherBytes = MP4Builder.payloads(1, seed: 8, sizes: 100...100).flatMap { [0x21] + $0.dropFirst() }
        expectAll(builder.build().bytes, builder, "")
    }

    @Test("A seek behind a wrong size reaches the right packet", arguments: [UInt32(1), 0x80, 0x400])
    func seek(bit: UInt32) throws {
        var builder = Self.builder
        builder.chunkLengths = [1000]
        var driver = MP4Driver(MP4Parser(), file(builder, "stsz", entry: 20) { $0 ^ bit }) { 4000 }
        driver.run(packets: 10)
        let isPossible = driver.parser.seek(to: 40 * 1024)
        #expect(isPossible)
        let before = driver.outcome.payloads.count
        driver.run(packets: before + 5)
        let found = Array(driver.outcome.payloads[before...].prefix(5))
        let start = try #require(found.first)
        let first = try #require(builder.payloads.firstIndex(of: start))
        #expect((38...40).contains(first) && found == Array(builder.payloads[first..<first + 5]))
    }

    @Test("The packets before a damaged entry of a truncated file are returned")
    func truncated() {
        let bytes = file(Self.builder, "stsz", entry: 44) { $0 ^ 64 }
        let outcome = MP4Driver.outcome(MP4Parser(), Array(bytes.dropLast(2600)))
        #expect(outcome.payloads.starts(with: Self.builder.payloads.prefix(44)))
    }

    @Test("Packets without a pattern are returned as the tables state them")
    func irregular() {
        var builder = Self.builder
        builder.payloads = MP4Builder.payloads(Self.count, sizes: 90...400)
        let (bytes, _) = builder.build()
        #expect(MP4Driver.outcome(MP4Parser(), bytes).payloads == builder.payloads)
        let outcome = MP4Driver.outcome(MP4Parser(), file(builder, "stsz", entry: 14) { $0 ^ 16 })
        #expect(outcome.payloads.prefix(14) == builder.payloads.prefix(14))
        #expect(outcome.payloads.dropFirst(20) == builder.payloads.dropFirst(20))
    }

    @Test("A table of all samples after the fragments may have another track number")
    func tableAfterFragments() throws {
        let fragments = MP4Case(fragmented: "", count: 1500)
        let whole = MP4Case("").bytes
        let start = try #require(whole.firstRange(of: Array("moov".utf8))).lowerBound - 4
        let length = whole[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        var movie = Array(whole[start..<start + length])
        let header = try #require(movie.firstRange(of: Array("tkhd".utf8)))
        movie[header.upperBound + 15] = 2
        let outcome = MP4Driver.outcome(MP4Parser(), fragments.bytes + movie)
        #expect(outcome.failure == nil && outcome.payloads == fragments.payloads)
    }
}
