// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Waiting for free disk space.
extension DownloadStateMachine {
    mutating func hold(_ reason: String) -> [Action] {
        switch state {
        case .connecting(let course, _), .receiving(let course, _), .backingOff(let course, _):
            let hold = Hold(reason: reason, needs: missing)
            let save = course.holding.extents.isEmpty ? [] : [Action.save(course.holding)]
            let dropped = dropJump()
            return dropped + [.cancelTransfer] + save + lookLater(course, hold)
        case .complete(let holding):
            // The last bytes did not reach the device, or the file could not be renamed.
            return fail(MediaFailure(.inputOutput, reason), holding)
        case .idle, .following, .held, .unverified, .failed:
            // Nothing is being written; previously stored content is on disk.
            return []
        }
    }

    mutating func look(_ isThere: Bool) -> [Action] {
        guard case .held(let course, let hold) = state else { return [] }
        return isThere ? connect(course, course.nextAsk()) : lookLater(course, hold)
    }

    private mutating func lookLater(_ course: Course, _ hold: Hold) -> [Action] {
        beginAttempt()
        move(to: .held(course, hold))
        return [.scheduleRetry(generation, after: Self.lookEvery)]
    }

    static let lookEvery = Duration.seconds(2)

    /// The number of bytes that remain to be stored, as far as the length is known.
    var missing: Int64 {
        var expected = holding
        switch state {
        case .held(_, let hold): return hold.needs
        case .receiving(_, let reception): expected = reception.pending ?? expected
        case .idle, .connecting, .following, .backingOff, .complete, .unverified, .failed: break
        }
        return max(0, (expected.entity.total ?? 0) - expected.extents.count)
    }
}
