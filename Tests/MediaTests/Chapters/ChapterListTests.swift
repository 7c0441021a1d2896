// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

/// Returns chapters that begin at these seconds, with these titles.
func chapters(_ starts: [(Double, String?)]) -> [Chapter] {
    starts.map { Chapter(start: .milliseconds(Int($0.0 * 1000)), title: $0.1) }
}

@Suite("ChapterList")
struct ChapterListTests {
    @Test("Chapters are sorted by their starts, and negative starts are dropped")
    func order() {
        let list = ChapterList(.inFile, chapters([(60, "c"), (0, "a"), (-1, "x"), (30, "b")]))
        #expect(list.chapters.map(\.title) == ["a", "b", "c"])
    }

    @Test("Of several chapters with one start, the first listed one remains, completed by the others")
    func duplicates() {
        let hidden = Chapter(start: .seconds(5), title: "hidden", url: "https://x.example/", isInTableOfContents: false)
        let first = Chapter(start: .seconds(5), title: "first")
        let second = Chapter(start: .seconds(5), title: "second", image: .url("https://x.example/i.png"))
        for order in [[hidden, first, second], [first, hidden, second], [first, second, hidden]] {
            #expect(
                ChapterList(.inFile, order).chapters == [
                    Chapter(
                        start: .seconds(5), title: "first", url: "https://x.example/",
                        image: .url("https://x.example/i.png"))
                ])
        }
    }

    struct Ends: Sendable {
        /// Starts, ends and whether the chapter is listed.
        let chapters: [(Int, Int?, Bool)]
        let ends: [Int?]
    }

    @Test(
        "A chapter ends where the next one begins, and a hidden one does not end a listed one",
        arguments: [
            Ends(chapters: [(0, 5, true), (10, 20, true)], ends: [5, 20]),
            Ends(chapters: [(0, 15, true), (10, 20, true)], ends: [10, 20]),
            Ends(chapters: [(0, nil, true), (10, nil, true)], ends: [nil, nil]),
            Ends(chapters: [(0, 0, true), (10, 4, true)], ends: [nil, nil]),
            Ends(chapters: [(0, 30, true), (10, 20, false), (15, 40, true)], ends: [15, 15, 40]),
            Ends(chapters: [(0, 30, true), (10, 20, false)], ends: [30, 20]),
        ])
    func ends(row: Ends) {
        let list = ChapterList(
            .json,
            row.chapters.map {
                Chapter(
                    start: .seconds($0.0), end: $0.1.map { .seconds($0) }, isInTableOfContents: $0.2)
            })
        #expect(list.chapters.map(\.end) == row.ends.map { $0.map { .seconds($0) } })
    }

    @Test("A title is one line without control characters, of at most 500 code points")
    func titles() {
        let titles: [(String, String?)] = [
            ("plain", "plain"), (" a \n\tb ", "a b"), ("a\u{1B}[31mb\u{7}", "a[31mb"), ("\u{202E}x\u{9B}", "x"),
            ("", nil), (" \u{200B} ", nil), (String(repeating: "ä", count: 600), String(repeating: "ä", count: 500)),
        ]
        for (title, expected) in titles {
            #expect(ChapterList(.inFile, chapters([(0, title)])).chapters.first?.title == expected)
        }
    }

    @Test(
        "A URL in a file must be a web URL of visible characters",
        arguments: [
            ("https://x.example/a?b#c", "https://x.example/a?b#c"), (" http://x.example ", "http://x.example"),
            ("javascript:alert(1)", nil), ("file:///etc/passwd", nil), ("/path", nil), ("", nil), ("https://", nil),
            ("https://x.example/a b", nil), ("https://x.example/\u{1B}[31m", nil),
            ("https://x.example/\u{202E}gpj", nil),
            ("https://x.example/" + String(repeating: "a", count: 5000), nil),
        ])
    func urls(url: String, expected: String?) {
        let list = ChapterList(.inFile, [Chapter(start: .zero, url: url, image: .url(url))])
        #expect(list.chapters.first?.url == expected)
        #expect(list.chapters.first?.imageURL == expected)
    }

    @Test("A list has at most 10,000 chapters")
    func limit() {
        let many = (0..<1_000_000).lazy.map { Chapter(start: .seconds($0)) }
        #expect(ChapterList(.json, many).chapters.count == 10_000)
        #expect(ChapterList(.json, [Chapter](repeating: Chapter(start: .zero), count: 20_000)).chapters.count == 1)
    }
}

