// SPDX-License-Identifier: GPL-3.0-or-later
import Playback
import Testing

@testable import Sessions

@Suite("The sleep timer that clients compute")
struct SleepCorrectionTests {
    /// Returns whether clients are corrected at each status of a timer, at a time in seconds.
    private func corrections(_ statuses: [(SleepTimer?, isPlaying: Bool, at: Int)]) -> [Bool] {
        var sleep = SleepCorrection()
        return statuses.map { timer, isPlaying, time in
            let status = PlayerStatus(activity: isPlaying ? .playing : .paused(waiting: false), sleep: timer)
            return sleep.update(status, at: .seconds(time))
        }
    }

    private static func seconds(_ seconds: Int) -> SleepTimer { .after(.seconds(seconds)) }

    @Test("A timer that is set, changed or removed is a correction, also while playback is paused")
    func changes() {
        #expect(corrections([(nil, true, 0), (Self.seconds(60), true, 1), (nil, true, 2)]) == [false, true, true])
        #expect(
            corrections([
                (Self.seconds(3600), false, 0), (Self.seconds(1500), false, 4000), (Self.seconds(1800), false, 4001),
                (.endOfChapter(count: 2), false, 4002), (.endOfItem(count: 2), false, 4003),
            ]) == [true, true, true, true, true])
    }

    @Test("The time that passes while sound plays is not a correction")
    func passing() {
        #expect(
            corrections([
                (Self.seconds(60), true, 0), (Self.seconds(50), true, 10), (Self.seconds(40), false, 20),
                (Self.seconds(40), true, 90), (.endOfItem(count: 1), true, 91), (.endOfItem(count: 1), true, 92),
            ]) == [true, false, false, false, true, false])
    }

    @Test("A timer that is shortened while sound plays, or whose last chapter but one ended, is a correction")
    func shortened() {
        #expect(corrections([(Self.seconds(60), true, 0), (Self.seconds(30), true, 10)]) == [true, true])
        #expect(corrections([(.endOfChapter(count: 2), true, 0), (.endOfChapter(count: 1), true, 1)]) == [true, true])
    }
}
