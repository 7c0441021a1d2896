// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import Testing

@Suite("Saved positions")
struct PositionLogTests {
    static let item = PlaybackItem(id: 0, title: "The storm", podcast: nil, location: "a.mp3")
    static let next = PlaybackItem(id: 1, title: "The calm", podcast: nil, location: "b.mp3")

    private func status(
        _ seconds: Double, item: PlaybackItem = item, _ activity: PlayerStatus.Activity = .playing
    ) -> PlayerStatus {
        PlayerStatus(
            activity: activity, item: item, position: .seconds(seconds), duration: .exact(.seconds(1800)),
            downloadProgress: DownloadProgress(condition: .receiving, total: 5000))
    }

    private func log() -> PositionLog {
        var log = PositionLog()
        log.register(0, as: 7)
        log.register(1, as: 8)
        return log
    }

    private func save(
        _ seconds: Double, heard: Range<Double>?, inAll: Double, _ durability: Library.Durability, episode: Int64 = 7
    ) -> PositionLog.Entry {
        .save(
            episode: episode,
            PlaybackPosition(
                position: .seconds(seconds), duration: .seconds(1800), version: "5000 bytes",
                heard: heard.map { .seconds($0.lowerBound) ..< .seconds($0.upperBound) },
                heardInAll: .seconds(inAll)),
            durability)
    }

    @Test("During playback the position is saved twice a second with the range played since")
    func ticks() {
        var log = log()
        #expect(log.note(.itemStarted(Self.item), status(0), at: .zero) == [.begin(episode: 7)])
        #expect(log.tick(status(0.2), at: .milliseconds(200)) == [])
        #expect(log.tick(status(0.5), at: .milliseconds(500)) == [save(0.5, heard: 0..<0.5, inAll: 0.5, .tick)])
        #expect(log.tick(status(0.7), at: .milliseconds(700)) == [])
        #expect(log.tick(status(1), at: .milliseconds(1000)) == [save(1, heard: 0.5..<1, inAll: 1, .tick)])
    }

    @Test("An estimated position is saved with its packet until it is exact")
    func estimated() {
        var log = log()
        let anchor = TimeAnchor(offset: 3000, time: .seconds(100), totalLength: 5000)
        var estimate = status(101)
        estimate.anchor = anchor
        _ = log.note(.itemStarted(Self.item), estimate, at: .zero)

        let saved = log.tick(estimate, at: .milliseconds(500))
        let later = log.tick(status(71), at: .milliseconds(1000))
        let sought = log.note(
            .seekLanded(Self.item, at: .seconds(101), isEstimated: true, waited: .zero), estimate, at: .seconds(2))

        #expect(Self.anchors(saved) == [anchor])
        #expect(Self.anchors(later) == [nil])
        #expect(Self.anchors(sought).last == anchor)
    }

    @Test("The target of a seek that is a part of an estimated duration does not replace the place that was heard")
    func estimatedTarget() {
        var log = log()
        _ = log.note(.itemStarted(Self.item), status(10), at: .zero)
        var waiting = status(1500, .paused(waiting: true))
        (waiting.isSeeking, waiting.positionIsEstimated) = (true, true)

        let entries = log.close(waiting, at: .seconds(1))

        let positions = entries.compactMap { entry -> Duration? in
            if case .save(_, let position, _) = entry { position.position } else { nil }
        }
        #expect(positions == [.seconds(10)])
    }

    @Test("The duration and the version of a file whose end nothing confirms are not saved")
    func unverifiedEnd() {
        var log = log()
        var cut = status(16)
        cut.duration = .exact(.seconds(16))
        cut.downloadProgress?.condition = .complete
        cut.downloadProgress?.unverified = DownloadProgress.Unverified(promised: nil)
        var start = status(15)
        start.duration = .unknown
        _ = log.note(.itemStarted(Self.item), start, at: .zero)

        let saved = Self.positions(log.close(cut, at: .seconds(1)))
        #expect(saved.map(\.duration) == [nil])
        #expect(saved.map(\.version) == [nil])
    }

    @Test("The duration that a file declares is saved although nothing confirms its end", arguments: [false, true])
    func declaredDuration(isCounted: Bool) {
        var log = log()
        var cut = status(16)
        cut.downloadProgress?.unverified = DownloadProgress.Unverified(promised: nil)
        cut.duration = .declared(.seconds(1800))
        _ = log.note(.itemStarted(Self.item), cut, at: .zero)
        // WAV declares no more than the received part then.
        cut.duration = isCounted ? .exact(.seconds(16)) : .declared(.seconds(16))

        let saved = Self.positions(log.close(cut, at: .seconds(1)))
        #expect(saved.map(\.duration) == [.seconds(1800)])
    }

