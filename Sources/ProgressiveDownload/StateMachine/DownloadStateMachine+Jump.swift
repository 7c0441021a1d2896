// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Jumping to the reader's position: the bytes needed next are fetched before earlier gaps.
extension DownloadStateMachine {
    mutating func steer(to offset: Int64, _ limit: Int64?) -> [Action] {
        switch state {
        case .connecting(var transfer, let ask):
            transfer.note(offset, limit)
            move(to: .connecting(transfer, ask))
            // Only once: if the reader keeps seeking, the machine waits for the answer. A comparison comes first.
            guard case .rest(let start, let end) = ask, ask != transfer.comparison, transfer.canJump,
                !transfer.hasSkippedDelay, !transfer.awaitsAddress,
                let gap = transfer.nextGap, !transfer.isSoon(gap, from: start, to: end)
            else { return [] }
            transfer.hasSkippedDelay = true
            return [.cancelTransfer] + connect(transfer, transfer.nextRequest())
        case .receiving(var transfer, let incoming):
            // The limit is fixed while a jump is pending; otherwise a varying rate would start and cancel it
            // repeatedly.
            transfer.note(offset, limit, keepsLimit: jump != nil)
            move(to: .receiving(transfer, incoming))
            return steer(transfer, incoming)
        case .backingOff(var transfer, let wait):
            let before = transfer.nextGap
            transfer.note(offset, limit)
            move(to: .backingOff(transfer, wait))
            // A position that was not requested yet justifies one immediate attempt. More would use up the retries,
            // and a time specified by the server is respected.
            guard !wait.isAsked, let gap = transfer.nextGap, transfer.canJump, !transfer.hasSkippedDelay, let before,
                !transfer.isSoon(gap, from: before.lowerBound)
            else { return [] }
            transfer.hasSkippedDelay = true
            return [.cancelTransfer] + connect(transfer, transfer.nextRequest())
        case .held(var transfer, let hold):
            transfer.note(offset, limit)
            move(to: .held(transfer, hold))
            return []
        case .idle, .following, .complete, .unverified, .failed:
            // No transfer runs in this process, or no bytes are missing.
            return []
        }
    }

    private mutating func steer(_ transfer: Transfer, _ incoming: IncomingBody) -> [Action] {
        guard incoming.versionToBegin == nil, transfer.canJump, let gap = transfer.nextGap else { return dropJump() }
        // The transfer is about to end, and the next request starts at the needed bytes.
        if let end = incoming.end, transfer.content.extents.contiguousEnd(from: incoming.offset) >= end { return [] }
        if let jump, transfer.awaits(jump, before: incoming) { return [] }
        if transfer.isSoon(gap, from: incoming.offset, to: incoming.end) { return dropJump() }
        return beginJump(transfer, transfer.request(for: gap))
    }

    /// Evaluates the server's answer to a jump. Only exactly the requested bytes of the stored version justify
    /// cancelling the running transfer.
    mutating func judgeJump(_ head: ResponseHead) -> [Action] {
        guard case .receiving(var transfer, let before) = state, let jump else { return [] }
        switch RangeVerdict.judge(head, requested: jump.ask.offset, known: transfer.known) {
        case .append:
            let save = before.unsaved > 0 ? [Action.save(transfer.content)] : []
            transfer.failedJumpCount = 0
            transfer.content.finalURL = head.finalURL
            move(to: .receiving(transfer, IncomingBody(offset: jump.ask.offset, end: jump.ask.end, endIsMarked: true)))
            return adopt(jump) + save
        case .changed where head.status != 416:
            // The running transfer is the only one with this version.
            transfer.isOutdated = true
            move(to: .receiving(transfer, before))
            return dropJump()
        case .restart, .changed:
            // The server sends only from the beginning: the running transfer is the only usable one.
            transfer.canSkip = false
            move(to: .receiving(transfer, before))
            return dropJump()
        case .alreadyComplete, .reject, .retry: return refuseJump()
        }
    }

