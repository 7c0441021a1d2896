// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media
import Testing

@testable import CodecTestSupport

@Suite("MP4: Nero's list of chapters")
struct MP4ChapterListTests {
    typealias Writer = BoxWriter

    private func chapters(_ list: [UInt8], _ purpose: MP4Parser.Purpose = .tags) -> [Chapter] {
        let file = MP4Case("") { $0.userData = Writer.box("udta", list) }
        return MP4Driver.outcome(MP4Parser(purpose), file.bytes).chapters
    }

    private func entry(_ start: Int, _ title: String) -> [UInt8] {
        Writer.u64(start) + [UInt8(title.utf8.count)] + Array(title.utf8)
    }

    @Test("Both versions are read, for tags and for packets", arguments: [0, 1], [MP4Parser.Purpose.packets, .tags])
    func versions(version: Int, purpose: MP4Parser.Purpose) {
        let long = String(repeating: "x", count: 200)
        let entries = entry(0, "One") + entry(905_000_001, "Zweí") + entry(1_000_000_000, long) + entry(.max, "")
        let list = Writer.full("chpl", version: version, (version == 0 ? [] : Writer.u32(0)) + [4] + entries)
        let chapters = chapters(list, purpose)
        #expect(chapters.map(\.title) == ["One", "Zweí", long, nil])
        #expect(chapters.dropFirst().first?.start == .nanoseconds(90_500_000_100))
    }

    @Test("A count of four bytes is read, as mp4v2 writes it")
    func longCount() {
        let entries = (0..<300).flatMap { entry($0 * 10_000_000, "Chapter \($0)") }
        let chapters = chapters(Writer.full("chpl", version: 1, [0] + Writer.u32(300) + entries))
        #expect(chapters.count == 300)
        #expect(chapters.last == Chapter(start: .seconds(299), title: "Chapter 299"))
    }

    @Test("A list that is cut off or lies about its count keeps the complete chapters")
    func cutList() {
        let whole = entry(0, "One")
        #expect(chapters(Writer.full("chpl", [200] + whole + whole.dropLast(1))).map(\.title) == ["One"])
        for count in [0x7FFF_FFFF, 0xFFFF_FFFF] {
            let list = Writer.full("chpl", version: 1, [0] + Writer.u32(count) + whole + entry(1, "Two"))
            #expect(chapters(list).map(\.title) == ["One", "Two"])
        }
        #expect(chapters(Writer.full("chpl", version: 1, [0, 0])).isEmpty)
        #expect(chapters(Writer.full("chpl", [0] + whole)).isEmpty)
    }

    @Test("A title that is cut within a character ends before it")
    func cutTitle() {
        for (length, expected) in [(255, 127), (254, 127)] {
            let title = [UInt8](String(repeating: "ä", count: 200).utf8.prefix(length))
            let list = Writer.full("chpl", [1] + Writer.u64(0) + [UInt8(length)] + title)
            #expect(chapters(list).first?.title == String(repeating: "ä", count: expected))
        }
    }

    @Test("A list has at most 10,000 chapters")
    func limit() {
        let entries = (0..<20_000).flatMap { entry($0 * 10_000_000, "") }
        #expect(chapters(Writer.full("chpl", version: 1, [0] + Writer.u32(20_000) + entries)).count == 10_000)
    }
}
