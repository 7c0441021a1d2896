// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Measuring
import Subscriptions

/// The outcomes of a refresh, and its cost since the tally was created.
struct Tally {
    private let start = ContinuousClock.now
    private let processorBefore = Self.processorSeconds
    var changed = 0
    var unchanged = 0
    var failed = 0
    /// The number of episodes that were parsed, or are new to the library.
    var episodes = 0

    mutating func note(_ outcome: RefreshOutcome) {
        switch outcome {
        case .changed(_, _, let count): (changed, episodes) = (changed + 1, episodes + count)
        case .unchanged: unchanged += 1
        case .gone, .notAFeed, .failed: failed += 1
        }
    }

    mutating func note(_ outcome: LibraryRefresh.FeedResult.Outcome) {
        switch outcome {
        case .changed(let new, _): (changed, episodes) = (changed + 1, episodes + new.count)
        case .unchanged: unchanged += 1
        case .gone, .failed, .rests, .quiet: failed += 1
        }
    }

    func json() -> String {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return "{\"seconds\":\(seconds),\"processor_seconds\":\(Self.processorSeconds - processorBefore),"
            + "\"peak_kilobytes\":\(ProcessUse.now.peakKilobytes),\"changed\":\(changed),\"unchanged\":\(unchanged),"
            + "\"failed\":\(failed),\"episodes\":\(episodes)}"
    }

    private static var processorSeconds: Double {
        var use = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &use)
        return [use.ru_utime, use.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
