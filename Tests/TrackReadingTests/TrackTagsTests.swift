// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import CodecTestSupport

@Suite("Tags of a track")
struct TrackTagsTests {
    /// An ID3v2 tag with a title, an artist, a gain and a cover.
    private static let tag: [UInt8] = {
        var tag = MP3Builder()
        tag.addID3v2(
            [
                MP3Builder.id3Frame("TIT2", [3] + Array("Title".utf8)),
                MP3Builder.id3Frame("TPE1", [3] + Array("Artist".utf8)),
                MP3Builder.id3Frame("TXXX", [3] + Array("REPLAYGAIN_TRACK_GAIN\0-6.50 dB".utf8)),
                MP3Builder.id3Frame("APIC", [0, 0, 3, 0] + cover),
            ].flatMap { $0 })
        return tag.bytes
    }()

    private static let cover: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1]
    private static let tagged = AudioMetadata(
        title: "Title", artist: "Artist", artwork: AudioMetadata.Artwork(bytes: cover, mimeType: "image/png"))
    private static let gain = TrackGain(decibels: -6.5, reference: .replayGain)

    private static let adts: [UInt8] = {
        var builder = ADTSBuilder()
        builder.addFrames(40)
        return builder.bytes
    }()

    @Test("An ID3v2 tag before ADTS is read, and of an incomplete one the frames that have arrived")
    func adtsTag() {
        let bytes = Self.tag + Self.adts
        #expect(TrackMetadata.read(MemoryByteSource(bytes)) == Self.tagged)
        #expect(TrackFormat.container(.adts).makeReader(MemoryByteSource(bytes)).statedGain == Self.gain)
        let source = MemoryByteSource(bytes, held: Self.tag.count - 1)
        #expect(TrackMetadata.read(source) == AudioMetadata(title: "Title", artist: "Artist"))
        #expect(TrackFormat.container(.adts).makeReader(source).statedGain == Self.gain)
        #expect(source.needs == [])
    }

    @Test("The chapters of an ID3v2 tag before ADTS are read")
    func adtsChapters() {
        let tag = MP3Builder.chapterTag([0, 500], titles: ["One", "Two"], end: 900)
        let chapters = TrackChapters.read(MemoryByteSource(tag + Self.adts))?.list?.chapters ?? []
        #expect(chapters.map(\.title) == ["One", "Two"])
        #expect(chapters.map(\.start) == [.zero, .milliseconds(500)])
    }

    @Test("An ID3v2 tag that declares more bytes than the file has states what it contains")
    func lyingTag() {
        var bytes = Self.tag + Self.adts
        bytes.replaceSubrange(6..<10, with: [0x7F, 0x7F, 0x7F, 0x7F])
        #expect(TrackMetadata.read(MemoryByteSource(bytes)) == Self.tagged)
    }

    @Test("An ID3v1 tag after ADTS completes the metadata")
    func adtsEnd() {
        let end = Array("TAG".utf8) + Array("Song".utf8) + [UInt8](repeating: 0, count: 121)
        #expect(TrackMetadata.read(MemoryByteSource(Self.adts + end)) == AudioMetadata(title: "Song"))
    }

    @Test("The gain of an MP4 file is found when its index has arrived, and no byte is requested for it")
    func movieGain() {
        var builder = MP4Builder(MP4Builder.payloads(200))
        builder.userData = BoxWriter.udta(BoxWriter.comment("replaygain_track_gain", "-6.50 dB"))
        let bytes = builder.build().bytes
        let source = MemoryByteSource(bytes, held: 500)
        let reader = TrackFormat.container(.mp4).makeReader(source)
        #expect(reader.statedGain == nil)
        source.release()
        #expect(reader.statedGain == TrackGain(decibels: -6.5, reference: .replayGain))
        #expect(source.needs == [])
    }

    @Test("The gain of an MP4 file is found without its cover")
    func gainAfterCover() {
        var builder = MP4Builder(MP4Builder.payloads(200))
        let cover = BoxWriter.item("covr", kind: 14, [UInt8](repeating: 7, count: 200_000))
        builder.userData = BoxWriter.udta(cover + BoxWriter.comment("replaygain_track_gain", "-6.50 dB"))
        let bytes = builder.build().bytes
        let source = MemoryByteSource(bytes, held: 8000)
        source.release(bytes.count - 40_000..<bytes.count)
        let reader = TrackFormat.container(.mp4).makeReader(source)
        #expect(reader.statedGain == Self.gain)
    }

    private static let list = Array("INFO".utf8) + WaveWriter.chunk("INAM", Array("Name".utf8))

    @Test("The tag in a chunk after the sound of a wave file is read", arguments: [WaveWriter.Kind.riff, .rf64, .aiff])
    func waveEnd(kind: WaveWriter.Kind) {
        let source = MemoryByteSource(WaveWriter(kind: kind, after: [("ID3 ", Self.tag)]).bytes)
        #expect(TrackMetadata.read(source) == Self.tagged)
        #expect(TrackFormat.container(.wave).makeReader(source).statedGain == Self.gain)
    }

    @Test("Of several gains in a wave file, the last one applies, before, while and after it is played",
        arguments: [false, true])
    func lastGain(isBeforeSound: Bool) {
        var tag = MP3Builder()
        tag.addID3v2(MP3Builder.id3Frame("TXXX", [3] + Array("REPLAYGAIN_TRACK_GAIN\0-2.00 dB".utf8)))
        let first = ("id3 ", tag.bytes)
        let after: [(String, [UInt8])] = (isBeforeSound ? [] : [first]) + [("ID3 ", Self.tag)]
        let bytes = WaveWriter(before: isBeforeSound ? [first] : [], after: after).bytes
        let reader = TrackFormat.container(.wave).makeReader(MemoryByteSource(bytes))
        #expect(reader.statedGain == Self.gain)
        _ = reader.read(enough: 1)
        #expect(reader.statedGain == Self.gain)
        _ = reader.read()
        #expect(reader.statedGain == Self.gain)
    }

    @Test("Of a wave file that is incomplete or truncated, the chunks after the sound that exist are read")
    func incompleteWave() {
        let bytes = WaveWriter(after: [("LIST", Self.list), ("id3 ", Self.tag)]).bytes
        let source = MemoryByteSource(bytes, held: 20_000)
        #expect(TrackMetadata.read(source).isEmpty)
        #expect(TrackFormat.container(.wave).makeReader(source).statedGain == nil)
        source.release(40_000..<bytes.count - 2)
        #expect(TrackMetadata.read(source) == AudioMetadata(title: "Name"))
        source.release()
        #expect(TrackMetadata.read(source) == Self.tagged)
        #expect(source.needs == [])
        let cut = Array(bytes.dropLast(2))
        #expect(TrackMetadata.read(MemoryByteSource(cut)) == AudioMetadata(title: "Name"))
        #expect(TrackMetadata.read(MemoryByteSource(Array(bytes.prefix(20_000)))).isEmpty)
    }

    @Test("A chunk after the sound that is longer than the file is not read", arguments: [60_000, .max] as [UInt32])
    func lyingChunk(length: UInt32) {
        let bytes = WaveWriter().bytes + WaveWriter.chunk("LIST", Self.list, length: length)
        #expect(TrackMetadata.read(MemoryByteSource(bytes)).isEmpty)
    }
}
