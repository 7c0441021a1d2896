// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Media
import Testing

@Suite("ID3v2Metadata")
struct ID3v2MetadataTests {
    /// Returns a tag with the given frames.
    static func tag(_ version: UInt8, flags: UInt8 = 0, _ body: [UInt8], claimed: Int? = nil) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags] + number(claimed ?? body.count, bits: 7) + body
    }

    static func frame(_ version: UInt8, _ name: String, _ body: [UInt8], flags: [UInt8] = [0, 0]) -> [UInt8] {
        switch version {
        case 2: Array(name.utf8) + number(body.count, bits: 8).suffix(3) + body
        default: Array(name.utf8) + number(body.count, bits: version == 4 ? 7 : 8) + flags + body
        }
    }

    static func number(_ value: Int, bits: Int) -> [UInt8] {
        stride(from: 3 * bits, through: 0, by: -bits).map { UInt8(value >> $0 & (1 << bits - 1)) }
    }

    static func big(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
    static func little(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }

    static let texts: [(String, [UInt8], String?)] = [
        ("Latin-1", [0, 0x54, 0xE4, 0x74], "Tät"),
        ("Latin-1, terminated", [0] + Array("Title".utf8) + [0], "Title"),
        ("blanks around it", [0] + Array("  Title \0".utf8), "Title"),
        ("several values", [3] + Array("One\0Two".utf8), "One"),
        ("the first value is empty", [3] + Array("\0Two".utf8), "Two"),
        ("UTF-16, little-endian mark", [1, 0xFF, 0xFE] + little("Tät𝄞"), "Tät𝄞"),
        ("UTF-16, big-endian mark", [1, 0xFE, 0xFF] + big("Tät𝄞"), "Tät𝄞"),
        ("UTF-16 without a byte order mark", [1] + big("Tät"), "Tät"),
        ("UTF-16BE", [2] + big("Tät") + [0, 0], "Tät"),
        ("UTF-16 with an odd byte", [1, 0xFF, 0xFE] + little("Tät") + [0x41], "Tät"),
        ("half a surrogate pair", [1, 0xFF, 0xFE] + little("A") + [0x00, 0xD8], "A\u{FFFD}"),
        ("UTF-8", [3] + Array("Tät𝄞".utf8), "Tät𝄞"),
        ("truncated UTF-8", [3, 0x41, 0xC3], "A\u{FFFD}"),
        ("unknown encoding", [4] + Array("Title".utf8), nil),
        ("no text", [3], nil), ("empty body", [], nil), ("only zeros", [1, 0, 0, 0, 0], nil),
    ]

    @Test("A text is decoded in each encoding", arguments: texts, [2, 3, 4] as [UInt8])
    func text(row: (name: String, body: [UInt8], expected: String?), version: UInt8) {
        let frame = Self.frame(version, version == 2 ? "TT2" : "TIT2", row.body)
        #expect(ID3v2Metadata.read(Self.tag(version, frame)).title == row.expected, "\(row.name)")
    }

    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0x00, 0x11, 0xFF, 0x00]

    @Test("Title, artist, album and picture are read in every version", arguments: [2, 3, 4] as [UInt8])
    func all(version: UInt8) {
        let names = version == 2 ? ["TT2", "TP1", "TAL", "PIC"] : ["TIT2", "TPE1", "TALB", "APIC"]
        let kind = version == 2 ? Array("JPG".utf8) : Array("image/jpg".utf8) + [0]
        let texts = zip(names, ["One", "Two", "Three"]).flatMap { Self.frame(version, $0, [3] + Array($1.utf8)) }
        let described = [3, 0xFF, 0xFE] + Self.little("x") + [0, 0]
        let picture = Self.frame(version, names[3], [1] + kind + described + Self.jpeg)
        let other = Self.frame(version, version == 2 ? "COM" : "COMM", [0] + Array("engnote".utf8))
        let expected = AudioMetadata(
            title: "One", artist: "Two", album: "Three",
            artwork: AudioMetadata.Artwork(bytes: Self.jpeg, mimeType: "image/jpeg"))
        let tag = Self.tag(version, texts + other + picture + [UInt8](repeating: 0, count: 30))
        #expect(ID3v2Metadata.read(tag) == expected)
        #expect(ID3v2Metadata.tagLength(header: tag) == tag.count)
    }

    @Test("The front cover takes precedence over other pictures, and a link is not a picture")
    func pictures() {
        func picture(_ use: UInt8, _ kind: String, _ bytes: [UInt8]) -> [UInt8] {
            Self.frame(4, "APIC", [0] + Array(kind.utf8) + [0, use, 0] + bytes)
        }
        let icon = picture(1, "image/png", [1, 2])
        let cover = picture(3, "image/x", [3, 4])
        let link = picture(3, "-->", Array("http://x".utf8))
        let read = { ID3v2Metadata.read(Self.tag(4, $0)).artwork }
        #expect(read(icon + link + cover)?.bytes == [3, 4])
        #expect(read(cover + icon)?.bytes == [3, 4])
        #expect(read(icon + link) == AudioMetadata.Artwork(bytes: [1, 2], mimeType: "image/png"))
        #expect(read(link) == nil)
        #expect(read(picture(3, "image/png", [])) == nil)
    }

    @Test("Unsynchronisation is removed, in the whole tag or in a frame")
    func unsynchronisation() {
        let body: [UInt8] = [0] + Array("image/jpeg".utf8) + [0, 3, 0]
        let stuffed = Self.jpeg.flatMap { $0 == 0xFF ? [$0, 0] : [$0] }
        let whole = Self.frame(3, "APIC", body + Self.jpeg).flatMap { $0 == 0xFF ? [$0, 0] : [$0] }
        let length = Self.number(body.count + Self.jpeg.count, bits: 7)
        let framed = Self.frame(4, "APIC", length + body + stuffed, flags: [0, 0x03])
        #expect(ID3v2Metadata.read(Self.tag(3, flags: 0x80, whole)).artwork?.bytes == Self.jpeg)
        #expect(ID3v2Metadata.read(Self.tag(4, flags: 0x80, framed)).artwork?.bytes == Self.jpeg)
    }

    @Test("Plain sizes in a 2.4 tag are accepted")
    func plainSizes() {
        let long = [3] + [UInt8](repeating: 0x61, count: 300)
        let frame = Array("TALB".utf8) + Self.number(long.count, bits: 8) + [0, 0] + long
        let next = Self.frame(4, "TIT2", [3] + Array("Title".utf8))
        #expect(ID3v2Metadata.read(Self.tag(4, frame + next)).title == "Title")
        #expect(ID3v2Metadata.read(Self.tag(4, frame)).album?.count == 300)
    }

    @Test("An extended header is skipped", arguments: [3, 4] as [UInt8])
    func extendedHeader(version: UInt8) {
        let header: [UInt8] = version == 3 ? [0, 0, 0, 6, 0, 0, 0, 0, 0, 0] : [0, 0, 0, 6, 1, 0]
        let frame = Self.frame(version, "TIT2", [3] + Array("Title".utf8))
        #expect(ID3v2Metadata.read(Self.tag(version, flags: 0x40, header + frame)).title == "Title")
    }

    @Test("Compressed and encrypted frames are skipped")
    func packed() {
        let title = [UInt8](3...3) + Array("No".utf8)
        let next = Self.frame(4, "TPE1", [3] + Array("Yes".utf8))
        for flags in [[0, 0x08], [0, 0x04]] as [[UInt8]] {
            let read = ID3v2Metadata.read(Self.tag(4, Self.frame(4, "TIT2", title, flags: flags) + next))
            #expect(read == AudioMetadata(artist: "Yes"))
        }
    }

    @Test("A truncated or damaged tag neither traps nor takes long")
    func damage() {
        let tag = Self.tag(4, Self.frame(4, "TIT2", [1, 0xFF, 0xFE] + Self.little("Title"))
            + Self.frame(4, "APIC", [0] + Array("image/png".utf8) + [0, 3, 0, 1, 2, 3]))
        for end in 0..<tag.count { _ = ID3v2Metadata.read(Array(tag[..<end])) }
        var random = SeededGenerator(seed: 11)
        for _ in 0..<3000 {
            var bytes = tag
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 3..<tag.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = ID3v2Metadata.read(bytes)
        }
        #expect(ID3v2Metadata.read(Array(tag.dropLast())).title == "Title")
        #expect(ID3v2Metadata.read(Array(tag.dropLast())).artwork == nil)
    }

    @Test("ID3v1 is read if it is complete")
    func version1() {
        func field(_ text: String) -> [UInt8] { Array(text.utf8) + [UInt8](repeating: 0, count: 30 - text.utf8.count) }
        let tag = Array("TAG".utf8) + field("Title") + field("Artist ") + field("") + [UInt8](repeating: 0, count: 35)
        #expect(ID3v1Metadata.read(tag) == AudioMetadata(title: "Title", artist: "Artist"))
        #expect(ID3v1Metadata.read(Array(tag.dropLast())).isEmpty)
        #expect(ID3v1Metadata.read([UInt8](repeating: 0, count: 128)).isEmpty)
    }
}
