// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("MP4: chapter tracks")
struct ChapterTrackTests {
    typealias Writer = BoxWriter
    private static let utf16: [UInt8] = [0, 6, 0xFE, 0xFF, 0, 0x5A, 0, 0x77]
    private static let littleEndian: [UInt8] = [0, 4, 0xFF, 0xFE, 0x5A, 0]

    private func run(_ tracks: [ChapterFile.Track], _ change: (inout ChapterFile) -> Void = { _ in }) -> [Chapter] {
        var file = ChapterFile(tracks)
        change(&file)
        return ChapterRun(file.bytes).list
    }

    @Test("Titles are read in every layout", arguments: ChapterFile.Layout.allCases, [true, false])
    func layouts(layout: ChapterFile.Layout, isMovieFirst: Bool) {
        let samples = [
            (20_000, ChapterFile.text("Eins")), (1_500, Self.utf16), (500, [0, 0]), (7, Self.littleEndian), (3, []),
        ]
        let list = run([ChapterFile.Track(samples: samples)]) { ($0.layout, $0.isMovieFirst) = (layout, isMovieFirst) }
        #expect(
            list == [
                Chapter(start: .zero, end: .seconds(20), title: "Eins"),
                Chapter(start: .seconds(20), end: .milliseconds(21_500), title: "Zw"),
                Chapter(start: .milliseconds(21_500), end: .seconds(22)),
                Chapter(start: .seconds(22), end: .milliseconds(22_007), title: "Z"),
                Chapter(start: .milliseconds(22_007), end: .milliseconds(22_010)),
            ])
    }

    @Test("A length that is too great takes the rest, and a sample of more than 4 KB is not read")
    func lyingLengths() {
        let long = Writer.u16(5000) + [UInt8](repeating: 0x41, count: 5000)
        let list = run([ChapterFile.Track(samples: [(1000, [0xFF, 0xFF, 0x41]), (1000, long), (1000, [0])])])
        #expect(list.map(\.title) == ["A", nil, nil])
    }

    @Test("Links are read from the titles, or from a second text track")
    func links() {
        let url = "https://x.example/"
        let titles = ChapterFile.Track(
            samples: [(10_000, ChapterFile.text("One", link: url + "1")), (10_000, ChapterFile.text("Two"))])
        let links = ChapterFile.Track(
            samples: [(9_000, ChapterFile.text("")), (11_000, ChapterFile.text("more", link: url + "2"))])
        #expect(run([titles, links]).map(\.title) == ["One", "Two"])
        #expect(run([titles, links]).map(\.url) == [url + "1", url + "2"])
        #expect(run([titles]).map(\.url) == [url + "1", nil])
        let script = ChapterFile.Track(samples: [(1, ChapterFile.text("a", link: "javascript:x"))])
        #expect(run([script]).map(\.url) == [nil])
    }

    @Test(
        "The samples of a video track of pictures are places in the file",
        arguments: [
            (Writer.box("jpeg", [UInt8](repeating: 0, count: 78)), "image/jpeg"),
            (Writer.box("png ", [UInt8](repeating: 0, count: 78)), "image/png"),
            (Writer.box("mp4v", [UInt8](repeating: 0, count: 78) + Writer.esds(objectType: 0x6C, [])), "image/jpeg"),
            (Writer.box("mp4v", [UInt8](repeating: 0, count: 78) + Writer.esds(objectType: 0x20, [])), nil),
            (Writer.box("avc1", [UInt8](repeating: 0, count: 78)), nil), ([], nil),
        ])
    func pictures(entry: [UInt8], type: String?) {
        let titles = ChapterFile.Track(
            samples: [(10_000, ChapterFile.text("One")), (10_000, ChapterFile.text("Two"))])
        let pictures = ChapterFile.pictures([(4_000, [1, 2, 3]), (6_000, [4]), (10_000, [5, 6])], entry)
        let file = ChapterFile([pictures, titles])
        let list = ChapterRun(file.bytes).list
        let found = list.map { chapter -> [UInt8]? in
            guard case .stored(let picture) = chapter.image else { return nil }
            #expect(picture.mimeType == type && !picture.isUnsynchronized)
            return Array(file.bytes[Int(picture.range.lowerBound)..<Int(picture.range.upperBound)])
        }
        #expect(list.filter(\.isInTableOfContents).map(\.title) == ["One", "Two"])
        #expect(found == (type == nil ? [nil, nil] : [[1, 2, 3], [4], [5, 6]]))
        guard type != nil else { return }
        // The second picture appears within the first chapter.
        #expect(list.map(\.isInTableOfContents) == [true, false, true])
        #expect(list.map(\.start) == [.zero, .seconds(4), .seconds(10)])
    }

    @Test(
        "An edit list delays the chapters or skips their beginning",
        arguments: [
            ([(1200, -1), (0, 0)], 2000), ([(0, 0)], 0), ([(600, -1), (600, -1), (0, 500)], 1500), ([(0, 3000)], -3000),
            ([(600, -1)], 1000), ([(Int(UInt32.max), -1)], 7_158_278_825),
        ] as [([(Int, Int)], Int)])
    func edits(edits: [(Int, Int)], shift: Int) {
        var track = ChapterFile.Track(samples: [(5000, ChapterFile.text("a")), (5000, ChapterFile.text("b"))])
        track.edits = edits.map { (duration: $0.0, time: $0.1) }
        #expect(run([track]).last?.start == .milliseconds(max(0, 5000 + shift)))
    }

    @Test("Nero's list needs no further bytes, and a longer chapter track replaces it")
    func both() throws {
        func nero(_ count: Int) -> [UInt8] {
            let entries = (0..<count).flatMap { number -> [UInt8] in Writer.u64(number * 100_000_000) + [1, 0x4E] }
            return Writer.box("udta", Writer.full("chpl", [UInt8(count)] + entries))
        }
        for count in 0...4 {
            var file = ChapterFile(titles: ["a", "b", "c"])
            file.userData = nero(count)
            let run = ChapterRun(file.bytes)
            #expect(run.list.map(\.title) == (count < 3 ? ["a", "b", "c"] : .init(repeating: "N", count: count)))
            #expect(run.chapters?.missing == [])
        }
        // A title that the list has cut is the same until its sample was read.
        let long = String(repeating: "x", count: 300)
        var cut = ChapterFile(titles: [long, "b"])
        let entries = Writer.u64(0) + [255] + Array(long.utf8.prefix(255)) + Writer.u64(100_000_000) + [1, 0x4E]
        cut.userData = Writer.box("udta", Writer.full("chpl", [2] + entries))
        let parsed = MP4Driver.outcome(MP4Parser(.tags), cut.bytes).chapters
        #expect(parsed.map { $0.title?.count } == [255, 1])
        #expect(ChapterRun(cut.bytes).list.map(\.title) == [long, "b"])
        // A picture completes the list.
        var file = ChapterFile([ChapterFile.pictures([(10_000, [9])])])
        file.userData = nero(2)
        let list = ChapterRun(file.bytes).list
        #expect(list.map(\.title) == ["N", "N"])
        #expect(list.first?.image != nil)
    }

    @Test("A file without chapters has none")
    func none() {
        #expect(ChapterRun(MP4Case("").bytes).chapters == nil)
        #expect(ChapterRun(MP4Case("") { $0.hasVideo = true }.bytes).chapters == nil)
        #expect(ChapterRun(ChapterFile(titles: []).bytes).chapters == nil)
    }
}

