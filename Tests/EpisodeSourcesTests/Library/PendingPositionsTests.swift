// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media
import Testing

@testable import EpisodeSources

@Suite("Positions waiting for the library")
struct PendingNotesTests {
    private let now = UTCTime(secondsSince1970: 1000)

    private func seconds(_ range: Range<Int>) -> Range<Duration> {
        .seconds(range.lowerBound) ..< .seconds(range.upperBound)
    }

    private func place(_ end: Int, heard: Range<Int>?, of episode: Int64 = 7) -> PlaybackPosition {
        PlaybackPosition(position: .seconds(end), heard: heard.map(seconds))
    }

    private func save(_ end: Int, heard: Range<Int>?, of episode: Int64 = 7) -> PositionLog.Entry {
        .save(episode: episode, place(end, heard: heard), .tick)
    }

    private func pending(_ entries: PositionLog.Entry...) -> PendingPositions {
        var pending = PendingPositions()
        for entry in entries { pending.add(entry, at: now) }
        return pending
    }

    private func note(_ event: PlaybackRecord.Event, of episode: Int64 = 7) -> PlaybackRecord {
        PlaybackRecord(episode, event, at: now)
    }

    @Test("Of several positions the last one is kept, with all played ranges")
    func latest() {
        let pending = pending(.begin(episode: 7), save(1, heard: 0..<1), .begin(episode: 7), save(2, heard: 1..<2))
        #expect(pending.notes == [note(.began), note(.position(place(2, heard: 0..<2)))])
    }

    @Test("Playback before and after a seek is kept as two ranges")
    func jumps() {
        let pending = pending(
            save(1, heard: 0..<1), save(61, heard: 60..<61), save(62, heard: 61..<62), save(2, heard: 1..<2))
        #expect(
            pending.notes == [
                note(.played(seconds(0..<1))), note(.played(seconds(60..<62))),
                note(.position(place(2, heard: 1..<2))),
            ])
    }

    @Test("The end of an episode replaces its positions, and a later position follows it")
    func finished() {
        var pending = pending(save(1, heard: 0..<1), .finish(episode: 7, heard: seconds(1..<3)))
        #expect(pending.notes == [note(.finished(heard: seconds(0..<3)))])
        for second in 1...9 { pending.add(save(second, heard: nil), at: now) }
        #expect(pending.notes == [note(.finished(heard: seconds(0..<3))), note(.position(place(9, heard: nil)))])
        pending.add(.finish(episode: 7, heard: nil), at: now)
        #expect(pending.notes == [note(.finished(heard: seconds(0..<3)))])
    }

    @Test("Episodes are independent of each other")
    func episodes() {
        let pending = pending(save(1, heard: nil), save(2, heard: nil, of: 8), save(3, heard: nil))
        #expect(pending.notes == [note(.position(place(2, heard: nil)), of: 8), note(.position(place(3, heard: nil)))])
    }

    @Test("Entries that could not be written come before newer ones")
    func appended() {
        var earlier = pending(.begin(episode: 7), save(1, heard: 0..<1), .save(episode: 8, place(5, heard: nil), .act))
        earlier.append(
            pending(save(2, heard: 1..<2), .download(episode: 7, DownloadProgress(condition: .receiving, total: 5))))
        #expect(
            earlier.notes == [
                note(.began), note(.position(place(5, heard: nil)), of: 8),
                note(.position(place(2, heard: 0..<2))),
            ])
        #expect(earlier.isDurable && earlier.arrivals.count == 1)
    }

    @Test("Hours of waiting for a lock are merged into one entry")
    func bounded() {
        var pending = PendingPositions()
        for second in 0..<20_000 { pending.add(save(second + 1, heard: second..<second + 1), at: now) }
        #expect(pending.notes == [note(.position(place(20_000, heard: 0..<20_000)))])
    }
}
