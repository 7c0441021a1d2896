// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Media
import Testing

/// Writes the frames of chapters.
enum ChapterFrames {
    static let unused = 0xFFFF_FFFF

    static func chapter(
        _ version: UInt8, _ name: String, _ start: Int, _ end: Int, offsets: (Int, Int) = (unused, unused),
        flags: [UInt8] = [0, 0], _ frames: [UInt8] = []
    ) -> [UInt8] {
        let places = [start, end, offsets.0, offsets.1].flatMap { ID3v2MetadataTests.number($0, bits: 8) }
        return frame(version, "CHAP", Array(name.utf8) + [0] + places + frames, flags)
    }

    /// - Parameter flags: 2 for a top-level table, 1 for an ordered one.
    static func table(
        _ version: UInt8, _ name: String, flags: UInt8 = 3, count: Int? = nil, _ children: [String]
    ) -> [UInt8] {
        let list: [UInt8] = children.flatMap { child -> [UInt8] in Array(child.utf8) + [0] }
        let head: [UInt8] = Array(name.utf8) + [0, flags, UInt8(truncatingIfNeeded: count ?? children.count)]
        return frame(version, "CTOC", head + list + title(version, "Contents"))
    }

    static func title(_ version: UInt8, _ text: String) -> [UInt8] { frame(version, "TIT2", [3] + Array(text.utf8)) }

    static func link(_ version: UInt8, _ url: String) -> [UInt8] {
        frame(version, "WXXX", [3] + Array("chapter url".utf8) + [0] + Array(url.utf8))
    }

    static func picture(
        _ version: UInt8, _ type: String, _ bytes: [UInt8], flags: [UInt8] = [0, 0]
    ) -> [UInt8] {
        frame(version, "APIC", pictureHead(type) + bytes, flags)
    }

    static func pictureHead(_ type: String) -> [UInt8] {
        [1] + Array(type.utf8) + [0, 0, 0xFF, 0xFE, 0x78, 0] + [0, 0]
    }

    static func frame(_ version: UInt8, _ name: String, _ body: [UInt8], _ flags: [UInt8] = [0, 0]) -> [UInt8] {
        ID3v2MetadataTests.frame(version, name, body, flags: flags)
    }

    static func stuffed(_ bytes: [UInt8]) -> [UInt8] { bytes.flatMap { $0 == 0xFF ? [$0, 0] : [$0] } }

    static func list(_ version: UInt8, flags: UInt8 = 0, _ body: [UInt8]) -> [Chapter] {
        ID3v2Chapters(ID3v2MetadataTests.tag(version, flags: flags, body)).list().chapters
    }
}

@Suite("ID3v2Chapters")
struct ID3v2ChaptersTests {
    typealias Frames = ChapterFrames

