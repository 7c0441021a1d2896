// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("FLAC")
struct FLACParserTests {
    private func records(_ bytes: [UInt8]) -> [Record] { ContainerRun.records(bytes, FLACParser()) }

    @Test("Each frame is a packet with its own number", arguments: [false, true])
    func frames(isVariable: Bool) {
        let writer = FLACWriter(channels: 2, isVariable: isVariable)
        let records = records(writer.bytes)
        #expect(records.filter { $0.packet != nil }.map(\.payload) == writer.packets)
        #expect(records.packets.map(\.frames) == writer.sizes)
        #expect(records.tracks.first?.format == AudioFormat(sampleRate: 44100, channels: 2))
    }

    @Test(
        "Frame numbers of every length are read", arguments: [0, 0x7F, 0x80, 0x7FF, 0x800, 0x10000, 0x3FFFFFF, 1 << 30])
    func numbers(number: Int) {
        let frame = FLACWriter().frame(number: number, size: 192, seed: 1)
        guard case .found(let header) = FLACFrameHeader.parse(frame[...], isWhole: true) else {
            Issue.record("no header")
            return
        }
        #expect(header.number == Int64(number))
        #expect(header.blockSize == 192)
        #expect(header.length == 4 + FLACWriter.coded(number).count + 3)
    }

    struct CodeRow {
        let code: UInt8
        var rest: [UInt8] = []
        let size: Int
        let rate: Int
    }

    private static let codeRows: [CodeRow] = [
        CodeRow(code: 0x19, size: 192, rate: 44100), CodeRow(code: 0x2A, size: 576, rate: 48000),
        CodeRow(code: 0x5B, size: 4608, rate: 96000), CodeRow(code: 0x84, size: 256, rate: 8000),
        CodeRow(code: 0xF1, size: 32768, rate: 88200), CodeRow(code: 0x6C, rest: [63, 44], size: 64, rate: 44000),
        CodeRow(code: 0x7D, rest: [0x0F, 0xFF, 0x56, 0x22], size: 4096, rate: 22050),
        CodeRow(code: 0xCE, rest: [0x11, 0x3A], size: 4096, rate: 44100),
    ]

    @Test("Block sizes and sample rates are read by their codes", arguments: codeRows)
    func codes(row: CodeRow) {
        var header: [UInt8] = [0xFF, 0xF8, row.code, 0x18, 0] + row.rest
        header.append(FLACWriter.remainder(header, 0x07, 8).bytes[1])
        guard case .found(let found) = FLACFrameHeader.parse(header[...], isWhole: true) else {
            Issue.record("no header")
            return
        }
        #expect(found.blockSize == row.size)
        #expect(found.sampleRate == row.rate)
        header[header.count - 1] ^= 1
        guard case .absent = FLACFrameHeader.parse(header[...], isWhole: true) else {
            Issue.record("a header with a wrong checksum")
            return
        }
    }

    @Test("The length is declared, and exact at the end; without a declaration it is estimated")
    func length() {
        var run = ContainerRun(FLACWriter().bytes, FLACParser())
        run.run(packets: 1)
        #expect(run.parser.length == .declared(7730))
        run.run()
        #expect(run.parser.length == .exact(7730))
        let bytes = FLACWriter(frames: 192 * 200, statesTotal: false).bytes
        run = ContainerRun(bytes, FLACParser()) { 4000 }
        run.parser.totalLength = Int64(bytes.count)
        run.run(packets: 100)
        guard case .estimated(let frames) = run.parser.length else {
            Issue.record("\(run.parser.length)")
            return
        }
        #expect(abs(frames - 192 * 200) < 400)
    }

    @Test("A truncated last frame is garbage")
    func truncatedFrame() {
        let bytes = FLACWriter().bytes.dropLast(10)
        let records = records(Array(bytes))
        #expect(records.packets.count == 40)
        #expect(records.compactMap(\.garbage).map(\.upperBound) == [Int64(bytes.count)])
    }

    @Test("A damaged frame is garbage, and the next frames keep their numbers", arguments: [0, 1, 3, 20, 200, 394])
    func damagedFrame(place: Int) {
        let writer = FLACWriter()
        let length = writer.packets[0].count
        var bytes = writer.bytes
        let start = writer.head.count + 10 * length
        bytes[start + place] ^= 0x41
        let frames = records(bytes).packets.compactMap(\.frame)
        let expected = (0..<41).map { Int64($0 * 192) }
        #expect(frames == expected.filter { $0 != 10 * 192 })
    }

