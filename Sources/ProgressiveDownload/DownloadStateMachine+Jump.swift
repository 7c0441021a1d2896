// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Jumping to the reader's position: the bytes needed next are fetched before earlier gaps.
extension DownloadStateMachine {
    mutating func steer(to offset: Int64, _ rate: Double?) -> [Action] {
        switch state {
        case .connecting(var course, let ask):
            course.note(offset, rate)
            move(to: .connecting(course, ask))
            // Only once: if the reader keeps seeking, the machine waits for the answer.
            guard case .rest(let start, let end) = ask, course.canJump, !course.hasTriedAtOnce, !course.awaitsAddress,
                let gap = course.nextGap, !course.isSoon(gap, from: start, to: end)
            else { return [] }
            course.hasTriedAtOnce = true
            return [.cancelTransfer] + connect(course, course.nextAsk())
        case .receiving(var course, let reception):
            // The limit is fixed while a jump is pending; otherwise a varying rate would start and cancel it
            // repeatedly.
            course.note(offset, rate, keepsLimit: jump != nil)
            move(to: .receiving(course, reception))
            return steer(course, reception)
        case .backingOff(var course, let wait):
            let before = course.nextGap
            course.note(offset, rate)
            move(to: .backingOff(course, wait))
            // A position that was not requested yet justifies one immediate attempt. More would use up the retries,
            // and a time specified by the server is respected.
            guard !wait.isAsked, let gap = course.nextGap, course.canJump, !course.hasTriedAtOnce, let before,
                !course.isSoon(gap, from: before.lowerBound)
            else { return [] }
            course.hasTriedAtOnce = true
            return [.cancelTransfer] + connect(course, course.nextAsk())
        case .held(var course, let hold):
            course.note(offset, rate)
            move(to: .held(course, hold))
            return []
        case .idle, .following, .complete, .unverified, .failed:
            // No transfer runs in this process, or no bytes are missing.
            return []
        }
    }

    private mutating func steer(_ course: Course, _ reception: Reception) -> [Action] {
        guard reception.pending == nil, course.canJump, let gap = course.nextGap else { return dropJump() }
        // The transfer is about to end, and the next request starts at the needed bytes.
        if let end = reception.end, course.holding.extents.contiguousEnd(from: reception.offset) >= end { return [] }
        if course.isSoon(gap, from: reception.offset, to: reception.end) { return dropJump() }
        if let jump, course.isSoon(gap, from: jump.ask.offset, to: jump.ask.end) { return [] }
        return beginJump(course, course.ask(for: gap))
    }

    /// Evaluates the server's answer to a jump. Only exactly the requested bytes of the stored version justify
    /// cancelling the running transfer.
    mutating func judgeJump(_ head: ResponseHead) -> [Action] {
        guard case .receiving(var course, let before) = state, let jump else { return [] }
        switch RangeVerdict.judge(head, requested: jump.ask.offset, known: course.known) {
        case .append:
            let save = before.unsaved > 0 ? [Action.save(course.holding)] : []
            course.refusals = 0
            course.holding.finalURL = head.finalURL
            move(to: .receiving(course, Reception(offset: jump.ask.offset, end: jump.ask.end, endIsMarked: true)))
            return adopt(jump) + save
        case .restart, .changed:
            // The server sends only from the beginning, or a different version: the running transfer is the only
            // usable one.
            course.canSkip = false
            move(to: .receiving(course, before))
            return dropJump()
        case .alreadyComplete, .reject, .retry: return refuseJump()
        }
    }

    /// Records a failed jump; the next one is tried when the reader asks again.
    mutating func refuseJump(isLate: Bool = false) -> [Action] {
        guard case .receiving(var course, let reception) = state else { return [] }
        course.refusals += 1
        if isLate { course.lateAnswers += 1 }
        move(to: .receiving(course, reception))
        return dropJump()
    }
}

extension DownloadStateMachine.Course {
    fileprivate mutating func note(_ offset: Int64, _ rate: Double?, keepsLimit: Bool = false) {
        needed = max(0, offset)
        if !keepsLimit, let rate { skipLimit = SkipDistance.limit(bytesPerSecond: rate) }
    }

    /// True if the server is expected to accept a range far ahead.
    var canSkipAhead: Bool { canSkip && takesRanges && refusals < DownloadStateMachine.mostRefusals }

    fileprivate var canJump: Bool { canSkipAhead && holding.entity.total != nil && !holding.extents.isEmpty }

    /// The range to fetch next.
    var nextGap: ByteRange? { holding.nextGap(needed: canSkip ? needed : 0, limit: skipLimit) }

    func wait(
        _ reason: MediaFailure, until time: Duration, _ trouble: RetryPolicy.Trouble
    ) -> DownloadStateMachine.Wait {
        var wait = DownloadStateMachine.Wait(reason: reason.reason, until: time, triesLeft: policy.triesLeft)
        if case .answer(retryAfter: .some) = trouble { wait.isAsked = true }
        return wait
    }

    func nextAsk() -> DownloadStateMachine.Ask { takesRanges ? ask(for: nextGap) : .whole }

    /// Returns the range request for `gap`. If validators are ignored, the overlap that is compared is larger.
    fileprivate func ask(for gap: ByteRange?) -> DownloadStateMachine.Ask {
        holding.ask(for: gap, overlap: ignoresValidators ? 16 * Holding.overlap : Holding.overlap)
    }

    /// True if a transfer from `start` reaches the gap sooner than a new request would.
    fileprivate func isSoon(_ gap: ByteRange, from start: Int64, to end: Int64? = nil) -> Bool {
        start <= gap.lowerBound && gap.lowerBound - start <= skipLimit && gap.lowerBound < end ?? .max
    }

    func validator(for ask: DownloadStateMachine.Ask) -> EntityValidator? {
        if case .rest = ask, !ignoresValidators { holding.entity.validator } else { nil }
    }
}
