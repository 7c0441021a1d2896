// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("FLAC: metadata and seek table")
struct FLACMetadataTests {
    @Test("Comments and the front cover are returned")
    func tags() {
        let image: [UInt8] = [0xFF, 0xD8, 0xFF] + .noise(900, 2)
        let other: [UInt8] = [0x89, 0x50, 0x4E, 0x47] + .noise(50, 1)
        let texts = ["TITLE=T", "artist=A", "ALBUM=B", "REPLAYGAIN_TRACK_GAIN=-7.25 dB"]
        let bytes = FLACWriter(blocks: [
            (6, CommentBlock.picture(other, use: 0)), (4, CommentBlock.bytes(texts.map { Array($0.utf8) })),
            (6, CommentBlock.picture(image)), (2, [1, 2, 3, 4]),
        ]).bytes
        let records = ContainerRun.records(bytes, FLACParser())
        let expected = AudioMetadata(
            title: "T", artist: "A", album: "B", artwork: .init(bytes: image, mimeType: "image/jpeg"))
        #expect(records.metadata == expected)
        #expect(records.map(\.event).contains(.gain(TrackGain(decibels: -7.25, reference: .replayGain))))
        #expect(records.packets.count == 41)
    }

    @Test("Padding and pictures that are too long are skipped without reading them", arguments: [1, 6] as [UInt8])
    func skipped(type: UInt8) {
        let bytes = FLACWriter(blocks: [(type, [UInt8](repeating: 1, count: 3 << 20))]).bytes
        var run = ContainerRun(bytes, FLACParser())
        run.run()
        #expect(run.records.packets.count == 41)
        #expect(run.readBytes < 64 << 10)
    }

    @Test("ID3v2 tags before the stream are skipped, also if they contain the name of its marker", arguments: 1...3)
    func tagsBefore(count: Int) {
        var tag = Tags.id3v2(100)
        tag.replaceSubrange(50..<54, with: "fLaC".utf8)
        let tags = Array(repeatElement(tag, count: count).joined())
        let records = ContainerRun.records(tags + FLACWriter().bytes, FLACParser())
        #expect(records.packets.count == 41)
        #expect(records.compactMap(\.garbage) == [])
    }

    @Test("The stream is found if the length of the tag before it is too large", arguments: [0, 1])
    func lyingTag(before: Int) {
        var lying = Tags.id3v2(100)
        lying[6] = 0x7F
        let tags = Array(repeatElement(Tags.id3v2(50), count: before).joined()) + lying
        #expect(ContainerRun.records(tags + FLACWriter().bytes, FLACParser()).packets.count == 41)
    }

    /// Returns a file with a seek point for every fourth frame, moved by some bytes.
    private static func seekable(_ error: Int = 0) -> (bytes: [UInt8], audioStart: Int, length: Int) {
        let writer = FLACWriter()
        let length = writer.packets[0].count
        let points = stride(from: 0, through: 40, by: 4).flatMap { number -> [UInt8] in
            UInt64(number * 192).bigEndianBytes + UInt64(max(0, number * length + error)).bigEndianBytes + [0, 192]
        }
        let placeholder = [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 0, count: 10)
        var file = writer
        file.blocks = [(3, points + placeholder), (1, [0, 0])]
        return (file.bytes, file.head.count, length)
    }

    @Test("A seek lands at the frame that holds the target", arguments: [0, 191, 192, 700, 5000, 7729] as [Int64])
    func seek(target: Int64) throws {
        let file = Self.seekable()
        var run = ContainerRun(file.bytes, FLACParser()) { 300 }
        run.run(packets: 1)
        let found = run.parser.seek(to: target)
        try #require(found)
        run.run(packets: 1)
        #expect(run.records.packets.first?.frame == target / 192 * 192)
        // A point is at most four frames before the target.
        let point = Int(target / 768) * 4 * file.length + file.audioStart
        #expect(run.parser.offset(ofFrame: target) == Int64(point))
        #expect(run.parser.frame(atOffset: Int64(point) + 5) == target / 768 * 768)
    }

    @Test("A seek table that lies does not lead past the target", arguments: [-300, 2000, 9000])
    func lyingTable(error: Int) throws {
        let file = Self.seekable(error)
        var run = ContainerRun(file.bytes, FLACParser())
        run.run(packets: 1)
        _ = run.parser.seek(to: 3000)
        run.run(packets: 1)
        #expect(run.records.packets.first?.frame == Int64(3000 / 192 * 192))
    }

    @Test("Without a seek table, a seek fails and changes nothing")
    func noTable() {
        var run = ContainerRun(FLACWriter().bytes, FLACParser())
        run.run(packets: 3)
        let found = run.parser.seek(to: 5000)
        #expect(!found)
        run.run(packets: 1)
        #expect(run.records.packets.first?.frame == Int64(3 * 192))
    }

    @Test("A table of many points is thinned out")
    func longTable() {
        var table = FLACSeekTable()
        for number in 0..<100_000 as Range<UInt64> {
            let point = (number * 4096).bigEndianBytes + (number * 9000).bigEndianBytes + [0x10, 0]
            table.add(point[...])
        }
        #expect(table.points.entries.count <= 4096)
        #expect(table.point(before: 4096 * 50_000).map { 4096 * 50_000 - $0.frame < 4096 * 64 } == true)
    }

    private static let otherBlock = Array("fLaC".utf8) + [4, 0, 0, 34] + [UInt8](repeating: 1, count: 60)
    private static let refusals: [([UInt8], String)] = [
        (Array("fLaC".utf8), "the FLAC header is truncated"), (otherBlock, "the FLAC header is damaged"),
        (FLACWriter().head, "the file ends before its sound"), (Array("RIFF".utf8), "no FLAC stream was found"),
    ]

    @Test("Damaged headers are refused", arguments: refusals)
    func refused(bytes: [UInt8], reason: String) {
        #expect(ContainerRun.records(bytes, FLACParser()).failures == [reason])
    }
}
