// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("WAV and AIFF")
struct WAVParserTests {
    private func records(_ bytes: [UInt8]) -> [Record] { ContainerRun.records(bytes, WAVParser()) }

    @Test("Every kind of file yields its sound in blocks of 4096 frames", arguments: WaveWriter.Kind.allCases)
    func kinds(kind: WaveWriter.Kind) throws {
        let writer = WaveWriter(kind: kind)
        let records = records(writer.bytes)
        #expect(records.filter { $0.packet != nil }.flatMap(\.payload) == writer.sound)
        #expect(records.packets.map(\.frames) == [4096, 4096, 1808])
        let track = try #require(records.tracks.first)
        let order: ByteOrder = kind == .aiff ? .bigEndian : .littleEndian
        #expect(track.codec == .pcm(PCMEncoding(.int16, order)))
        #expect(track.format == AudioFormat(sampleRate: 44100, channels: 2))
    }

    @Test("The format of AIFF may follow its sound", arguments: [WaveWriter.Kind.aiff, .aiffC])
    func soundFirst(kind: WaveWriter.Kind) {
        let writer = WaveWriter(kind: kind, isSoundFirst: true, after: [("NAME", Array("N".utf8))])
        let records = records(writer.bytes)
        #expect(records.filter { $0.packet != nil }.flatMap(\.payload) == writer.sound)
        #expect(records.metadata == AudioMetadata(title: "N"))
        #expect(records.failures == [])
    }

    struct EncodingRow {
        let tag: Int
        let bytes: Int
        let sample: PCMEncoding.Sample
    }

    private static let encodingRows: [EncodingRow] = [
        EncodingRow(tag: 1, bytes: 1, sample: .unsigned8), EncodingRow(tag: 1, bytes: 2, sample: .int16),
        EncodingRow(tag: 1, bytes: 3, sample: .int24), EncodingRow(tag: 1, bytes: 4, sample: .int32),
        EncodingRow(tag: 3, bytes: 4, sample: .float32), EncodingRow(tag: 3, bytes: 8, sample: .float64),
        EncodingRow(tag: 6, bytes: 1, sample: .aLaw), EncodingRow(tag: 7, bytes: 1, sample: .muLaw),
    ]

    @Test("Every encoding is named", arguments: encodingRows, [WaveWriter.Kind.riff, .extensible])
    func encodings(row: EncodingRow, kind: WaveWriter.Kind) {
        let writer = WaveWriter(kind: kind, tag: row.tag, bytesPerSample: row.bytes, frames: 100)
        let records = records(writer.bytes)
        #expect(records.tracks.map(\.codec) == [.pcm(PCMEncoding(row.sample))])
        #expect(records.packets.map(\.frames) == [100])
    }

    @Test("Samples that do not fit into the stated frame have their own size if the byte rate confirms it")
    func wrongFrameLength() {
        var bytes = WaveWriter(frames: 100).bytes
        bytes[32] = 2
        #expect(records(bytes).tracks.map(\.codec) == [.pcm(PCMEncoding(.int16))])
        #expect(records(bytes).packets.map(\.frames) == [100])
        bytes[28] = 0
        #expect(records(bytes).tracks.map(\.codec) == [.pcm(PCMEncoding(.unsigned8))])
    }

    @Test("The loudspeakers of WAVE_FORMAT_EXTENSIBLE are those of its mask")
    func mask() {
        let writer = WaveWriter(kind: .extensible, channels: 6, frames: 10)
        #expect(records(writer.bytes).tracks.first?.format.layout == .surround51)
    }

    @Test("A length of 0 or of all ones means: up to the end of the file", arguments: [0, .max] as [UInt32])
    func unknownLength(length: UInt32) {
        let writer = WaveWriter(declaredLength: length)
        #expect(records(writer.bytes).packets.map(\.frames) == [4096, 4096, 1808])
        var run = ContainerRun(writer.bytes, WAVParser())
        run.parser.totalLength = Int64(writer.bytes.count)
        run.run(packets: 1)
        #expect(run.parser.length == .declared(10_000))
    }

    @Test("An empty chunk before the sound is skipped")
    func emptyBefore() {
        let writer = WaveWriter(frames: 100, before: [("data", [])])
        #expect(records(writer.bytes).packets.map(\.frames) == [100])
    }