    private static func positions(_ entries: [PositionLog.Entry]) -> [PlaybackPosition] {
        entries.compactMap { entry -> PlaybackPosition? in
            if case .save(_, let position, _) = entry { position } else { nil }
        }
    }

    private static func anchors(_ entries: [PositionLog.Entry]) -> [TimeAnchor?] {
        entries.compactMap { entry -> TimeAnchor?? in
            if case .save(_, let position, _) = entry { .some(position.anchor) } else { nil }
        }
    }

    @Test("The time that episodes were heard is written once, and rounded in the sum")
    func listening() {
        var log = log()
        let third = Duration.seconds(1) / 3
        let heard = { (count: Int) in
            HeardTime(source: third * count * 2, played: third * count, trimmed: third * count / 2)
        }
        var sum = ListeningTime()
        for count in 1...30 {
            let entries = log.listen([0: heard(count), 5: heard(count)], on: ListeningDay(4))
            guard case .listened(7, ListeningDay(4), let time) = entries.first, entries.count == 1 else {
                Issue.record("\(entries)")
                return
            }
            sum += time
        }
        #expect(log.listen([0: heard(30)], on: ListeningDay(4)) == [])
        #expect(sum == ListeningTime(heard: 20_000_000, wall: 10_000_000, trimmed: 5_000_000))
    }