    /// Handles a server that sends the beginning of the file for a range far ahead, although it declares that range.
    mutating func refuseRanges() -> [Action] {
        guard case .receiving(var transfer, _) = state else { return [] }
        transfer.canSkip = false
        return requestWholeFile(transfer)
    }

    /// Records a failed jump; the next one is tried when the reader asks again.
    mutating func refuseJump(isLate: Bool = false) -> [Action] {
        guard case .receiving(var transfer, let incoming) = state else { return [] }
        transfer.failedJumpCount += 1
        if isLate { transfer.lateAnswers += 1 }
        move(to: .receiving(transfer, incoming))
        return dropJump()
    }
}

extension DownloadStateMachine.Transfer {
    fileprivate mutating func note(_ offset: Int64, _ limit: Int64?, keepsLimit: Bool = false) {
        needed = max(0, offset)
        if !keepsLimit, let limit { skipLimit = limit }
    }

    /// True if the server is expected to accept a range far ahead.
    var canSkipAhead: Bool {
        sendsLaterBytes && acceptsRanges && failedJumpCount < DownloadStateMachine.mostRefusals
    }

    /// True if the server may send bytes of this version from any offset on.
    private var sendsLaterBytes: Bool { canSkip && !isOutdated }

    fileprivate var canJump: Bool { canSkipAhead && content.entity.total != nil && !content.extents.isEmpty }

    /// The range to fetch next.
    var nextGap: ByteRange? { content.nextGap(needed: sendsLaterBytes ? needed : 0, limit: skipLimit) }

    func wait(
        _ reason: MediaFailure, until time: Duration, _ trouble: RetryPolicy.FailureCause, mostTries: Int
    ) -> DownloadStateMachine.Wait {
        let triesLeft = min(policy.attemptsLeft, mostTries)
        var wait = DownloadStateMachine.Wait(reason: reason.reason, until: time, triesLeft: triesLeft)
        if case .answer(retryAfter: .some) = trouble { wait.isAsked = true }
        return wait
    }

    func nextRequest() -> DownloadStateMachine.RangeRequest { acceptsRanges ? request(for: nextGap) : .whole }

    /// Returns the range request for `gap`. If validators are ignored, the overlap that is compared is larger.
    fileprivate func request(for gap: ByteRange?) -> DownloadStateMachine.RangeRequest {
        content.request(for: gap, overlap: ignoresValidators ? StoredContent.longOverlap : StoredContent.overlap)
    }

    /// True if a transfer from `start` reaches the gap sooner than a new request would.
    fileprivate func isSoon(_ gap: ByteRange, from start: Int64, to end: Int64? = nil) -> Bool {
        start <= gap.lowerBound && gap.lowerBound - start <= skipLimit && gap.lowerBound < end ?? .max
    }

    /// True if a pending jump leads to the bytes that the reader needs and the running transfer has not reached them.
    /// That it comes closer while the answer is awaited does not end the jump.
    fileprivate func awaits(
        _ jump: DownloadStateMachine.Jump, before incoming: DownloadStateMachine.IncomingBody
    ) -> Bool {
        let next = content.extents.contiguousEnd(from: needed)
        guard next != incoming.offset, next < content.entity.total ?? .max else { return false }
        return isSoon(next..<next + 1, from: jump.ask.offset, to: jump.ask.end)
    }

    /// The request that continues a comparison whose response ended early; `nil` if there was none. Its response, too,
    /// overlaps the stored bytes, and adds none before all of them were compared.
    var comparison: DownloadStateMachine.RangeRequest? {
        guard let equalLead = compared?.equalLead, equalLead > 0 else { return nil }
        return .rest(from: max(0, min(equalLead, content.lead - StoredContent.longOverlap)), to: nil)
    }

    func validator(for ask: DownloadStateMachine.RangeRequest) -> EntityValidator? {
        if case .rest = ask, !ignoresValidators, ask != comparison { content.entity.validator } else { nil }
    }
}
