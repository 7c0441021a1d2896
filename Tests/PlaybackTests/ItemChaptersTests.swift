// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing
import TrackReading

@testable import Playback

@Suite("ItemChapters")
struct ItemChaptersTests {
    private static func list(_ source: ChapterList.Source = .inFile) -> ChapterList {
        ChapterList(
            source,
            [
                Chapter(start: .seconds(10), title: "Opening"), Chapter(start: .seconds(60), title: "The News"),
                Chapter(start: .seconds(90), end: .seconds(100), title: "Advert", isInTableOfContents: false),
                Chapter(start: .seconds(95), image: .url("https://host.example/1.png"), isInTableOfContents: false),
                Chapter(start: .seconds(120), end: .seconds(150), title: "News again"),
                Chapter(start: .seconds(160), end: .seconds(170), title: "End"),
            ])
    }

    private func chapters(_ lists: [ChapterList] = [list()]) throws -> ItemChapters {
        try #require(ItemChapters(lists, length: .seconds(200)))
    }

    @Test(
        "A position belongs to the chapter that has begun, to none before the first and between two",
        arguments: [(0, nil), (10, 1), (59, 1), (60, 2), (95, 2), (120, 3), (149, 3), (155, nil), (165, 4), (175, nil)])
    func places(seconds: Int, number: Int?) throws {
        let place = try chapters().place(at: .seconds(seconds))
        #expect(place?.number == number)
        #expect(place.map { $0.count == 4 } ?? true)
    }

    @Test("A position one frame before the start, as a seek reports it, belongs to the chapter")
    func rounded() throws {
        #expect(try chapters().place(at: .seconds(60) - .microseconds(11))?.number == 2)
    }

    static let targets: [(ChapterChoice, Int, Int?)] = [
        (.next, 0, 10), (.next, 10, 60), (.next, 60, 120), (.next, 155, 160), (.next, 165, nil),
        (.previous, 0, 0), (.previous, 11, 0), (.previous, 14, 10), (.previous, 62, 10), (.previous, 64, 60),
        (.previous, 121, 60), (.number(1), 0, 10), (.number(4), 0, 160), (.number(5), 0, nil), (.number(0), 0, nil),
        (.number(.min), 0, nil), (.number(.max), 0, nil),
        (.title("news"), 0, 60), (.title("NEWS AGAIN"), 0, 120), (.title("advert"), 0, nil), (.title("end"), 0, 160),
    ]

    @Test(
        "Next, previous, a number and a title lead to the start of a chapter in the table of contents",
        arguments: targets)
    func target(choice: ChapterChoice, from seconds: Int, expected: Int?) throws {
        let target = try chapters().target(of: choice, from: .seconds(seconds))
        #expect(target == expected.map { .seconds($0) })
    }

    @Test(
        "A title is found without case, accents and punctuation: whole, then by its words, then by parts of them",
        arguments: [
            ("nAWS", 2), ("outro naws", 2), ("OUTRO & NÄWS!", 2), ("intro", 1), ("int", 0), ("tro aws", 2),
            ("naws intro", nil), ("&", nil),
        ] as [(String, Int?)])
    func titles(name: String, index: Int?) throws {
        let titles = ["Intro: Part 2", "Intro", "Outro & näws"]
        let all = titles.enumerated().map { Chapter(start: .seconds($0), title: $1) }
        let chapters = try #require(ItemChapters([ChapterList(.inFile, all)], length: nil))
        #expect(chapters.target(of: .title(name), from: .zero) == index.map { .seconds($0) })
    }

    @Test("A chapter ends at its stated end, otherwise where the next one begins; the last one ends with the item")
    func ends() throws {
        let chapters = try chapters()
        let ends = { (length: Duration?) in chapters.ends(length: length, skipsHidden: true) }
        #expect(ends(.seconds(200)) == [60, 120, 150, 170].map { .seconds($0) })
        #expect(ends(.seconds(171)) == [60, 120, 150].map { .seconds($0) })
        #expect(ends(nil) == [60, 120, 150].map { .seconds($0) })
    }

    @Test(
        "The last chapter ends with the item if only hidden chapters that are left out follow",
        arguments: [(190, true, [60]), (190, false, [60, 110]), (191, true, [60]), (195, true, [60, 110])])
    func hiddenTail(length: Int, skipsHidden: Bool, expected: [Int]) throws {
        let all = [
            Chapter(start: .seconds(10), title: "B"), Chapter(start: .seconds(60), end: .seconds(110), title: "C"),
            Chapter(start: .seconds(110), title: "Advert", isInTableOfContents: false),
            Chapter(start: .seconds(150), end: .seconds(190), title: "Credits", isInTableOfContents: false),
        ]
        let chapters = try #require(ItemChapters([ChapterList(.inFile, all)], length: nil))
        let ends = chapters.ends(length: .seconds(length), skipsHidden: skipsHidden)
        #expect(ends == expected.map { .seconds($0) })
    }