    @Test("Times, title, URL and picture are read, in any order of the frames", arguments: [3, 4] as [UInt8])
    func all(version: UInt8) throws {
        let jpeg = ID3v2MetadataTests.jpeg
        let second = Frames.chapter(
            version, "b", 60_500, 90_000,
            Frames.picture(version, "image/x", jpeg) + Frames.link(version, "https://x.example/b")
                + Frames.title(version, "Zwei"))
        let first = Frames.chapter(version, "a", 0, 60_500, Frames.title(version, "Eins"))
        let tag = ID3v2MetadataTests.tag(
            version,
            Frames.title(version, "Show") + second + Frames.table(version, "toc", ["a", "b"]) + first)
        let list = ID3v2Chapters(tag, at: 1000).list().chapters
        try #require(list.count == 2)
        #expect(list[0] == Chapter(start: .zero, end: .milliseconds(60_500), title: "Eins"))
        #expect((list[1].start, list[1].end) == (.milliseconds(60_500), .seconds(90)))
        #expect((list[1].title, list[1].url) == ("Zwei", "https://x.example/b"))
        guard case .stored(let picture) = list[1].image else { return #expect(Bool(false), "no picture") }
        #expect(picture.mimeType == "image/jpeg" && !picture.isUnsynchronized)
        #expect(Array(tag[Int(picture.range.lowerBound) - 1000..<Int(picture.range.upperBound) - 1000]) == jpeg)
    }

    struct Contents: Sendable {
        let name: String
        let tables: [UInt8]
        let listed: [String]

        init(_ name: String, _ tables: [UInt8], _ listed: [String]) {
            (self.name, self.tables, self.listed) = (name, tables, listed)
        }
    }

    static let tables: [Contents] = [
        Contents("no table", [], ["a", "b", "c"]),
        Contents("all", Frames.table(4, "t", ["a", "b", "c"]), ["a", "b", "c"]),
        Contents("a hidden chapter", Frames.table(4, "t", ["a", "c"]), ["a", "c"]),
        Contents("not ordered", Frames.table(4, "t", flags: 2, ["c"]), ["c"]),
        Contents(
            "nested", Frames.table(4, "u", flags: 1, ["b"]) + Frames.table(4, "t", ["a", "u"]), ["a", "b"]),
        Contents(
            "nested, not reached", Frames.table(4, "t", ["a"]) + Frames.table(4, "u", flags: 1, ["b"]), ["a"]),
        Contents("a loop", Frames.table(4, "t", ["u"]) + Frames.table(4, "u", flags: 1, ["t", "a"]), ["a"]),
        Contents("a table that contains itself", Frames.table(4, "t", ["t", "b"]), ["b"]),
        Contents("no top level", Frames.table(4, "t", flags: 0, ["a"]), ["a"]),
        Contents("unknown names", Frames.table(4, "t", ["x"]), ["a", "b", "c"]),
        Contents("a table without children", Frames.table(4, "t", []), ["a", "b", "c"]),
        Contents("a count of 0 before children", Frames.table(4, "t", count: 0, ["a", "b"]), ["a", "b"]),
        Contents("a count that is too great", Frames.table(4, "t", count: 200, ["a"]), ["a"]),
        Contents("a cut table", Frames.frame(4, "CTOC", [0x74]), ["a", "b", "c"]),
    ]

    @Test("The chapters that a table of contents reaches are listed", arguments: tables)
    func listed(row: Contents) {
        let chapters = ["a", "b", "c"].enumerated().flatMap { index, name in
            Frames.chapter(4, name, index * 1000, Frames.unused, Frames.title(4, name))
        }
        for body in [row.tables + chapters, chapters + row.tables] {
            let list = Frames.list(4, body)
            #expect(list.map(\.title) == ["a", "b", "c"], "\(row.name)")
            #expect(list.filter(\.isInTableOfContents).map(\.title) == row.listed, "\(row.name)")
        }
    }

    @Test(
        "More than 255 chapters are listed, although a table counts its children in one byte",
        arguments: [300, 256, 255])
    func many(count: Int) {
        let names = (0..<count).map { "chapter\($0)" }
        let chapters = names.enumerated().flatMap { Frames.chapter(3, $0.element, $0.offset * 1000, Frames.unused) }
        let hidden = Frames.chapter(3, "hidden", 500, Frames.unused)
        // The count overflows, or stops at its greatest value.
        let overflowing = Frames.list(3, Frames.table(3, "toc", names) + chapters + hidden)
        #expect(overflowing.count == count + 1)
        #expect(overflowing.filter { !$0.isInTableOfContents }.count == (count > 255 ? 1 : 0))
        let full = Frames.list(3, Frames.table(3, "toc", Array(names.prefix(255))) + chapters)
        #expect(!full.contains { !$0.isInTableOfContents })
    }

    struct Places: Sendable {
        /// Start and end in milliseconds, start and end in bytes.
        let fields: [Int]
        /// The start and the end in milliseconds, if each 10 bytes last 1 ms; `nil` without a chapter.
        let times: [Int?]?
        let offsets: [Int64]

        init(_ fields: [Int], _ times: [Int?]?, _ offsets: [Int64]) {
            (self.fields, self.times, self.offsets) = (fields, times, offsets)
        }
    }

    private static let unused = Frames.unused
    static let places: [Places] = [
        Places([1000, 2000, unused, unused], [1000, 2000], []), Places([1000, 2000, 70, 80], [1000, 2000], []),
        Places([unused, unused, 7000, 8000], [700, 800], [7000, 8000]),
        Places([unused, 900, 7000, 1], [700, 900], [7000]), Places([1000, unused, 1, unused], [1000, nil], []),
        Places([1000, unused, 1, 90_000], [1000, nil], [90_000]), Places([unused, 2000, unused, 8000], nil, []),
        Places([unused, 2000, 90_000, 8000], nil, [90_000]), Places([2000, 1000, 0, 0], [2000, nil], []),
        Places([0, 0, 0, 0], [0, nil], []), Places([0xFFFF_FFFE, unused, 0, 0], [0xFFFF_FFFE, nil], [0]),
    ]

    @Test("Byte offsets stand for times that are missing, and the caller resolves them", arguments: places)
    func offsets(row: Places) {
        let frame = Frames.chapter(3, "a", row.fields[0], row.fields[1], offsets: (row.fields[2], row.fields[3]))
        let chapters = ID3v2Chapters(ID3v2MetadataTests.tag(3, frame))
        let found = chapters.list { $0 < 90_000 ? .milliseconds($0 / 10) : nil }.chapters.first
        let times = found.map { [$0.start / .milliseconds(1), $0.end.map { $0 / .milliseconds(1) }] }
        let expected = row.times.map { $0.map { $0.map { Double($0) } } }
        #expect(times == expected)
        #expect(chapters.offsets == row.offsets)
    }

    @Test("A link to a picture and the first web address are read")
    func links() {
        let frames =
            Frames.picture(4, "-->", Array("https://x.example/i.png".utf8)) + Frames.link(4, "https://x.example/1")
            + Frames.link(4, "https://x.example/2")
        let utf16: [UInt8] = [1, 0xFF, 0xFE, 0x41, 0, 0, 0] + Array("http://y.example/".utf8)
        let other = Frames.frame(4, "WXXX", utf16)
        let list = Frames.list(4, Frames.chapter(4, "a", 0, 1, frames) + Frames.chapter(4, "b", 2, 3, other))
        #expect(list.map(\.url) == ["https://x.example/1", "http://y.example/"])
        #expect(list.first?.image == .url("https://x.example/i.png"))
    }

    @Test("A tag of 2.2, without chapters or of another kind has none")
    func none() {
        #expect(ID3v2Chapters([]).isEmpty)
        #expect(ID3v2Chapters(ID3v2MetadataTests.tag(2, Frames.title(4, "x"))).isEmpty)
        #expect(ID3v2Chapters(Array("ID4".utf8) + [UInt8](repeating: 0, count: 20)).isEmpty)
        #expect(ID3v2Chapters(ID3v2MetadataTests.tag(4, Frames.title(4, "x"))).list().chapters.isEmpty)
    }
}
