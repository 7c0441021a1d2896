// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import MPEGAudio
import Media
import Testing

@Suite("Pictures of ID3v2Chapters")
struct ID3v2ChapterPictureTests {
    typealias Frames = ChapterFrames

    /// Bytes that unsynchronization changes at the start, in the middle and at the end.
    private static let pictures: [[UInt8]] = [
        [0xFF, 0xD8, 0xFF, 0, 0, 1, 0xFF, 0xFF, 0, 2, 0xFF], [0xFF, 0xFF, 0xFF], [7], [0xFF, 0, 0xFF, 0, 0xFF, 0],
    ]

    /// Returns the pictures that the chapters of a tag refer to, and whether all are unsynchronized.
    private func stored(_ tag: [UInt8]) -> (pictures: [[UInt8]?], isUnsynchronized: Bool) {
        let offset: Int64 = 77
        let chapters = ID3v2Chapters(tag, at: offset).list().chapters
        var isUnsynchronized = true
        let pictures = chapters.map { chapter -> [UInt8]? in
            guard case .stored(let picture) = chapter.image else { return nil }
            isUnsynchronized = isUnsynchronized && picture.isUnsynchronized
            let bytes = tag[Int(picture.range.lowerBound - offset)..<Int(picture.range.upperBound - offset)]
            return picture.artwork(from: Array(bytes))?.bytes
        }
        return (pictures, isUnsynchronized)
    }

    @Test("Pictures are found in a tag that is unsynchronized as a whole", arguments: [false, true])
    func wholeTag(hasExtendedHeader: Bool) {
        let chapters = Self.pictures.enumerated().flatMap {
            Frames.chapter(
                3, "\($0.offset)", $0.offset * 1000, Frames.unused,
                Frames.picture(3, "image/jpeg", $0.element) + Frames.title(3, "x"))
        }
        let header: [UInt8] = hasExtendedHeader ? [0, 0, 0, 6, 0, 0, 0, 0, 0, 0] : []
        let body = Frames.stuffed(header + chapters)
        let found = stored(ID3v2MetadataTests.tag(3, flags: hasExtendedHeader ? 0xC0 : 0x80, body))
        #expect(found.pictures == Self.pictures)
        #expect(found.isUnsynchronized)
    }

    @Test("Pictures are found in unsynchronized frames of 2.4", arguments: [true, false])
    func frames(isChapterUnsynchronized: Bool) {
        let chapters = Self.pictures.enumerated().flatMap { index, picture in
            let head = Frames.pictureHead("image/jpeg")
            let length = ID3v2MetadataTests.number(head.count + picture.count, bits: 7)
            let inner = Frames.frame(4, "APIC", length + Frames.stuffed(head + picture), [0, 3])
            guard isChapterUnsynchronized else {
                return Frames.chapter(4, "\(index)", index * 1000, Frames.unused, inner)
            }
            let plain = Frames.chapter(
                4, "\(index)", index * 1000, Frames.unused, Frames.picture(4, "image/jpeg", picture))
            return Frames.frame(4, "CHAP", Frames.stuffed(Array(plain.dropFirst(10))), [0, 2])
        }
        let found = stored(ID3v2MetadataTests.tag(4, chapters))
        #expect(found.pictures == Self.pictures)
        #expect(found.isUnsynchronized)
    }

    @Test("A picture that is unsynchronized twice is omitted, and its chapter remains")
    func twice() {
        let inner = Frames.frame(4, "APIC", Frames.stuffed(Frames.pictureHead("image/png") + [0xFF, 1]), [0, 2])
        let plain = Frames.chapter(4, "a", 0, Frames.unused, inner)
        let tag = ID3v2MetadataTests.tag(
            4, Frames.frame(4, "CHAP", Frames.stuffed(Array(plain.dropFirst(10))), [0, 2]))
        #expect(stored(tag).pictures == [nil])
    }

