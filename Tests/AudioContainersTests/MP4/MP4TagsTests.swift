// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media
import Testing

@testable import CodecTestSupport

@Suite("MP4 tags")
struct MP4TagsTests {
    typealias Writer = BoxWriter
    private static let cover: [UInt8] = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 3000)

    private func outcome(_ purpose: MP4Parser.Purpose = .packets, _ change: (inout MP4Builder) -> Void)
        -> MP4Driver.Outcome
    {
        MP4Driver.outcome(MP4Parser(purpose), MP4Case("", change).bytes)
    }

    @Test("Title, artist, album and cover of iTunes are read", arguments: [MP4Parser.Purpose.packets, .tags])
    func iTunes(purpose: MP4Parser.Purpose) throws {
        let items =
            Writer.item("©nam", Array("Tïtle".utf8)) + Writer.item("©ART", kind: 2, [0, 65, 0, 0xFC])
            + Writer.item("©alb", Array("Album".utf8)) + Writer.item("covr", kind: 13, Self.cover)
            + Writer.item("©too", Array("encoder".utf8))
        let metadata = try #require(outcome(purpose) { $0.userData = Writer.udta(items) }.metadata)
        #expect(metadata.title == "Tïtle")
        #expect(metadata.artist == "Aü")
        #expect(metadata.album == "Album")
        #expect(metadata.artwork?.bytes == Self.cover)
        #expect(metadata.artwork?.mimeType == "image/jpeg")
    }

    @Test("QuickTime's texts and meta box without a version are read")
    func quickTime() throws {
        let text = Writer.u16(5) + Writer.u16(0) + Array("Title".utf8)
        let outcome = outcome {
            $0.userData = Writer.box("udta", Writer.box("©nam", text) + Writer.u32(0))
        }
        #expect(outcome.metadata?.title == "Title")
        let handler = Writer.full("hdlr", [UInt8](repeating: 0, count: 21))
        let meta = Writer.box("meta", handler + Writer.box("ilst", Writer.item("©alb", Array("Album".utf8))))
        let other = self.outcome { $0.userData = Writer.box("udta", meta) }
        #expect(other.metadata?.album == "Album")
    }

    @Test(
        "The items with names that QuickTime and FFmpeg write are read",
        arguments: [MP4Parser.Purpose.packets, .tags], ["", "com.apple.quicktime."])
    func namedItems(purpose: MP4Parser.Purpose, domain: String) {
        let items = Writer.namedItems([
            (domain + "comment", 1, Array("Comment".utf8)), (domain + "title", 1, Array("Tïtle".utf8)),
            (domain + "artist", 2, [0, 65, 0, 0xFC]), (domain + "album", 1, Array("Album".utf8)),
            (domain + "artwork", 13, Self.cover), ("replaygain_track_gain", 1, Array("-6.50 dB".utf8)),
        ])
        let expected = AudioMetadata(
            title: "Tïtle", artist: "Aü", album: "Album", artwork: .init(bytes: Self.cover, mimeType: "image/jpeg"))
        for box in [Writer.box("meta", items), Writer.box("udta", Writer.full("meta", items))] {
            let outcome = self.outcome(purpose) { $0.userData = box }
            #expect(outcome.metadata == expected)
            #expect(outcome.gain == TrackGain(decibels: -6.5, reference: .replayGain))
        }
    }

    @Test("Names and numbers that lie lead to no other tag")
    func lyingNames() {
        let bytes = Writer.namedItems([("title", 1, Array("Title".utf8))])
        // The list of the items follows the names; each has one entry.
        let list = bytes.count - Writer.box("ilst", Writer.item("abcd", Array("Title".utf8))).count
        let (name, number) = (list - 13, list + 12)
        let rows: [(place: Int, value: [UInt8], title: String?)] = [
            (number, [0, 0, 0, 1], "Title"), (number, [0, 0, 0, 0], nil), (number, [0, 0, 0, 2], nil),
            (name, [0x7F, 0xFF, 0xFF, 0xFF], "Title"), (name, [0, 0, 0, 0], nil), (name, [0, 0, 0, 10], nil),
        ]
        for row in rows {
            var items = bytes
            items.replaceSubrange(row.place..<row.place + 4, with: row.value)
            let outcome = self.outcome { $0.userData = Writer.box("meta", items) }
            #expect(outcome.metadata?.title == row.title)
            #expect(outcome.failure == nil)
        }
    }

    @Test("Long items with other names are skipped without reading them")
    func otherItems() {
        let items = Writer.namedItems([
            ("lyrics", 1, [UInt8](repeating: 0x61, count: 60_000)), ("title", 1, Array("Title".utf8)),
        ])
        let outcome = self.outcome { $0.userData = Writer.box("meta", items) }
        #expect(outcome.metadata == AudioMetadata(title: "Title"))
        #expect(outcome.appended < 30_000)
    }

    @Test("The names of a metadata box do not apply to the next one")
    func otherNames() {
        let named = Writer.box("meta", Writer.namedItems([("album", 1, Array("Album".utf8))]))
        let bare = Writer.box("data", Writer.u32(1) + Writer.u32(0) + Array("Wrong".utf8))
        let numbered = Writer.u32(bare.count + 8) + Writer.u32(1) + bare
        let items = Writer.item("©nam", Array("Title".utf8)) + numbered
        let outcome = self.outcome { $0.userData = named + Writer.udta(items) }
        #expect(outcome.metadata == AudioMetadata(title: "Title", album: "Album"))
    }

    @Test("A parser of packets skips a cover of more than 64 KB; a parser of tags reads it")
    func largeCover() {
        let cover = [UInt8](repeating: 7, count: 200_000)
        let file = MP4Case("") { $0.userData = Writer.udta(Writer.item("covr", kind: 14, cover)) }
        let packets = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(packets.metadata == nil)
        #expect(packets.appended < 20_000)
        #expect(packets.payloads == file.payloads)
        let tags = MP4Driver.outcome(MP4Parser(.tags), file.bytes)
        #expect(tags.metadata?.artwork?.bytes == cover)
    }

    private func statedGain(_ items: [UInt8], _ purpose: MP4Parser.Purpose = .packets) -> TrackGain? {
        outcome(purpose) { $0.userData = Writer.udta(items) }.gain
    }

    @Test("The gain in the comments of iTunes is read", arguments: [MP4Parser.Purpose.packets, .tags, .gain])
    func gain(purpose: MP4Parser.Purpose) {
        let replayGain = Writer.comment("replaygain_track_gain", "-6.50 dB")
        #expect(statedGain(replayGain, purpose) == TrackGain(decibels: -6.5, reference: .replayGain))
        let r128 = Writer.comment("R128_TRACK_GAIN", "-512")
        #expect(statedGain(replayGain + r128, purpose) == TrackGain(decibels: -2, reference: .r128))
        #expect(statedGain(Writer.comment("replaygain_track_peak", "0.98"), purpose) == nil)
        #expect(statedGain(Writer.comment("REPLAYGAIN_TRACK_GAIN", "900 dB"), purpose) == nil)
    }

    @Test("A comment of more than 64 KB, and one whose boxes lie about their lengths, states no gain")
    func lyingComment() {
        let padding = String(repeating: " ", count: 70_000)
        #expect(statedGain(Writer.comment("REPLAYGAIN_TRACK_GAIN", "-6.50 dB" + padding)) == nil)
        let name: [UInt8] =
            Writer.u32(0x7FFF_FFFF) + Writer.type("name") + Writer.u32(0) + Array("REPLAYGAIN_TRACK_GAIN".utf8)
        let data: [UInt8] =
            Writer.u32(0x7FFF_FFFF) + Writer.type("data") + Writer.u32(1) + Writer.u32(0) + Array("-1 dB".utf8)
        #expect(statedGain(Writer.box("----", name + data)) == nil)
        #expect(statedGain(Writer.box("----", data + name)) == nil)
    }

    @Test("A chapter track does not disturb the packets")
    func chapterPackets() {
        let file = MP4Case("") { $0.chapters = [(20_000, Array("Eins".utf8)), (1_500, Array("Zwei".utf8))] }
        // The audio data follow the titles.
        #expect(MP4Driver.outcome(MP4Parser(), file.bytes).payloads == file.payloads)
    }
}