    @Test("A stream that was cut from a longer one is numbered from its own first frame")
    func cut() {
        let frames = records(FLACWriter(firstNumber: 1000).bytes).packets.map(\.frame)
        #expect(frames.first == 0)
        #expect(frames.last == Int64(192 * 40))
    }

    @Test("Zeros and tags after the last frame do not belong to it", arguments: [0, 1])
    func trailing(kind: Int) {
        let writer = FLACWriter()
        let end = kind == 0 ? [UInt8](repeating: 0, count: 5000) : Tags.id3v2(200) + Tags.id3v1
        let records = records(writer.bytes + end)
        #expect(records.last { $0.packet != nil }?.payload == writer.packets.last)
    }

    private static let unknownEnds: [[UInt8]] = [
        Array("LYRICSBEGININD0000200LYRICS200".utf8) + Tags.id3v1, Array("<p>The end</p>\n".utf8),
        [UInt8].noise(100, 5), [UInt8].noise(5000, 6),
    ]

    @Test("Unknown bytes after the last frame do not belong to it", arguments: unknownEnds)
    func unknownEnd(end: [UInt8]) {
        let writer = FLACWriter()
        let records = records(writer.bytes + end)
        #expect(records.filter { $0.packet != nil }.map(\.payload) == writer.packets)
    }

    @Test("A frame before unknown bytes or a damaged header is found inside the file", arguments: [false, true])
    func unknownBytesBetween(isHeaderDamaged: Bool) throws {
        let stream = try FLACEncoding(TestProgramme(sampleRate: 44100, channels: 1, seconds: 1), bits: 16)
        var packets = stream.packets.map(\.bytes)
        if isHeaderDamaged { packets[20][0] = 0xBE } else { packets[20] = Array("unknown bytes".utf8) + packets[20] }
        let bytes = FLACWriter().head(stream.info.bytes) + packets.joined()
        let found = records(bytes).packets.compactMap(\.frame)
        let expected = packets.indices.filter { $0 != 20 || !isHeaderDamaged }.map { Int64($0 * 1152) }
        #expect(found == expected)
    }

    @Test("The subframes of a frame lead to its end", arguments: [(1, 8, 0), (2, 16, 5), (2, 24, 8), (6, 12, 8)])
    func subframes(channels: Int, bits: Int, level: Int) throws {
        // Similar channels are stored as their difference.
        let samples = TestProgramme(sampleRate: 44100, channels: 1, seconds: 1).samples.flatMap { sample in
            (0..<channels).map { sample * (1 - Float($0) / 10) }
        }
        let programme = TestProgramme(sampleRate: 44100, channels: channels, samples: samples)
        let stream = try FLACEncoding(programme, bits: bits, level: level)
        for bytes in stream.packets.map(\.bytes) {
            let found = bytes.withUnsafeBytes { FLACFrameHeader.header(of: $0, in: stream.info) }
            let header = try #require(found)
            let longer = bytes + [UInt8].noise(500, 3)
            #expect(FLACSubframes.frameLength(header, in: longer[...], stream.info) == bytes.count)
            #expect(FLACSubframes.frameLength(header, in: bytes.dropLast(), stream.info) == nil)
        }
    }

    @Test("Frames are found if the length of a block is wrong", arguments: [0, 1, 3])
    func lyingBlock(byte: Int) {
        let writer = FLACWriter(blocks: [(1, [UInt8](repeating: 0, count: 300))])
        var bytes = writer.bytes
        bytes[4 + 38 + max(1, byte)] ^= 1
        #expect(records(bytes).packets.count >= 40)
    }

    @Test("False headers are searched in linear time", .timeLimit(.minutes(TimeLimit.factor)))
    func falseHeaders() {
        // Headers of the largest frames.
        var header: [UInt8] = [0xFF, 0xF8, 0x79, 0x08, 0, 0xFF, 0xFF]
        header.append(FLACWriter.remainder(header, 0x07, 8).bytes[1])
        let spam = Array(repeatElement(header, count: 40_000).joined())
        #expect(records(FLACWriter().bytes + spam).packets.count >= 40)
    }
}