@Suite("The best ChapterList")
struct BestChapterListTests {
    private static let long = chapters((0..<9).map { (Double($0) * 60, "long \($0)") })
    private static let short = chapters([(0, "a"), (100, "b")])

    @Test("The list of the earliest source is used, even if another one is longer")
    func precedence() {
        var lists = ChapterList.Source.allCases.reversed().map {
            ChapterList($0, $0 == .inFile ? Self.short : Self.long)
        }
        for source in ChapterList.Source.allCases {
            #expect(ChapterList.best(of: lists, length: .seconds(1000))?.source == source)
            lists.removeLast()
        }
        #expect(ChapterList.best(of: [], length: nil) == nil)
    }

    @Test("A list with fewer than two chapters before the end is not used but completes the others")
    func unfit() throws {
        let json = ChapterList(.json, chapters([(0, nil), (50, nil)]))
        let picture = Chapter(start: .seconds(51), title: "one", image: .url("https://x.example/i.png"))
        let single = ChapterList(.inFile, [picture])
        let best = try #require(ChapterList.best(of: [json, single], length: .seconds(100)))
        #expect(best.source == .json)
        #expect(
            best.chapters == [Chapter(start: .zero), Chapter(start: .seconds(50), title: "one", image: picture.image)])
        let late = ChapterList(.inFile, chapters([(0, "x"), (100, "y")]))
        #expect(ChapterList.best(of: [json, late], length: .seconds(100))?.source == .json)
        #expect(ChapterList.best(of: [json, late], length: .milliseconds(100_001))?.source == .inFile)
        #expect(ChapterList.best(of: [json, late], length: nil)?.source == .inFile)
        #expect(ChapterList.best(of: [late, single], length: .seconds(100)) == nil)
    }

    @Test(
        "A chapter at or after the end is dropped, unless several show that a list of the feed describes longer audio",
        arguments: [
            (.inFile, [0, 50, 100], 2), (.inFile, [0, 50, 200, 300], 2), (.inFile, [0, 100, 200], nil),
            (.json, [0, 50, 100], 2), (.podlove, [0, 50, 300], 2), (.notes, [0, 50, 100, 110], 2),
            (.json, [0, 50, 100, 111], nil), (.notes, [0, 50, 60, 99], 4),
        ] as [(ChapterList.Source, [Double], Int?)])
    func late(source: ChapterList.Source, starts: [Double], count: Int?) {
        let list = ChapterList(source, chapters(starts.map { ($0, "\($0)") }))
        #expect(ChapterList.best(of: [list], length: .seconds(100))?.chapters.count == count)
        #expect(ChapterList.best(of: [list], length: nil)?.chapters.count == starts.count)
    }

    @Test("One chapter is enough if that is stated, without one at or after the end")
    func fewest() {
        let list = ChapterList(.json, chapters([(0, "x"), (100, "end")]))
        #expect(ChapterList.best(of: [list], length: .seconds(100), fewest: 1)?.chapters.map(\.title) == ["x"])
        #expect(ChapterList.best(of: [list], length: .seconds(100)) == nil)
    }

    @Test(
        "A chapter of another list completes one that begins at most 2 seconds from it, and the nearest counts",
        arguments: [
            ([8.0], "8.0"), ([7.999], nil), ([12], "12.0"), ([12.001], nil), ([9, 11.5], "9.0"), ([8.5, 11], "11.0"),
            ([0, 3, 9.9, 10.1, 30], "10.1"), ([], nil),
        ] as [([Double], String?)])
    func tolerance(starts: [Double], expected: String?) throws {
        let list = ChapterList(.inFile, chapters([(0, "first"), (10, nil), (20, "kept")]))
        let other = ChapterList(.notes, chapters(starts.map { ($0, "\($0)") }))
        let best = try #require(ChapterList.best(of: [other, list], length: nil))
        #expect(best.chapters.map(\.title) == ["first", expected, "kept"])
    }

    @Test("Completing keeps the times, the titles and the place in the table of contents")
    func keeps() throws {
        let own = Chapter(start: .seconds(10), end: .seconds(20), title: "own", isInTableOfContents: false)
        let other = Chapter(start: .seconds(11), end: .seconds(12), title: "other", url: "https://x.example/")
        let list = ChapterList(.inFile, [Chapter(start: .zero), own])
        let result = list.completed(by: ChapterList(.json, [other]))
        var expected = own
        expected.url = other.url
        #expect(result.chapters.last == expected)
        #expect(list.completed(by: ChapterList(.json, [])) == list)
    }

    @Test("The last chapter ends with the audio at the latest")
    func length() throws {
        let list = ChapterList(.inFile, [Chapter(start: .zero), Chapter(start: .seconds(5), end: .seconds(99))])
        #expect(ChapterList.best(of: [list], length: .seconds(60))?.chapters.last?.end == .seconds(60))
        #expect(ChapterList.best(of: [list], length: nil)?.chapters.last?.end == .seconds(99))
    }

    @Test("Random lists keep the rules", arguments: 0..<LongTests.size(200, inFull: 5000))
    func random(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let lists = ChapterList.Source.allCases.map { source in
            ChapterList(source, (0..<Int.random(in: 0...30, using: &generator)).map { _ in Self.chapter(&generator) })
        }
        let length: Duration? =
            Bool.random(using: &generator) ? .seconds(Int.random(in: 1...200, using: &generator)) : nil
        guard let best = ChapterList.best(of: lists, length: length) else {
            #expect(
                lists.allSatisfy {
                    $0.chapters.count < 2 || length ?? .zero <= $0.chapters[$0.chapters.count - 1].start
                })
            return
        }
        let starts = best.chapters.map(\.start)
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
        if let length { #expect(starts.allSatisfy { $0 < length }) }
        for chapter in best.chapters {
            guard let end = chapter.end else { continue }
            #expect(end > chapter.start && end <= length ?? end)
        }
        let listed = best.chapters.filter(\.isInTableOfContents)
        for (chapter, next) in zip(listed, listed.dropFirst()) { #expect(chapter.end ?? .zero <= next.start) }
        let source = try #require(lists.first { $0.source == best.source })
        #expect(source.chapters.map(\.start).filter { start in length.map { start < $0 } ?? true } == starts)
    }

    private static func chapter(_ generator: inout SeededGenerator) -> Chapter {
        Chapter(
            start: .milliseconds(Int.random(in: -500...60_000, using: &generator)),
            end: Bool.random(using: &generator) ? .seconds(Int.random(in: 0...90, using: &generator)) : nil,
            title: ["a", nil, ""].randomElement(using: &generator) ?? nil,
            isInTableOfContents: Bool.random(using: &generator))
    }
}

@Suite("StoredPicture")
struct StoredPictureTests {
    @Test("A picture in an unsynchronized tag loses the inserted zeros")
    func resynchronizes() {
        let stored = StoredPicture(range: 0..<9, mimeType: "image/png", isUnsynchronized: true)
        #expect(
            stored.artwork(from: [0xFF, 0, 0xD8, 0xFF, 0, 0xE0, 0xFF, 0, 0])?.bytes == [
                0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0,
            ])
        #expect(stored.artwork(from: [0xFF, 0, 0xD8, 0xFF, 0])?.mimeType == "image/jpeg")
        #expect(StoredPicture(range: 0..<2, mimeType: "image/x").artwork(from: [0xFF, 0])?.bytes == [0xFF, 0])
        #expect(stored.artwork(from: []) == nil)
    }
}