@Suite("MP4: requests for chapters")
struct ChapterRequestTests {
    private static let titles = (0..<300).map { "The title of chapter \($0)" }

    @Test(
        "A file with its index at the end needs 3 requests and less than 1.1 times its index",
        arguments: [20_000, 155_000])
    func requests(packets: Int) {
        var file = ChapterFile(titles: Self.titles)
        file.packets = packets
        let run = ChapterRun(file.bytes)
        #expect(run.list.map(\.title) == Self.titles)
        #expect(run.requests <= 3)
        let textLength = Self.titles.reduce(0) { $0 + $1.utf8.count + 2 }
        #expect(Double(run.readBytes - textLength) <= 1.1 * Double(file.movieLength))
    }

    @Test("Pieces of 64 KB pass over the tables of the sound")
    func pieces() {
        var file = ChapterFile(titles: Self.titles)
        file.packets = 155_000
        let run = ChapterRun(file.bytes, cutInto: 64 << 10)
        #expect(run.list.map(\.title) == Self.titles)
        #expect(run.readBytes < 160_000)
    }

    @Test("Interleaved titles are not requested one by one, but read when the sound has arrived")
    func interleaved() throws {
        var file = ChapterFile(titles: Self.titles)
        (file.layout, file.packets, file.packetLength) = (.interleaved, 300 * 160, 250)
        let bytes = file.bytes
        var run = ChapterRun(bytes)
        #expect(run.requests <= 3)
        #expect(run.list.map(\.start) == (0..<300).map { .seconds($0 * 10) })
        #expect(run.list.allSatisfy { $0.title == nil })
        let missing = try #require(run.chapters?.missing)
        #expect(missing.count == 300)
        // The second half arrives first, as after a seek.
        let middle = Int64(bytes.count / 2)
        run.read(middle..<Int64(bytes.count), of: bytes)
        #expect(run.list.first?.title == nil && run.list.last?.title == Self.titles.last)
        run.read(0..<middle + 100, of: bytes)
        #expect(run.list.map(\.title) == Self.titles)
        #expect(run.chapters?.missing == [])
    }

    @Test("Up to 16 places are requested, and titles at most 32 KB apart are one place", arguments: [1, 16, 17, 40])
    func places(count: Int) {
        for (distance, expected) in [(40_000, count <= 16 ? count : 0), (1_000, 1), (30_000, count < 36 ? 1 : 0)] {
            var file = ChapterFile(titles: Array(Self.titles.prefix(count)))
            (file.layout, file.packets, file.packetLength) = (.interleaved, count * distance / 250, 250)
            let run = ChapterRun(file.bytes)
            let parsed = MP4Driver.outcome(MP4Parser(.tags), file.bytes).fileChapters
            #expect(parsed?.requests().count == expected, "\(distance) bytes apart")
            #expect(run.list.first?.title == (expected > 0 ? Self.titles[0] : nil))
        }
    }

    @Test("A text that is cut by the end of the bytes or of the file remains missing or is given up")
    func cut() throws {
        let file = ChapterFile(titles: ["first", "second"])
        var chapters = try #require(MP4Driver.outcome(MP4Parser(.tags), file.bytes).fileChapters)
        let range = try #require(chapters.missing.first)
        #expect(chapters.missing == [range])
        func read(_ part: ByteRange) {
            file.bytes[Int(part.lowerBound)..<Int(part.upperBound)].withUnsafeBytes {
                chapters.read($0, at: part.lowerBound)
            }
        }
        read(range.lowerBound..<range.upperBound - 1)
        #expect(chapters.list.chapters.map(\.title) == ["first", nil])
        #expect(chapters.missing == [range.upperBound - 8..<range.upperBound])
        read(range.lowerBound + 8..<range.upperBound)
        #expect(chapters.list.chapters.map(\.title) == ["first", nil])
        chapters.finish(length: range.upperBound - 1)
        #expect(chapters.missing == [] && chapters.requests() == [])
    }
}