    @Test("The range of a picture is that of a plain tag, and the first picture counts")
    func plain() {
        let frames =
            Frames.picture(4, "image/png", [1, 2]) + Frames.picture(4, "image/png", [3])
            + Frames.picture(4, "image/png", [])
        let found = stored(ID3v2MetadataTests.tag(4, Frames.chapter(4, "a", 0, 1, frames)))
        #expect(found.pictures == [[1, 2]])
        #expect(!found.isUnsynchronized)
    }
}

@Suite("Damaged ID3v2Chapters")
struct ID3v2ChapterDamageTests {
    typealias Frames = ChapterFrames

    private static let tags: [[UInt8]] = ([3, 4] as [UInt8]).flatMap { version -> [[UInt8]] in
        let picture = Frames.picture(version, "image/png", [0xFF, 0xD8, 0xFF, 0, 0xFF, 0])
        let chapters = (0..<4).flatMap {
            Frames.chapter(
                version, "\($0)", $0 * 1000, $0 * 1000 + 999,
                Frames.title(version, "Title \($0)") + picture + Frames.link(version, "https://x.example/\($0)"))
        }
        let body =
            Frames.table(version, "t", ["0", "u"]) + chapters + Frames.table(version, "u", flags: 1, ["2", "t"])
        let plain = ID3v2MetadataTests.tag(version, body)
        return version == 3 ? [plain, ID3v2MetadataTests.tag(3, flags: 0x80, Frames.stuffed(body))] : [plain]
    }

    @Test("A tag cut at any byte has the chapters before the cut", arguments: tags)
    func cut(tag: [UInt8]) {
        var last = 0
        for end in 0...tag.count {
            let count = ID3v2Chapters(Array(tag[..<end])).list().chapters.count
            #expect(count >= last, "at byte \(end)")
            last = count
        }
        #expect(last == 4)
    }

    @Test(
        "Damage neither traps nor leads to a picture outside the tag",
        arguments: 0..<LongTests.size(300, inFull: 20_000))
    func damage(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var tag = Self.tags[seed % Self.tags.count]
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let place = Int.random(in: 5..<tag.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: tag[place] = .random(in: .min ... .max, using: &generator)
            case 1: tag.remove(at: place)
            case 2: tag.insert(contentsOf: Array("CHAP".utf8) + [0, 0, 0x7F, 0x7F, 0, 2], at: place)
            default: tag[place] = [0, 0xFF, 0x7F, 0x80].randomElement(using: &generator) ?? 0
            }
        }
        for chapter in ID3v2Chapters(tag).list(timeAtOffset: { .milliseconds($0) }).chapters {
            guard case .stored(let picture) = chapter.image else { continue }
            #expect(0...Int64(tag.count) ~= picture.range.upperBound && !picture.range.isEmpty)
        }
    }

    @Test("Many small frames, and a chapter with many frames, give at most 10,000 chapters")
    func many() {
        let chapter = Frames.chapter(3, "", 0, 0)
        #expect(chapter.count == 27)
        let chapters = [UInt8]((0..<60_000).flatMap { _ in chapter })
        #expect(ID3v2Chapters(ID3v2MetadataTests.tag(3, chapters)).list().chapters.count == 1)
        let numbered = (0..<12_000).flatMap { Frames.chapter(3, "\($0)", $0, Frames.unused) }
        #expect(ID3v2Chapters(ID3v2MetadataTests.tag(3, numbered)).list().chapters.count == 10_000)
        let empty = [UInt8]((0..<100_000).flatMap { _ in Array("APIC".utf8) + [0, 0, 0, 0, 0, 0] })
        #expect(
            ID3v2Chapters(ID3v2MetadataTests.tag(3, Frames.chapter(3, "a", 0, 1, empty))).list().chapters.count == 1)
        let table = Frames.frame(3, "CTOC", [0x74, 0, 3, 255] + [UInt8](repeating: 0, count: 1_000_000))
        #expect(ID3v2Chapters(ID3v2MetadataTests.tag(3, table + chapter)).list().chapters.count == 1)
    }
}
