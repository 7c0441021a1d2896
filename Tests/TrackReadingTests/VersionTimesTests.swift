// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing
import TrackReading

@Suite("Times of an earlier version")
struct VersionTimesTests {
    /// An advertisement of 30 seconds was inserted after 100 seconds; the first 200 seconds are known.
    private static let times = VersionTimes([
        .init(old: .zero ..< .seconds(100), new: .zero),
        .init(old: .seconds(100) ..< .seconds(200), new: .seconds(130)),
    ])

    @Test(
        "A time in common sound moves exactly, and a later one as far as the sound before it",
        arguments: [(0, 0, true), (99, 99, true), (100, 130, true), (150, 180, true), (250, 280, false)])
    func moves(old: Int, new: Int, isExact: Bool) {
        let moved = Self.times.time(ofOld: .seconds(old))
        #expect(moved.time == .seconds(new) && moved.isExact == isExact)
    }

    @Test("A time that moves by an estimated span is not exact")
    func estimated() {
        let times = VersionTimes([.init(old: .seconds(40) ..< .seconds(50), new: .seconds(70), isExact: false)])
        let moved = times.time(ofOld: .seconds(45))
        #expect(moved.time == .seconds(75) && !moved.isExact)
    }

    @Test(
        "An exact position moves as far as a span whose times are exact, and does not become an estimate",
        arguments: [(20, nil), (45, 75), (60, 90), (90, nil), (120, nil)] as [(Int, Int?)])
    func exact(old: Int, new: Int?) {
        let times = VersionTimes([
            .init(old: .seconds(40) ..< .seconds(50), new: .seconds(70)),
            .init(old: .seconds(80) ..< .seconds(100), new: .seconds(130), isExact: false),
        ])
        let moved = times.moved(.seconds(old), from: nil, newLength: 10_000)
        #expect(moved?.position == new.map { Duration.seconds($0) } && moved?.anchor == nil)
    }

    @Test(
        "An estimated position moves with the packet from which it counts",
        arguments: [(1000, 4000, 70), (1500, 4500, 75), (2500, 5500, 85)])
    func anchored(offset: Int, newOffset: Int, seconds: Int) {
        let bytes = VersionTimes.Span.Bytes(old: 1000..<2000, new: 4000)
        let times = VersionTimes([.init(old: .seconds(40) ..< .seconds(50), new: .seconds(70), bytes: bytes)])
        let anchor = TimeAnchor(offset: Int64(offset), time: .seconds(41), totalLength: 9000)
        let moved = times.moved(.seconds(38), from: anchor, newLength: 10_000)
        #expect(moved?.anchor == TimeAnchor(offset: Int64(newOffset), time: .seconds(seconds), totalLength: 10_000))
        #expect(moved?.position == .seconds(seconds - 3))
    }

    @Test(
        "An estimated position whose packet is not known to be in the new version does not become exact",
        arguments: [(999, 10_000), (8000, 10_000), (1000, nil)] as [(Int64, Int64?)])
    func unknown(offset: Int64, length: Int64?) {
        let bytes = VersionTimes.Span.Bytes(old: 1000..<2000, new: 4000)
        let times = VersionTimes([.init(old: .seconds(40) ..< .seconds(50), new: .seconds(70), bytes: bytes)])
        let anchor = TimeAnchor(offset: offset, time: .seconds(41), totalLength: 9000)
        let moved = times.moved(.seconds(45), from: anchor, newLength: length)
        #expect(moved?.position == nil)
    }

    @Test(
        "An estimated position moves with the sound at its distance from the packet", arguments: [(5, 75), (45, 85)])
    func anchoredInLaterSpan(distance: Int, seconds: Int) {
        // The new version lacks the 30 seconds between the spans.
        let bytes = VersionTimes.Span.Bytes(old: 1000..<2000, new: 4000)
        let later = VersionTimes.Span.Bytes(old: 5000..<7000, new: 5000)
        let times = VersionTimes([
            .init(old: .seconds(40) ..< .seconds(50), new: .seconds(70), bytes: bytes, isExact: false),
            .init(old: .seconds(80) ..< .seconds(100), new: .seconds(80), bytes: later, isExact: false),
        ])
        let anchor = TimeAnchor(offset: 1000, time: .seconds(541), totalLength: 9000)
        let moved = times.moved(.seconds(541 + distance), from: anchor, newLength: 10_000)
        #expect(moved?.anchor == TimeAnchor(offset: 4000, time: .seconds(70), totalLength: 10_000))
        #expect(moved?.position == .seconds(seconds))
    }

    @Test("A list is exact if all its chapters are in common sound", arguments: [190, 250])
    func list(last: Int) {
        let list = ChapterList(
            .podlove,
            [
                Chapter(start: .zero, end: .seconds(90), title: "A"), Chapter(start: .seconds(110), title: "B"),
                Chapter(start: .seconds(last), title: "C"),
            ])
        let moved = Self.times.moved(list)
        #expect(moved.list.chapters.map(\.start) == [.zero, .seconds(140), .seconds(last + 30)])
        #expect(moved.list.chapters.first?.end == .seconds(90) && moved.isExact == (last == 190))
    }
}
