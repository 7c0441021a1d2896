// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("Ogg: Opus")
struct OggOpusTests {
    private func records(_ stream: OpusStream) -> [Record] { ContainerRun.records(stream.bytes, OggParser()) }

    @Test("Each configuration and number of frames has the duration of RFC 6716", arguments: 0..<32)
    func durations(configuration: Int) {
        for count in 1...48 {
            let frames = OpusStream.frames(configuration, count)
            let stream = OpusStream(packets: [(configuration, count)])
            let found = stream.packet(0).withUnsafeBytes { OpusPacketDuration.frames(of: $0) }
            // A packet has at most 120 ms.
            #expect(found == (frames <= 5760 ? frames : nil))
        }
        #expect([UInt8]().withUnsafeBytes { OpusPacketDuration.frames(of: $0) } == nil)
        #expect([3].withUnsafeBytes { OpusPacketDuration.frames(of: $0) } == nil)
        #expect([3, 0].withUnsafeBytes { OpusPacketDuration.frames(of: $0) } == nil)
    }

    @Test("The track states the pre-skip, the pre-roll of 3 seconds and the rate of 48 kHz")
    func track() throws {
        let track = try #require(records(OpusStream(preSkip: 3840)).tracks.first)
        #expect(track.start == 3840)
        #expect(track.end == nil)
        #expect(track.preRoll == 144_000)
        #expect(track.format == AudioFormat(sampleRate: 48000, channels: 2))
    }

    @Test("The last granule position trims the end; the track is returned again before the packets that it trims")
    func endTrim() throws {
        let records = records(OpusStream(endTrim: 700))
        let last = try #require(records.tracks.last)
        #expect(records.tracks.count == 2)
        #expect(last.end == Int64(60 * 960 - 700))
        let place = try #require(records.lastIndex { $0.track != nil })
        let frame = try #require(records[place...].packets.first?.frame)
        #expect(frame + 960 * 4 == 60 * 960)
        #expect(try #require(last.end) > frame)
    }

    @Test("A stream that was cut from a longer one is numbered from its own first packet")
    func cut() {
        let records = records(OpusStream(firstGranule: 9_000_000))
        #expect(records.packets.first?.frame == 0)
        #expect(records.packets.last?.frame == Int64(59 * 960))
        #expect(records.tracks.map(\.start) == [312])
    }

    @Test("The end of a stream whose granule positions count from a cut is trimmed only as the last one states")
    func countedFromCut() {
        let whole = records(OpusStream(firstGranule: -4800))
        #expect(whole.packets.count == 60)
        #expect(whole.tracks.map(\.end) == [nil])
        let trimmed = records(OpusStream(firstGranule: -4800, endTrim: 700))
        #expect(trimmed.tracks.map(\.end) == [nil, 60 * 960 - 700])
    }

    @Test(
        "A stream that counts the pre-skip late, but not at its end, is trimmed where that states it",
        arguments: [100, 250, 700] as [Int64])
    func latePreSkip(endTrim: Int64) {
        let records = records(OpusStream(firstGranule: -312, endTrim: endTrim - 312))
        #expect(records.packets.last?.frame == Int64(59 * 960))
        #expect(records.tracks.map(\.end) == [nil, 60 * 960 - endTrim])
    }

    @Test("That applies also if the pre-skip is longer than the first page", arguments: [1, 2])
    func latePreSkipOfSeveralPages(packetsPerPage: Int) {
        let stream = OpusStream(
            packets: Array(repeating: (16, 1), count: 60), packetsPerPage: packetsPerPage, firstGranule: -312,
            endTrim: 100 - 312)
        let records = records(stream)
        let expected: [Int64?] = (0..<60).map { Int64($0) * 120 }
        #expect(records.packets.map(\.frame) == expected)
        #expect(records.tracks.map(\.end) == [nil, 60 * 120 - 100])
    }

