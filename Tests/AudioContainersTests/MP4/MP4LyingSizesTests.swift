// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("MP4 parser: sizes that lie")
struct MP4LyingSizesTests {
    typealias Writer = BoxWriter

    /// A file whose `moov` has one audio track with these tables, and 1000 bytes of data.
    private static func file(_ tables: [UInt8], edits: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
        let media =
            Writer.full("mdhd", Writer.u64(0) + Writer.u32(44100) + Writer.u32(0) + Writer.u32(0))
            + Writer.full("hdlr", Writer.u32(0) + Writer.type("soun") + [UInt8](repeating: 0, count: 13))
            + Writer.box("minf", Writer.box("stbl", tables))
        let header = Writer.full("tkhd", flags: 3, Writer.u64(0) + Writer.u32(1) + [UInt8](repeating: 0, count: 68))
        let movie = Writer.full(
            "mvhd", Writer.u64(0) + Writer.u32(1000) + [UInt8](repeating: 0, count: 80) + Writer.u32(2))
        return Writer.box("ftyp", Writer.type("M4A "))
            + Writer.box("moov", movie + Writer.box("trak", header + edits + Writer.box("mdia", media)) + after)
            + Writer.box("mdat", [UInt8](repeating: 0x0E, count: 1000))
    }

    private static let stsd = Writer.stsd(Writer.soundEntry("mp4a", Writer.esds([0x12, 0x10])))
    private static let stts = Writer.full("stts", Writer.u32(1) + Writer.u32(10) + Writer.u32(1024))
    private static let stsc = Writer.full("stsc", Writer.u32(1) + Writer.u32(1) + Writer.u32(10) + Writer.u32(1))
    private static let stsz = Writer.full(
        "stsz", Writer.u32(0) + Writer.u32(10) + (0..<10).flatMap { _ in Writer.u32(9) })
    private static let stco = Writer.full("stco", Writer.u32(1) + Writer.u32(500))
    private static let large = 0x7FFF_FFFF

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        /// The number of packets that the file may return.
        let packets: ClosedRange<Int>
    }

    private static func lie(_ name: String, _ packets: ClosedRange<Int>, _ bytes: [UInt8]) -> Case {
        Case(testDescription: name, bytes: bytes, packets: packets)
    }

    static let tableCases: [Case] = [
        lie("the honest file", 10...10, file(stsd + stts + stsc + stsz + stco)),
        lie(
            "stsz with a count of 2³¹", 10...10,
            file(stsd + stts + stsc + Writer.full("stsz", Writer.u32(0) + Writer.u32(large) + stsz.suffix(40)) + stco)),
        lie(
            "stsz with 2³¹ samples of one byte", 0...0,
            file(stsd + stts + stsc + Writer.full("stsz", Writer.u32(1) + Writer.u32(large)) + stco)),
        lie(
            "stsz with 2³¹ samples of nine bytes", 0...0,
            file(stsd + stts + stsc + Writer.full("stsz", Writer.u32(9) + Writer.u32(large)) + stco)),
        lie(
            "stsz with sizes of 4 GB", 0...10,
            file(
                stsd + stts + stsc
                    + Writer.full(
                        "stsz", stsz.suffix(44).prefix(4) + Writer.u32(10) + [UInt8](repeating: 0xFF, count: 40)) + stco
            )),
        lie(
            "stco beyond the file", 0...0,
            file(stsd + stts + stsc + stsz + Writer.full("stco", Writer.u32(1) + Writer.u32(large)))),
        lie(
            "co64 with offsets of 2⁶³", 0...0,
            file(stsd + stts + stsc + stsz + Writer.full("co64", Writer.u32(1) + [UInt8](repeating: 0xFF, count: 8)))),
        lie(
            "stco with a count of 2³¹", 10...10,
            file(stsd + stts + stsc + stsz + Writer.full("stco", Writer.u32(large) + Writer.u32(500)))),
        lie("stco without entries", 0...0, file(stsd + stts + stsc + stsz + Writer.full("stco", Writer.u32(0)))),
        lie(
            "stsc with no samples per chunk", 0...0,
            file(
                stsd + stts + Writer.full("stsc", Writer.u32(1) + Writer.u32(1) + Writer.u32(0) + Writer.u32(1)) + stsz
                    + stco)),
        lie(
            "stsc that goes back", 0...10,
            file(
                stsd + stts
                    + Writer.full(
                        "stsc", Writer.u32(3) + [5, 1, 2].flatMap { Writer.u32($0) + Writer.u32(2) + Writer.u32(1) })
                    + stsz + stco)),
        lie("stsc without entries", 0...0, file(stsd + stts + Writer.full("stsc", Writer.u32(0)) + stsz + stco)),
        lie("no stsc", 0...0, file(stsd + stts + stsz + stco)),
        lie("no stsd", 0...0, file(stts + stsc + stsz + stco)),
        lie(
            "stts with a million empty entries", 0...10,
            file(
                Writer.stsd(
                    Writer.soundEntry("Opus", Writer.box("dOps", [0, 2, 1, 56] + Writer.u32(48000) + [0, 0, 0])))
                    + Writer.full("stts", Writer.u32(large) + [UInt8](repeating: 0, count: 800_000)) + stsc + stsz
                    + stco)),
        lie(
            "stts with durations of 2³²", 0...10,
            file(
                Writer.stsd(
                    Writer.soundEntry("Opus", Writer.box("dOps", [0, 2, 1, 56] + Writer.u32(48000) + [0, 0, 0])))
                    + Writer.full("stts", Writer.u32(1) + [UInt8](repeating: 0xFF, count: 8)) + stsc + stsz + stco)),
        lie(
            "elst with a count of 2³¹", 10...10,
            file(
                stsd + stts + stsc + stsz + stco,
                edits: Writer.box(
                    "edts", Writer.full("elst", Writer.u32(large) + Writer.u32(0) + Writer.u32(0) + Writer.u32(0))))),
        lie(
            "elst beyond the track", 10...10,
            file(
                stsd + stts + stsc + stsz + stco,
                edits: Writer.box(
                    "edts",
                    Writer.full("elst", version: 1, Writer.u32(1) + Writer.u64(.max) + Writer.u64(.max) + Writer.u32(0))
                ))),
    ]

    static let boxCases: [Case] = [
        lie(
            "moov of 2⁶³ bytes", 0...0,
            Writer.box("ftyp", []) + Writer.u32(1) + Writer.type("moov") + Writer.u64(.max)
                + [UInt8](repeating: 0, count: 64)),
        lie(
            "mdat of 2⁶³ bytes before moov", 0...0,
            Writer.box("ftyp", []) + Writer.u32(1) + Writer.type("mdat") + Writer.u64(.max)
                + [UInt8](repeating: 0, count: 64)),
        lie(
            "10,000 nested boxes", 0...0,
            Writer.box("ftyp", [])
                + Writer.box(
                    "moov",
                    (0..<10_000).flatMap { Writer.u32(80_000 - 8 * $0) + Writer.type($0 % 2 == 0 ? "trak" : "mdia") })),
        lie(
            "100,000 empty boxes in moov", 0...0,
            Writer.box("ftyp", []) + Writer.box("moov", (0..<100_000).flatMap { _ in Writer.box("free", []) })),
        lie("100,000 empty boxes", 0...0, (0..<100_000).flatMap { _ in Writer.box("free", []) }),
        lie(
            "boxes of size 0 in moov", 0...0,
            Writer.box("ftyp", [])
                + Writer.box("moov", (0..<100).flatMap { _ in Writer.u32(0) + Writer.type("trak") })),
        lie(
            "moov in moov", 0...0,
            Writer.box("ftyp", []) + Writer.box("moov", Writer.box("moov", Writer.box("moov", [])))),
        lie("an empty file", 0...0, []),
        lie("text", 0...0, Array("This is a text and not a box, although it begins with letters.".utf8)),
        lie("zeros", 0...0, [UInt8](repeating: 0, count: 10_000)),
    ]

    private static func fragments(_ run: [UInt8], header: [UInt8] = Writer.full("tfhd", flags: 0x20000, Writer.u32(1)))
        -> [UInt8]
    {
        FragmentBuilder([]).start
            + Writer.box("moof", Writer.full("mfhd", Writer.u32(1)) + Writer.box("traf", header + run))
            + Writer.box("mdat", [UInt8](repeating: 0x0E, count: 1000))
    }

    static let fragmentCases: [Case] = [
        lie(
            "trun with 2³² samples of no size", 0...0,
            fragments(
                Writer.full("trun", Writer.u32(0xFFFF_FFFF)),
                header: Writer.full("tfhd", flags: 0x20010, Writer.u32(1) + Writer.u32(0)))),
        lie(
            "trun with 2³² samples of one byte", 0...2000,
            fragments(
                Writer.full("trun", Writer.u32(0xFFFF_FFFF)),
                header: Writer.full("tfhd", flags: 0x20010, Writer.u32(1) + Writer.u32(1)))),
        lie(
            "trun with 2³² entries", 0...3,
            fragments(Writer.full("trun", flags: 0x200, Writer.u32(0xFFFF_FFFF) + Writer.u32(9) + Writer.u32(9)))),
        lie(
            "trun with data before the file", 0...10,
            fragments(
                Writer.full(
                    "trun", flags: 0x201, Writer.u32(2) + Writer.u32(0x8000_0000) + Writer.u32(9) + Writer.u32(9)))),
        lie(
            "base data offset of 2⁶⁴", 0...0,
            fragments(
                Writer.full("trun", flags: 0x200, Writer.u32(1) + Writer.u32(9)),
                header: Writer.full("tfhd", flags: 1, Writer.u32(1) + [UInt8](repeating: 0xFF, count: 8)))),
        lie(
            "tfdt of 2⁶⁴", 0...1,
            fragments(
                Writer.full("tfdt", version: 1, [UInt8](repeating: 0xFF, count: 8))
                    + Writer.full("trun", flags: 0x200, Writer.u32(1) + Writer.u32(9)))),
        lie(
            "sidx with offsets of 2⁶⁴", 0...0,
            FragmentBuilder([]).start
                + Writer.full(
                    "sidx", version: 1,
                    Writer.u32(1) + Writer.u32(1) + [UInt8](repeating: 0xFF, count: 16) + Writer.u32(0xFFFF))),
        lie(
            "20,000 runs", 0...20_000,
            fragments((0..<20_000).flatMap { _ in Writer.full("trun", flags: 0x200, Writer.u32(1) + Writer.u32(1)) })),
        lie(
            "moof in moof", 0...0,
            FragmentBuilder([]).start + Writer.box("moof", Writer.box("moof", Writer.box("moof", [])))),
    ]

    @Test("A file that lies costs at most a few reads of it", arguments: tableCases + boxCases + fragmentCases)
    func bounded(file: Case) {
        let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(file.packets.contains(outcome.packets.count), "\(outcome.packets.count)")
        #expect(outcome.packets.isEmpty == (outcome.failure != nil))
        #expect(outcome.appended <= 4 * file.bytes.count + 4096)
        #expect(outcome.largestLimit <= 96 << 10)
        let tags = MP4Driver.outcome(MP4Parser(.tags), file.bytes)
        #expect(tags.appended <= 4 * file.bytes.count + 4096)
    }

    @Test("A seek in a file that lies costs at most a few reads of it", arguments: tableCases + fragmentCases)
    func boundedSeek(file: Case) {
        let frames: [Int64] = [5000, .max / 2]
        for frame in LongTests.size(frames, inFull: frames + [0, 9 * 1024, 1 << 20, 1 << 40]) {
            var driver = MP4Driver(MP4Parser(), file.bytes)
            driver.run(packets: 1)
            _ = driver.parser.seek(to: frame)
            driver.run()
            driver.parser.synchronize(from: frame)
            driver.run()
            #expect(driver.outcome.appended <= 6 * file.bytes.count + 4096)
        }
    }
}