    @Test("A hidden chapter with a title lasts until the next one; one without a title only changes the picture")
    func hidden() throws { #expect(try chapters().hidden == [.seconds(90) ..< .seconds(95)]) }

    @Test(
        "A distance counts only what is played: the spans that are left out do not count, except one up to the end",
        arguments: [
            (31, -10, 11), (31, -1, 30), (30, -10, 10), (25, -10, 10), (71, -12, 19), (5, -10, -5), (15, -10, 5),
            (15, 4, 19), (15, 5, 30), (15, 10, 35), (25, 10, 70), (15, 21, 76), (95, 10, 105),
        ])
    func distance(position: Int, distance: Int, expected: Int) {
        let spans: [Range<Duration>] = [
            .seconds(20) ..< .seconds(30), .seconds(40) ..< .seconds(60), .seconds(60) ..< .seconds(70),
            .seconds(100) ..< ItemChapters.never,
        ]
        let place = Duration.seconds(position).moved(by: .seconds(distance), without: spans)
        #expect(place == .seconds(expected))
    }

    @Test("Only lists from outside the file can be approximate")
    func approximate() {
        for source in ChapterList.Source.allCases {
            let chapters = ItemChapters([Self.list(source)], length: nil, isApproximate: true)
            #expect(chapters?.isApproximate == (source != .inFile) && chapters?.source == source)
        }
    }

    @Test(
        "A feed's list is approximate if the audio is longer or shorter than the feed says",
        arguments: [
            (MediaDuration.exact(.seconds(201)), false), (.exact(.seconds(230)), true),
            (.declared(.seconds(197)), true),
            (.estimated(.seconds(230)), false), (.unknown, false),
        ])
    func otherVersion(duration: MediaDuration, isApproximate: Bool) {
        var book = ChapterBook()
        book.update(.init(lists: [Self.list(.podlove)], duration: duration, claimedDuration: .seconds(200)))
        #expect(book.chapters?.isApproximate == isApproximate)
    }

    @Test("A feed's list moves to another version, and is approximate if a chapter's place there is unknown")
    func moved() {
        let times = VersionTimes([.init(old: .zero ..< .seconds(500), new: .seconds(7))])
        var book = ChapterBook()
        let cases: [(moves: [VersionTimes?], start: Int, isApproximate: Bool)] = [
            ([times], 17, false), ([nil], 10, true), ([times, times], 24, false),
        ]
        for (moves, start, isApproximate) in cases {
            book.update(.init(lists: [Self.list(.json)], moves: moves))
            #expect(book.chapters?.chapters.first?.start == .seconds(start))
            #expect(book.chapters?.isApproximate == isApproximate)
        }
        book.update(.init(lists: [Self.list(.inFile)], moves: [times]))
        #expect(book.chapters?.chapters.first?.start == .seconds(10), "the file's own list belongs to the new version")
    }

    @Test("An item announces that its list changed, and that it has none that fits its duration")
    func changed() throws {
        let item = PlaybackItem(id: 3, title: "", podcast: nil, location: "")
        let (all, fitting) = (try chapters(), ItemChapters([Self.list()], length: .seconds(160)))
        #expect(fitting?.chapters.map(\.title) == ["Opening", "The News", "News again"])
        var announcer = ChapterAnnouncer()
        let lists: [ItemChapters?] = [nil, all, fitting, nil, nil]
        let events = lists.flatMap { announcer.events(item, $0, at: nil) }
        #expect(events == [.chaptersFound(item, all), .chaptersFound(item, fitting), .chaptersFound(item, nil)])
    }

    @Test("An item that is not played shows also the only chapter of a list, but no chapter after its end")
    func shown() {
        let single = ChapterList(.notes, [Chapter(start: .zero, title: "x"), Chapter(start: .seconds(9), title: "end")])
        #expect(ItemChapters.shown([single], length: nil)?.chapters.count == 2)
        #expect(ItemChapters.shown([single], length: .seconds(9))?.chapters.map(\.title) == ["x"])
        #expect(ItemChapters.shown([Self.list(.notes)], length: .seconds(50)) == nil)
    }

    @Test("An item announces its list once, and each chapter when it begins")
    func announced() throws {
        let chapters = try chapters()
        let item = PlaybackItem(id: 3, title: "", podcast: nil, location: "")
        var announcer = ChapterAnnouncer()
        var events = announcer.events(item, nil, at: .zero)
        for second in [0, 5, 20, 30, 70, 155, 165] { events += announcer.events(item, chapters, at: .seconds(second)) }
        let numbers = events.compactMap { event -> Int? in
            if case .chapterChanged(_, let place) = event { place?.number ?? 0 } else { nil }
        }
        #expect(events.first == .chaptersFound(item, chapters) && events.count == 5)
        #expect(numbers == [1, 2, 0, 4])
    }
}

@Suite("PlaybackEdits")
struct PlaybackEditsTests {
    @Test(
        "Every frame is played, left out or held, whatever the size of the parts", arguments: 1...7 as ClosedRange<Int>)
    func parts(step: Int) {
        let edits = PlaybackEdits(hold: 40, cuts: [3..<5, 10..<20, 38..<50])
        var (frame, played): (Int64, [Int64]) = (0, [])
        loop: while frame < 60 {
            switch edits.part(from: frame, count: step) {
            case .played(let count):
                played += (0..<Int64(count)).map { frame + $0 }
                frame += Int64(count)
            case .leftOut(let count): frame += Int64(count)
            case .held: break loop
            }
        }
        #expect(frame == 40 && played == Array(0..<3) + Array(5..<10) + Array(20..<38))
    }

    @Test("Two edits differ in a range if a hold or a cut of one of them lies in it")
    func differences() {
        let edits = PlaybackEdits(hold: 100, cuts: [10..<20])
        #expect(!edits.differs(from: edits, in: 0..<1000))
        #expect(edits.differs(from: nil, in: 0..<11) && edits.differs(from: nil, in: 50..<101))
        #expect(!edits.differs(from: nil, in: 20..<100) && !edits.differs(from: nil, in: 0..<10))
    }
}