    @Test("A page shorter than its packets trims the end, if it is the only one")
    func onePage() {
        let records = records(OpusStream(packets: [(9, 1), (9, 1)], endTrim: 1000))
        #expect(records.packets.map(\.frame) == [0, 960])
        #expect(records.tracks.map(\.end) == [920])
    }

    @Test("Mapping family 1 has the loudspeakers of 5.1")
    func surround() {
        let records = records(OpusStream(channels: 6, family: 1))
        #expect(records.tracks.first?.format.layout == .surround51)
        #expect(records.packets.count == 60)
    }

    @Test("Tags yield the title, the cover, the chapters and the gain")
    func tags() {
        let image: [UInt8] = [0x89, 0x50, 0x4E, 0x47] + .noise(2000, 4)
        let picture = Array("metadata_block_picture=".utf8) + CommentBlock.base64(CommentBlock.picture(image))
        let texts = [
            "title=Über", "ARTIST=A", "Album= B ", "R128_TRACK_GAIN=-573", "REPLAYGAIN_TRACK_GAIN=-6.5 dB",
            "CHAPTER002=00:01:02.500", "CHAPTER001=00:00:00.000", "CHAPTER001NAME=One",
            "chapter001url=https://x.example/", "TITLE=second", "no separator",
        ]
        let records = records(OpusStream(comments: texts.map { Array($0.utf8) } + [picture]))
        let expected = AudioMetadata(
            title: "Über", artist: "A", album: "B", artwork: .init(bytes: image, mimeType: "image/png"))
        #expect(records.metadata == expected)
        #expect(records.map(\.event).contains(.gain(TrackGain(decibels: -573.0 / 256, reference: .r128))))
        let chapters = [
            Chapter(start: .zero, title: "One", url: "https://x.example/"), Chapter(start: .milliseconds(62_500)),
        ]
        #expect(records.map(\.event).contains(.chapters(ContainerChapters(ChapterList(.inFile, chapters)))))
    }

    @Test("A picture that is too long is skipped, and the tags after it are read")
    func longPicture() {
        let picture = Array("METADATA_BLOCK_PICTURE=".utf8) + [UInt8](repeating: 0x41, count: 3 << 20)
        let records = records(OpusStream(comments: [picture, Array("TITLE=after".utf8)]))
        #expect(records.metadata == AudioMetadata(title: "after"))
        #expect(records.packets.count == 60)
    }

    @Test("Packets that are not valid are reported as garbage, the others keep their numbers")
    func invalidPackets() {
        let valid = OpusStream().packet(0)
        var writer = OggWriter(serial: 1)
        writer.add(OpusStream().head, granule: 0)
        writer.flush()
        writer.add(Array("OpusTags".utf8) + CommentBlock.bytes([]), granule: 0)
        writer.flush()
        for packet in [valid, [], [0xFF, 0], valid] { writer.add(packet, granule: 1920) }
        writer.flush(isLast: true)
        let records = ContainerRun.records(writer.bytes, OggParser())
        #expect(records.packets.map(\.frame) == [0, 960])
        #expect(records.compactMap(\.garbage).map(\.count) == [2])
    }

    @Test(
        "Audio that Earshot does not play is named",
        arguments: [
            ("Speex   1.2", "this is Speex in Ogg, which Earshot cannot play"),
            ("\u{1}video", "the Ogg file contains no Opus, Vorbis or FLAC"),
        ])
    func refused(first: String, reason: String) {
        var writer = OggWriter(serial: 1)
        writer.add(Array(first.utf8), granule: 0)
        writer.flush()
        writer.add(.noise(100, 1), granule: 960)
        writer.flush()
        #expect(ContainerRun.records(writer.bytes, OggParser()).failures == [reason])
    }

    @Test("Ambisonics are refused by name")
    func ambisonics() {
        #expect(records(OpusStream(family: 2)).failures == ["Opus with ambisonics is not supported"])
    }
}
