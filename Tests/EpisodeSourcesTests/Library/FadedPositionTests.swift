// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import Testing

@Suite("Saved positions while the sleep timer fades the sound")
struct FadedPositionTests {
    private static let first = PlaybackItem(id: 0, title: "The storm", podcast: nil, location: "a.mp3")
    private static let second = PlaybackItem(id: 1, title: "The calm", podcast: nil, location: "b.mp3")

    private static func status(
        _ seconds: Double, in item: PlaybackItem, isFading: Bool = true, _ activity: PlayerStatus.Activity = .playing
    ) -> PlayerStatus {
        var status = PlayerStatus(
            activity: activity, item: item, position: .seconds(seconds), duration: .exact(.seconds(1800)))
        status.fadedItem = isFading ? 0 : nil
        return status
    }

    /// The status after the timer has returned to the first item.
    private static var returned: PlayerStatus {
        var status = status(1790, in: first, isFading: false, .paused(waiting: false))
        (status.isSeeking, status.isPaused, status.fadeReturns) = (true, true, 1)
        return status
    }

    /// A log after a fade that began in the first episode and goes on in the second one.
    /// - Returns: the log, and its entries since the first episode ended.
    private static func faded() -> (log: PositionLog, entries: [PositionLog.Entry]) {
        var log = PositionLog()
        log.register(0, as: 7)
        log.register(1, as: 8)
        _ = log.note(.itemStarted(first), status(1780, in: first, isFading: false), at: .zero)
        _ = log.tick(status(1799, in: first), at: .seconds(19))
        var entries = log.note(.itemEnded(first), status(1800, in: first), at: .seconds(20))
        entries += log.note(.itemStarted(second), status(0, in: second), at: .seconds(20))
        entries += log.tick(status(5, in: second), at: .seconds(25))
        return (log, entries)
    }

    /// The episodes and positions of entries, in seconds; -1 for the end of an episode.
    private static func positions(_ entries: [PositionLog.Entry]) -> [[Double]] {
        entries.compactMap { entry in
            switch entry {
            case .save(let episode, let position, _): [Double(episode), position.position / .seconds(1)]
            case .finish(let episode, _): [Double(episode), -1]
            case .begin, .download, .listened: nil
            }
        }
    }

    @Test("Until the fade ends, the first episode counts as not finished and the second as not heard")
    func waiting() {
        let (_, entries) = Self.faded()
        #expect(entries == [.begin(episode: 8)])
    }

    @Test("When the timer returns to the first episode, only the place where the fade began is stored")
    func returning() {
        var (log, _) = Self.faded()
        let entries = log.note(.activityChanged(.paused(waiting: false)), Self.returned, at: .seconds(30))
            + log.note(.sleepTimerEnded(Self.first), Self.returned, at: .seconds(30))
            + log.tick(Self.returned, at: .seconds(31)) + log.close(Self.returned, at: .seconds(32))
        #expect(Self.positions(entries).allSatisfy { $0 == [7, 1790] } && !entries.isEmpty)
    }

    @Test("The end of an episode does not count if it is handled after the timer has returned to it", arguments: 0...2)
    func lateEnd(ticks: Int) {
        var log = PositionLog()
        log.register(0, as: 7)
        _ = log.note(.itemStarted(Self.first), Self.status(1780, in: Self.first, isFading: false), at: .zero)
        var entries = log.tick(Self.status(1799, in: Self.first), at: .seconds(19))
        for _ in 0..<ticks { entries += log.tick(Self.returned, at: .seconds(20)) }
        entries += log.note(.itemEnded(Self.first), Self.returned, at: .seconds(20))
        entries += log.note(.activityChanged(.paused(waiting: false)), Self.returned, at: .seconds(20))
        entries += log.note(.sleepTimerEnded(Self.first), Self.returned, at: .seconds(20))
        entries += log.close(Self.returned, at: .seconds(21))
        let positions = Self.positions(entries)
        #expect(positions.last == [7, 1790] && !positions.contains([7, -1]))
    }

    @Test("A fade that no status has shown is noticed by the return after it")
    func unseen() {
        var log = PositionLog()
        log.register(0, as: 7)
        _ = log.note(.itemStarted(Self.first), Self.status(1780, in: Self.first, isFading: false), at: .zero)
        var entries = log.note(.itemEnded(Self.first), Self.returned, at: .seconds(20))
        entries += log.note(.sleepTimerEnded(Self.first), Self.returned, at: .seconds(20))
        #expect(Self.positions(entries).last == [7, 1790] && !Self.positions(entries).contains([7, -1]))
    }

    @Test("A pause in the fade by the listener, in a repetition of the episode, stores its end")
    func repeated() {
        var log = PositionLog()
        log.register(0, as: 7)
        _ = log.note(.itemStarted(Self.first), Self.status(1780, in: Self.first, isFading: false), at: .zero)
        _ = log.tick(Self.status(1799, in: Self.first), at: .seconds(19))
        _ = log.note(.itemEnded(Self.first), Self.status(1800, in: Self.first), at: .seconds(20))
        _ = log.note(.itemStarted(Self.first), Self.status(0, in: Self.first), at: .seconds(20))
        var paused = Self.status(3, in: Self.first, isFading: false, .paused(waiting: false))
        paused.isPaused = true
        let entries = log.note(.activityChanged(.paused(waiting: false)), paused, at: .seconds(23))
        #expect(Self.positions(entries).contains([7, -1]))
    }

    @Test("When the listener ends the fade, everything is stored that waited, in order")
    func extended() {
        var (log, _) = Self.faded()
        let entries = log.tick(Self.status(6, in: Self.second, isFading: false), at: .seconds(26))
        #expect(Self.positions(entries) == [[7, -1], [8, 5], [8, 6]])
    }

    @Test("When playback is left during the fade, everything is stored that waited")
    func left() {
        var (log, _) = Self.faded()
        let entries = log.close(Self.status(6, in: Self.second), at: .seconds(26))
        #expect(Self.positions(entries) == [[7, -1], [8, 5], [8, 6]])
    }

    @Test("Before the first episode ends, its positions are stored also during the fade")
    func before() {
        var log = PositionLog()
        log.register(0, as: 7)
        _ = log.note(.itemStarted(Self.first), Self.status(1780, in: Self.first, isFading: false), at: .zero)
        let entries = log.tick(Self.status(1790, in: Self.first), at: .seconds(10))
        #expect(Self.positions(entries) == [[7, 1790]])
    }

    @Test("A later fade that begins in the second episode stores the end of the first one")
    func laterFade() {
        var (log, _) = Self.faded()
        var later = Self.status(6, in: Self.second)
        later.fadedItem = 1
        #expect(Self.positions(log.tick(later, at: .seconds(26))) == [[7, -1], [8, 5], [8, 6]])
    }
}
