// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("MP4: damaged chapters")
struct ChapterTrackDamageTests {
    typealias Writer = BoxWriter

    private static let files: [ChapterFile] = ChapterFile.Layout.allCases.map { layout in
        let titles = ["One", "Two", "Three"].map { (10_000, ChapterFile.text($0, link: "https://x.example/\($0)")) }
        var file = ChapterFile([
            ChapterFile.Track(samples: titles), ChapterFile.Track(samples: titles),
            ChapterFile.pictures([(10_000, [1, 2, 3]), (10_000, [4])]),
        ])
        let list = Writer.full("chpl", [1] + Writer.u64(0) + [1, 0x4E])
        (file.layout, file.isMovieFirst, file.userData) = (layout, layout == .after, Writer.box("udta", list))
        return file
    }

    @Test("A file cut at any byte neither traps nor loops", arguments: 0..<3)
    func cut(number: Int) {
        let bytes = Self.files[number].bytes
        for end in 0..<bytes.count {
            let run = ChapterRun(Array(bytes[..<end]))
            #expect(run.list.count <= 3)
        }
        #expect(ChapterRun(bytes).list.map(\.title) == ["One", "Two", "Three"])
    }

    @Test(
        "Damage neither traps nor loops, and the pieces do not change the result",
        arguments: 0..<LongTests.size(300, inFull: 20_000))
    func damage(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let file = Self.files[seed % Self.files.count]
        var bytes = file.bytes
        let movie = bytes.count - file.movieLength
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let place = Int.random(in: (file.isMovieFirst ? 20 : movie)..<bytes.count, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
            case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
            default:
                for index in place..<min(place + 4, bytes.count) { bytes[index] = 0xFF }
            }
        }
        let whole = ChapterRun(bytes)
        let inPieces = ChapterRun(bytes, cutInto: Int.random(in: 1...600, using: &generator))
        #expect(inPieces.chapters == whole.chapters)
        #expect(whole.list.count <= ChapterList.mostChapters)
    }

    struct Lie: Sendable {
        let name: String
        /// The number of a table's count or its first entry, before and after.
        let table: String
        let place: Int
        let value: Int

        init(_ name: String, _ table: String, _ place: Int, _ value: Int) {
            (self.name, self.table, self.place, self.value) = (name, table, place, value)
        }
    }

    static let lies: [Lie] = [
        Lie("two billion samples of one size", "stsz", 4, 1), Lie("two billion sizes", "stsz", 8, 0x7FFF_FFFF),
        Lie("a duration for two billion samples", "stts", 8, 0x7FFF_FFFF),
        Lie("durations of 0xFFFFFFFF", "stts", 12, 0xFFFF_FFFF), Lie("two billion durations", "stts", 4, 0x7FFF_FFFF),
        Lie("no durations", "stts", 4, 0), Lie("chunks of two billion samples", "stsc", 12, 0x7FFF_FFFF),
        Lie("chunks of no samples", "stsc", 12, 0), Lie("a first chunk of 0", "stsc", 8, 0),
        Lie("two billion chunks", "stco", 4, 0x7FFF_FFFF), Lie("no chunks", "stco", 4, 0),
        Lie("a chunk at 0xFFFFFFFF", "stco", 8, 0xFFFF_FFFF),
    ]

    @Test("A lying table gives at most 10,000 chapters", arguments: lies)
    func lying(lie: Lie) throws {
        var bytes = ChapterFile(titles: ["a", "b", "c"]).bytes
        // The tables of the chapter track are the last ones.
        let name = Array(lie.table.utf8)
        let place = try #require(bytes.indices.last { bytes[$0...].starts(with: name) }) + 4 + lie.place
        bytes.replaceSubrange(place..<place + 4, with: Writer.u32(lie.value))
        if lie.name.hasSuffix("of one size") {
            bytes.replaceSubrange(place + 4..<place + 8, with: Writer.u32(0x7FFF_FFFF))
        }
        #expect(ChapterRun(bytes).list.count <= ChapterList.mostChapters, "\(lie.name)")
    }

    @Test("10,000 of 12,000 chapters are read, in a few reads")
    func many() {
        var file = ChapterFile(titles: (0..<12_000).map { "\($0)" })
        file.isMovieFirst = true
        let run = ChapterRun(file.bytes)
        #expect(run.list.map(\.title) == (0..<10_000).map { "\($0)" })
        #expect(run.requests <= 8)
    }
}