    @Test("While playback is paused, and when it ends, the target of a seek is saved if it lies before the end")
    func soughtWithoutSound() {
        for (seconds, isSaved) in [(900.0, true), (1.0, true), (7200, false)] {
            for isClosing in [false, true] {
                var log = log()
                _ = log.note(.itemStarted(Self.item), status(0), at: .zero)
                _ = log.tick(status(2), at: .seconds(2))
                var seeking = status(seconds, isClosing ? .seeking : .paused(waiting: true))
                seeking.isSeeking = true
                let entries = isClosing ? log.close(seeking, at: .seconds(3)) : log.tick(seeking, at: .seconds(3))
                #expect(entries.contains(save(seconds, heard: nil, inAll: 2, .act)) == isSaved, "\(entries)")
                if !isClosing { #expect(!log.tick(seeking, at: .seconds(4)).contains { $0.episode == 7 }) }
            }
        }
    }

    @Test("A seek in an item that was paused before its first sound is saved")
    func soughtBeforeSound() {
        var log = log()
        var seeking = status(900, .paused(waiting: true))
        seeking.isSeeking = true
        #expect(log.tick(seeking, at: .zero).contains(save(900, heard: nil, inAll: 0, .act)))
    }

    @Test("The target of a seek in progress is not saved")
    func seeking() {
        var log = log()
        _ = log.note(.itemStarted(Self.item), status(0), at: .zero)
        #expect(log.tick(status(2), at: .seconds(2)) == [save(2, heard: 0..<2, inAll: 2, .tick)])
        var seeking = status(7200)
        seeking.isSeeking = true
        #expect(log.tick(seeking, at: .seconds(3)) == [])
        let saved = log.close(seeking, at: .seconds(4)).filter { if case .save = $0 { true } else { false } }
        #expect(saved == [save(2, heard: nil, inAll: 2, .act)])
    }

    @Test("Every fifteen seconds a position is saved durably")
    func durable() {
        var log = log()
        _ = log.note(.itemStarted(Self.item), status(0), at: .zero)
        let entries = (1...31).flatMap { log.tick(status(Double($0)), at: .seconds($0)) }
        let durable = entries.compactMap { entry -> Duration? in
            if case .save(_, let position, .act) = entry { position.position } else { nil }
        }
        #expect(durable == [.seconds(15), .seconds(30)])
    }

    @Test("While playback is paused no position is saved")
    func paused() {
        var log = log()
        _ = log.note(.itemStarted(Self.item), status(0), at: .zero)
        let paused = PlayerEvent.activityChanged(.paused(waiting: false))
        let entries = log.note(paused, status(2, .paused(waiting: false)), at: .seconds(2))
        #expect(entries.first == save(2, heard: 0..<2, inAll: 2, .act))
        #expect((3...600).allSatisfy { log.tick(status(2, .paused(waiting: false)), at: .seconds($0)) == [] })
    }

    @Test("A seek adds no played range")
    func seek() {
        var log = log()
        _ = log.note(.itemStarted(Self.item), status(0), at: .zero)
        _ = log.tick(status(1), at: .seconds(1))
        let landed = PlayerEvent.seekLanded(Self.item, at: .seconds(600), isEstimated: false, waited: .zero)
        let entries = log.note(landed, status(600), at: .seconds(2))
        #expect(entries.first == save(1, heard: nil, inAll: 1, .tick))
        #expect(entries.dropFirst().first == save(600, heard: nil, inAll: 1, .act))
        #expect(log.tick(status(601), at: .seconds(3)) == [save(601, heard: 600..<601, inAll: 2, .tick)])
    }

    @Test("A finished episode stays finished although the status still shows it")
    func end() {
        var log = log()
        _ = log.note(.itemStarted(Self.item), status(1799), at: .zero)
        let entries = log.note(.itemEnded(Self.item), status(1800), at: .seconds(1))
        #expect(entries.first == .finish(episode: 7, heard: .seconds(1799) ..< .seconds(1800)))
        #expect(log.tick(status(1800), at: .seconds(5)) == [])
        #expect(log.close(status(1800), at: .seconds(6)) == [])
    }

    @Test(
        "An item with an end stops there and is not finished",
        arguments: [(.time(.seconds(9)), 9), (.fraction(0.25), 450)] as [(TimeTarget, Double)])
    func until(end: TimeTarget, stop: Double) {
        var log = PositionLog()
        let part = PlaybackItem(id: 3, title: "x", podcast: nil, location: "c.mp3", end: end)
        log.register(3, as: 9)
        _ = log.note(.itemStarted(part), status(0, item: part), at: .zero)
        let entries = log.note(.itemEnded(part), status(0, item: part), at: .seconds(9))
        #expect(entries.first == save(stop, heard: 0..<stop, inAll: stop, .act, episode: 9))
        #expect(log.close(status(0, item: part), at: .seconds(10)) == [])
    }

    @Test("An item with an end after the end of the episode is finished")
    func untilTheEnd() {
        var log = PositionLog()
        let all = PlaybackItem(id: 3, title: "x", podcast: nil, location: "c.mp3", end: .time(.seconds(2000)))
        log.register(3, as: 9)
        _ = log.note(.itemStarted(all), status(0, item: all), at: .zero)
        let entries = log.note(.itemEnded(all), status(1800, item: all), at: .seconds(9))
        #expect(entries.first == .finish(episode: 9, heard: .zero ..< .seconds(1800)))
    }

    @Test("The start of the next item saves the position of the previous one")
    func next() {
        var log = log()
        _ = log.note(.itemStarted(Self.item), status(0), at: .zero)
        _ = log.tick(status(40), at: .seconds(1))
        let entries = log.note(.itemStarted(Self.next), status(0, item: Self.next), at: .seconds(2))
        #expect(entries.first == save(40, heard: nil, inAll: 0, .act))
        #expect(entries.last == .begin(episode: 8))
    }

    @Test("A repeated episode is counted from zero again")
    func repeated() {
        var log = log()
        _ = log.note(.itemStarted(Self.item), status(1798), at: .zero)
        _ = log.tick(status(1799), at: .seconds(1))
        _ = log.note(.itemEnded(Self.item), status(1800), at: .seconds(2))
        _ = log.note(.itemStarted(Self.item), status(0), at: .seconds(3))
        #expect(log.tick(status(1), at: .seconds(4)) == [save(1, heard: 0..<1, inAll: 1, .tick)])
    }

    @Test("The start of a repetition in the middle is saved immediately, because the end stored the beginning")
    func repeatedInTheMiddle() {
        var log = log()
        _ = log.note(.itemStarted(Self.item), status(1700), at: .zero)
        _ = log.note(.itemEnded(Self.item), status(1800), at: .seconds(2))
        let entries = log.note(.itemStarted(Self.item), status(1700), at: .milliseconds(2001))
        #expect(entries == [.begin(episode: 7), save(1700, heard: nil, inAll: 0, .tick)])
    }

    @Test("Items outside of the library are not saved")
    func stranger() {
        var log = PositionLog()
        #expect(log.note(.itemStarted(Self.item), status(0), at: .zero) == [])
        #expect(log.tick(status(100), at: .seconds(100)) == [])
        #expect(log.close(status(100), at: .seconds(101)) == [])
    }
}