    @Test("The chunk after an empty one is the sound also if its length is unknown or wrong",
        arguments: [.max, 3_000_000_000] as [UInt32])
    func soundAfterEmpty(length: UInt32) {
        let writer = WaveWriter(frames: 100)
        let sound = WaveWriter.chunk("data", writer.sound, length: length)
        let body =
            Array("WAVE".utf8) + WaveWriter.chunk("fmt ", writer.format) + WaveWriter.chunk("data", []) + sound
        let records = records(WaveWriter.chunk("RIFF", body))
        #expect(records.filter { $0.packet != nil }.flatMap(\.payload) == writer.sound)
    }

    @Test("A length of 0 before other chunks means: no sound")
    func empty() {
        let writer = WaveWriter(frames: 0, after: [("LIST", Array("INFO".utf8))])
        #expect(records(writer.bytes).packets == [])
    }

    @Test("A length of 0 before bytes that are not a chunk is wrong, also if the length of the file is right")
    func wrongEmpty() {
        let writer = WaveWriter()
        var bytes = writer.bytes
        bytes.replaceSubrange(40..<44, with: [0, 0, 0, 0])
        let records = records(bytes)
        #expect(records.filter { $0.packet != nil }.flatMap(\.payload) == writer.sound)
    }

    @Test("A length beyond the end of the file yields what exists")
    func tooLong() {
        let writer = WaveWriter(declaredLength: 3_000_000_000)
        var run = ContainerRun(writer.bytes, WAVParser())
        run.run()
        #expect(run.records.packets.map(\.frames) == [4096, 4096, 1808])
        #expect(run.parser.length == .exact(10_000))
    }

    @Test(
        "The stated number of frames is that of the header, unless a program that writes to a pipe made it up",
        arguments: [(40_000, 10_000), (400_000, 100_000), (0x7FFF_F000, nil), (0xFFFF_FFFF, nil)] as [(UInt32, Int64?)])
    func stated(length: UInt32, frames: Int64?) {
        var run = ContainerRun(WaveWriter(declaredLength: length).bytes, WAVParser())
        run.run()
        #expect(run.parser.statedFrames == frames && run.parser.length == .exact(10_000))
    }

    @Test("Chunks of odd length are padded; text is read before and after the sound")
    func tags() {
        let list =
            Array("INFO".utf8) + WaveWriter.chunk("INAM", Array("Tïtle\0".utf8))
            + WaveWriter.chunk("IART", [0x4A, 0xF6, 0x67])
        let writer = WaveWriter(
            before: [("junk", [1, 2, 3]), ("LIST", list)],
            after: [("LIST", Array("INFO".utf8) + WaveWriter.chunk("IPRD", Array("Album".utf8)))])
        let records = records(writer.bytes)
        #expect(records.metadata == AudioMetadata(title: "Tïtle", artist: "Jög", album: "Album"))
        #expect(records.packets.count == 3)
    }

