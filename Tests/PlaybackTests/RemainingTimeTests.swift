// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Media
import Testing

@testable import Playback

@Suite("Remaining time")
struct RemainingTimeTests {
    private func status(
        at seconds: Int?, of duration: MediaDuration, until end: TimeTarget? = nil, skipping skipped: Int = 0,
        speed: Double = 1
    ) -> PlayerStatus {
        var status = PlayerStatus()
        status.item = PlaybackItem(
            id: 0, title: "", podcast: nil, location: "", end: end,
            skippedEnd: SkippedEnd(.seconds(skipped), besides: .zero))
        status.position = seconds.map { .seconds($0) }
        status.duration = duration
        status.sound = SoundSettings(speed: speed)
        return status
    }

    @Test("The remaining time is that until the end of the item, at the present speed")
    func whole() {
        #expect(status(at: 40, of: .exact(.seconds(100))).remaining == .seconds(60))
        #expect(status(at: 40, of: .estimated(.seconds(100)), speed: 2).remaining == .seconds(30))
        #expect(status(at: nil, of: .exact(.seconds(100))).remaining == nil)
        #expect(status(at: 40, of: .unknown).remaining == nil)
    }

    @Test("The remaining time ends at a chosen end")
    func chosenEnd() {
        #expect(status(at: 40, of: .exact(.seconds(100)), until: .time(.seconds(70))).remaining == .seconds(30))
        #expect(status(at: 40, of: .exact(.seconds(100)), until: .fraction(0.5)).remaining == .seconds(10))
        #expect(status(at: 40, of: .exact(.seconds(100)), until: .time(.seconds(120))).remaining == .seconds(60))
        #expect(status(at: 40, of: .unknown, until: .time(.seconds(70)), speed: 2).remaining == .seconds(15))
        #expect(status(at: 80, of: .exact(.seconds(100)), until: .time(.seconds(70))).remaining == .zero)
    }

    @Test("The remaining time leaves out hidden chapters only if they are skipped")
    func hiddenChapters() {
        let starts = [(0, true), (50, false), (60, true), (80, false)]
        let chapters = starts.map { Chapter(start: .seconds($0.0), title: "x", isInTableOfContents: $0.1) }
        for (skips, position, expected) in [(false, 40, 60), (true, 40, 30), (true, 55, 20), (true, 90, 0)] {
            let status = PlayerStatus(
                item: PlaybackItem(id: 0, title: "", podcast: nil, location: "", skipsHiddenChapters: skips),
                position: .seconds(position), duration: .exact(.seconds(100)),
                chapters: ItemChapters([ChapterList(.inFile, chapters)], length: .seconds(100)))
            #expect(status.remaining == .seconds(expected), "\(skips) \(position)")
        }
    }

    @Test("The remaining time leaves out an end that is skipped")
    func skippedEnd() {
        #expect(status(at: 40, of: .exact(.seconds(100)), skipping: 20).remaining == .seconds(40))
        #expect(status(at: 40, of: .estimated(.seconds(100)), skipping: 20).remaining == .seconds(60))
        #expect(status(at: 80, of: .exact(.seconds(100)), skipping: 20).remaining == .zero)
        #expect(status(at: 90, of: .exact(.seconds(100)), skipping: 20).remaining == .seconds(10))
    }
}
