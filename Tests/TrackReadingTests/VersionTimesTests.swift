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