    @Test("An ID3 chunk and AIFF's text chunks are read")
    func otherTags() {
        let title = Array("TIT2".utf8) + [0, 0, 0, 5, 0, 0, 3] + Array("Song".utf8)
        let text = [3] + Array("REPLAYGAIN_TRACK_GAIN\0-2 dB".utf8)
        let frames: [UInt8] = title + Array("TXXX".utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frames.count)] + frames
        let gain = TrackGain(decibels: -2, reference: .replayGain)
        #expect(records(WaveWriter(after: [("id3 ", tag)]).bytes).metadata.title == "Song")
        #expect(records(WaveWriter(after: [("id3 ", tag)]).bytes).map(\.event).contains(.gain(gain)))
        let writer = WaveWriter(kind: .aiff, before: [("NAME", Array("N".utf8)), ("AUTH", Array("Who".utf8))])
        #expect(records(writer.bytes).metadata == AudioMetadata(title: "N", artist: "Who"))
    }

    @Test("A jump to the end leads to the chunks after the sound", arguments: [WaveWriter.Kind.riff, .rf64, .aiff])
    func jumpToEnd(kind: WaveWriter.Kind) {
        var writer = WaveWriter(kind: kind, frames: 100_000)
        let list = Array("INFO".utf8) + WaveWriter.chunk("INAM", Array("Title".utf8))
        writer.after = kind == .aiff ? [("NAME", Array("Title".utf8))] : [("LIST", list)]
        var run = ContainerRun(writer.bytes, WAVParser())
        run.run(packets: 0)
        #expect(run.records.tracks.count == 1)
        run.parser.synchronize(from: .max)
        run.run()
        #expect(run.records.packets == [])
        #expect(run.records.metadata == AudioMetadata(title: "Title"))
        #expect(run.readBytes < 20_000)
    }

    @Test("Long chunks before the sound are skipped without reading them")
    func skipped() {
        let writer = WaveWriter(before: [("junk", [UInt8](repeating: 0, count: 3 << 20))])
        var run = ContainerRun(writer.bytes, WAVParser())
        run.run()
        #expect(run.records.packets.count == 3)
        #expect(run.readBytes < 100_000)
    }

    @Test("A seek lands at the block that holds the frame", arguments: [0, 1, 4095, 4096, 9999] as [Int64])
    func seek(frame: Int64) {
        let writer = WaveWriter()
        var run = ContainerRun(writer.bytes, WAVParser())
        run.run(packets: 1)
        let found = run.parser.seek(to: frame)
        #expect(found)
        run.run(packets: 1)
        #expect(run.records.packets.first?.frame == frame / 4096 * 4096)
        #expect(run.parser.offset(ofFrame: frame) == 44 + 4 * frame)
        #expect(run.parser.frame(atOffset: 44 + 4 * frame + 3) == frame)
    }

    @Test("A seek beyond the end fails")
    func seekTooFar() {
        var run = ContainerRun(WaveWriter().bytes, WAVParser())
        run.run(packets: 1)
        let found = run.parser.seek(to: 10_000)
        #expect(!found)
        run.run(packets: 1)
        #expect(run.records.packets.first?.frame == Int64(4096))
    }

    @Test("A seek beyond the end of a file without a length does not change the length")
    func seekBeyondUnknown() {
        var run = ContainerRun(WaveWriter(declaredLength: 0).bytes, WAVParser())
        run.run(packets: 1)
        let found = run.parser.seek(to: 50_000)
        #expect(found)
        run.run()
        #expect(run.records.packets == [])
        #expect(run.parser.length == .unknown)
    }

    @Test("MPEG audio in WAV is left to the parser for MP3", arguments: [0x50, 0x55])
    func mpeg(tag: Int) throws {
        let bytes = WaveWriter(tag: tag).bytes
        #expect(!WAVParser.recognizes(bytes))
        #expect(WAVParser.recognizes(WaveWriter().bytes))
        var parser = WAVParser()
        bytes.withUnsafeBytes { parser.append(UnsafeRawBufferPointer(rebasing: $0[..<200])) }
        guard case .failed = parser.next() else {
            Issue.record("not refused")
            return
        }
        #expect(parser.containsMPEG)
    }

    private static let zeros = [UInt8](repeating: 0, count: 40)
    private static let refusals: [([UInt8], String)] = [
        (WaveWriter(tag: 0x11).bytes, "this is WAV with ADPCM, which Earshot cannot play"),
        (WaveWriter(bytesPerSample: 5).bytes, "this is WAV with samples of 40 bits, which Earshot cannot play"),
        (WaveWriter(sampleRate: 1).bytes, "a sample rate of 1 Hz is not supported"),
        (WaveWriter(sampleRate: 999).bytes, "a sample rate of 999 Hz is not supported"),
        (WaveWriter(channels: 0).bytes, "sound with 0 channels at 44100 Hz is not supported"),
        (Array(WaveWriter().bytes.prefix(11)), "this is not a wave file"),
        (Array(WaveWriter().bytes.prefix(41)), "the wave file ends before its sound"),
        (Array("RIFF\0\0\0\0WAVE".utf8) + zeros, "the wave file has no format"),
        (Array("RIFF\0\0\0\0AVI ".utf8) + zeros, "this is not a wave file"),
    ]

    @Test("Other encodings and damaged files are refused by name", arguments: refusals)
    func refused(bytes: [UInt8], reason: String) {
        #expect(records(bytes).failures == [reason])
    }
}
