// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media
import Testing

@testable import CodecTestSupport

@Suite("MP4 parser: an hour of AAC on a slow link")
struct MP4EarlyStartTests {
    /// Packets of an hour at 44.1 kHz; the payloads are short, so that the file has 3 MB.
    private static let count = 155_000

    private static func hour(packets: Int = count, _ change: (inout MP4Builder) -> Void = { _ in }) -> MP4Case {
        MP4Case("an hour", count: packets) {
            $0.payloads = MP4Builder.payloads(packets, sizes: 6...26)
            $0.chunkLengths = [43]
            $0.userData = BoxWriter.udta(BoxWriter.item("©nam", Array("Title".utf8)))
            change(&$0)
        }
    }

    private static let moovFirst = hour()
    private static let moovLast = hour { $0.isMovieFirst = false }

    @Test("The first packet needs 20 KB of the file, not the 620 KB of its index", arguments: [moovFirst, moovLast])
    func firstPacket(file: MP4Case) throws {
        var driver = MP4Driver(MP4Parser(), file.bytes) { 1024 }
        driver.run(packets: 1)
        #expect(driver.outcome.payloads == [file.payloads[0]])
        #expect(driver.outcome.appended < 22_000)
        #expect(driver.outcome.jumps.count <= 2)
    }

    @Test("All packets are returned, and few bytes are read twice", arguments: [moovFirst, moovLast])
    func allPackets(file: MP4Case) {
        let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(outcome.packets.map(\.offset) == file.offsets)
        #expect(outcome.payloads == file.payloads)
        #expect(outcome.metadata?.title == "Title")
        #expect(outcome.appended < file.bytes.count + file.bytes.count / 2)
        #expect(outcome.largestLimit <= 64 << 10)
        // A visit to the tables for each block of sizes and of chunks, and back.
        #expect(outcome.jumps.count < 32)
    }

    @Test("The next sizes are read when those of about 25 seconds are left, and announced before")
    func refill() throws {
        var driver = MP4Driver(MP4Parser(), Self.moovFirst.bytes) { 4096 }
        driver.run(packets: 1200)
        #expect(driver.parser.prefetch.isEmpty)
        let jumps = driver.outcome.jumps.count
        driver.run(packets: 2000)
        #expect(driver.parser.prefetch.count == 2)
        let sizes = try #require(driver.parser.prefetch.first)
        #expect(sizes.count == 64 << 10)
        #expect(driver.outcome.jumps.count == jumps)
        driver.run(packets: 3100)
        #expect(driver.outcome.jumps.count > jumps)
        #expect(driver.parser.prefetch.isEmpty)
    }

    @Test("Positions are known for the loaded sizes without their packets")
    func positions() throws {
        var driver = MP4Driver(MP4Parser(), Self.moovFirst.bytes)
        driver.run(packets: 4000)
        // The second block of sizes begins within the first 4,096 and has 16,384.
        let packet = 18_944
        #expect(driver.parser.offset(ofFrame: Int64(packet) * 1024) == Self.moovFirst.offsets[packet])
        #expect(driver.parser.frame(atOffset: Self.moovFirst.offsets[packet]) == Int64(packet) * 1024)
        #expect(driver.parser.offset(ofFrame: 150_000 * 1024) == nil)
    }

    @Test("A seek before the index is read reads only the parts of it that lead to the packet")
    func seek() throws {
        var driver = MP4Driver(MP4Parser(), Self.moovFirst.bytes)
        driver.run(packets: 5)
        let before = driver.outcome.appended
        #expect(driver.parser.seek(to: 120_000 * 1024 + 7) == true)
        driver.run(packets: 6)
        let packet = try #require(driver.outcome.packets.last)
        #expect(packet.frame == Int64(119_999 * 1024))
        #expect(packet.offset == Self.moovFirst.offsets[119_999])
        #expect(driver.outcome.appended - before < 160 << 10)
    }

    @Test("Packets that do not begin at the start of mdat are found through stco")
    func misplaced() {
        let file = Self.hour(packets: 20_000) { ($0.gap, $0.chunkLengths) = (100, [1_000_000]) }
        let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(outcome.packets.map(\.offset) == file.offsets)
        #expect(outcome.garbage.isEmpty)
    }

    @Test("If other bytes than the first packets follow the index, it is read in order: a server may send wrong ranges")
    func wrongRange() {
        var bytes = Self.moovFirst.bytes
        let data = Self.moovFirst.offsets.first.map { Int($0) - 8 } ?? 0
        bytes.replaceSubrange(data..., with: bytes[(data - 1000)..<(bytes.count - 1000)])
        var driver = MP4Driver(MP4Parser(), bytes) { 4096 }
        driver.run(packets: 1)
        // To the place of the packets and back.
        #expect(driver.outcome.jumps.count == 2)
    }

    @Test("A file whose table of places is damaged is rejected, not played from a wrong place")
    func noPlaces() throws {
        var bytes = MP4Case("short", count: 100).bytes
        let box = try #require(bytes.firstRange(of: Array("stco".utf8)))
        bytes[box.lowerBound] = 0x78
        let outcome = MP4Driver.outcome(MP4Parser(), bytes)
        #expect(outcome.packets.isEmpty && outcome.failure?.contains("damaged") == true)
    }

    @Test("If a later chunk does not follow the one before it, the packets continue at the right place")
    func gaps() {
        // stco is read after 2,731 packets, before the second chunk.
        let file = Self.hour(packets: 20_000) { ($0.chunkLengths, $0.laterGap) = ([3000], 50) }
        let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(outcome.packets.map(\.offset) == file.offsets)
    }

    @Test("A file without an edit list is read up to the tag that may state its trimming")
    func noEditList() throws {
        let file = Self.hour(packets: 20_000) {
            $0.edits = nil
            $0.userData = BoxWriter.udta(
                BoxWriter.comment("iTunSMPB", " 00000000 00000840 000001C0 0000000001300000 00000000"))
        }
        let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(outcome.tracks.map(\.start) == [2112])
        #expect(try #require(outcome.appendedBeforeSound) < 150_000)
    }

    @Test("A tag after the tables makes the end of the track exact, once it is read")
    func laterEnd() throws {
        let frames = 20_470_000
        let file = Self.hour(packets: 20_000) {
            $0.movieTimescale = 600
            $0.edits = [(duration: frames * 600 / 44100, time: 2112)]
            $0.userData = BoxWriter.udta(
                BoxWriter.comment(
                    "iTunSMPB", " 00000000 00000840 000001C0 \(String(frames, radix: 16, uppercase: true)) 00000000"))
        }
        let tracks = MP4Driver.outcome(MP4Parser(), file.bytes).tracks
        #expect(tracks.count == 2)
        #expect(tracks.map(\.start) == [2112, 2112])
        #expect(abs(try #require(tracks.first?.end) - Int64(frames + 2112)) <= 74)
        #expect(tracks.last?.end == Int64(frames + 2112))
        #expect(tracks.last?.ordinal == 0)
    }
}
