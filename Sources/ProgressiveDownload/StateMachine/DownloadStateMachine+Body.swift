// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Storing the bytes of a response body, and handling its end.
extension DownloadStateMachine {
    mutating func receive(_ count: Int, _ foreign: MediaFailure?, _ context: RetryContext) -> [Action] {
        // In any other state the bytes are not needed: the file is complete, or the head was not accepted.
        guard case .receiving(var transfer, var incoming) = state else { return [] }
        if let foreign { return refuse(foreign, transfer, incoming, context) }
        var actions: [Action] = []
        if let version = incoming.versionToBegin {
            if !transfer.content.extents.isEmpty {
                actions.append(.replaceFile)
                transfer.needed = 0
            }
            actions.append(.recordVersion(version))
            (incoming.versionToBegin, incoming.isFirstOfVersion) = (nil, true)
            begin(version, &transfer)
        }
        incoming.lastSave = incoming.lastSave ?? context.time
        incoming.delivered = count
        move(to: .receiving(transfer, incoming))
        return actions + [store(count, transfer, incoming)]
    }

    /// Replaces the version of a transfer, and forgets its end and the bytes that were compared with it.
    private mutating func begin(_ version: StoredContent, _ transfer: inout Transfer) {
        transfer.content = version
        (transfer.seenEnd, transfer.countedLead) = (nil, 0)
        expectedLength.beginVersion()
    }

    private func store(_ count: Int, _ transfer: Transfer, _ incoming: IncomingBody) -> Action {
        let room = max(0, (transfer.content.entity.total ?? expectedLength.maximumUndeclared) - incoming.offset)
        let fitting = Int(clamping: min(Int64(count), room))
        return .store(at: incoming.offset, count: fitting, excess: count - fitting)
    }

    /// Rejects a body that is a web page. Content stored from an earlier response is kept; a version that began with
    /// the page is discarded.
    private mutating func refuse(
        _ foreign: MediaFailure, _ transfer: Transfer, _ incoming: IncomingBody, _ context: RetryContext
    ) -> [Action] {
        if !incoming.isFirstOfVersion, !transfer.content.extents.isEmpty {
            return backOff(transfer, .answer(retryAfter: nil), gained: 0, reason: foreign, context)
        }
        return fail(foreign, StoredContent())
    }

    mutating func advance(by count: Int, excess: Int, at time: Duration) -> [Action] {
        // A store belongs to the state that requested it; only a failure can come in between.
        guard case .receiving(var transfer, var incoming) = state else { return [] }
        let before = transfer.content.extents.count
        transfer.content.extents.insert(incoming.offset..<incoming.offset + Int64(count))
        let gained = transfer.content.extents.count - before
        incoming.offset += Int64(count)
        incoming.gained += gained
        incoming.repeated += Int64(count) - gained
        incoming.unsaved += gained
        transfer.compare(incoming)
        if transfer.content.isWhole {
            return (excess > 0 ? [.cancelTransfer] : []) + complete(transfer.content)
        }
        guard excess == 0 else { return overflow(transfer) }
        // Some servers send the rest of the file when only a part was requested.
        if let end = incoming.end, incoming.offset > end {
            return [.cancelTransfer] + connect(transfer, transfer.nextRequest())
        }
        let isDue = incoming.saveIsDue(at: time)
        if isDue { (incoming.unsaved, incoming.lastSave) = (0, time) }
        move(to: .receiving(transfer, incoming))
        return isDue ? [.save(transfer.content)] : []
    }

    /// Handles a body that extends past the last byte while earlier bytes are missing, or that exceeds the maximum
    /// length.
    private mutating func overflow(_ transfer: Transfer) -> [Action] {
        guard transfer.content.entity.total != nil else { return fail(Self.tooLong, transfer.content) }
        return [.cancelTransfer] + connect(transfer, transfer.nextRequest())
    }

    mutating func differ() -> [Action] {
        guard case .receiving(var transfer, let incoming) = state else { return [] }
        guard let rival = incoming.declaredVersion else {
            // The server may answer ranges with other bytes than it says, which a jump would not notice: nothing is
            // stored there to compare with.
            transfer.canSkip = false
            return beginNewVersion(transfer)
        }
        // A part lacks the bytes before it, which were compared with those of another response.
        guard incoming.beginsFile, incoming.offset <= Self.longestReusedPrefix else {
            return beginNewVersion(transfer)
        }
        return continueBody(with: rival, transfer, incoming)
    }

    /// Continues with the version that the response declares: the bytes received so far become its beginning.
    private mutating func continueBody(with rival: StoredContent, _ transfer: Transfer, _ incoming: IncomingBody)
        -> [Action]
    {
        var (transfer, incoming) = (transfer, incoming)
        transfer.changes += 1
        guard transfer.changes <= Self.mostChanges else { return fail(Self.restless, transfer.content) }
        begin(rival, &transfer)
        (transfer.needed, transfer.compared) = (0, nil)
        transfer.content.extents.insert(0..<incoming.offset)
        (incoming.declaredVersion, incoming.isFirstOfVersion) = (nil, incoming.offset == 0)
        move(to: .receiving(transfer, incoming))
        let replace = incoming.offset > 0 ? Action.replaceFileAfter(incoming.offset) : .replaceFile
        return [replace, .recordVersion(rival), store(incoming.delivered, transfer, incoming)]
    }

    mutating func end(_ outcome: TransferOutcome, _ context: RetryContext) -> [Action] {
        switch state {
        case .connecting(let transfer, _): return endWithoutHead(outcome, transfer, context)
        case .receiving(let transfer, let incoming): return end(outcome, transfer, incoming, context)
        case .idle, .following, .backingOff, .held, .complete, .unverified, .failed:
            // The last byte or the failure of this transfer was handled before.
            return []
        }
    }

    private mutating func endWithoutHead(
        _ outcome: TransferOutcome, _ transfer: Transfer, _ context: RetryContext
    ) -> [Action] {
        switch outcome {
        case .failed(let error):
            var transfer = transfer
            if outcome == .late { transfer.lateAnswers += 1 }
            return backOff(transfer, .transfer(error), gained: 0, reason: error.mediaFailure, context)
        case .complete, .refused, .cancelled: return fail(Self.interrupted, transfer.content)
        }
    }

    private mutating func end(
        _ outcome: TransferOutcome, _ transfer: Transfer, _ incoming: IncomingBody, _ context: RetryContext
    ) -> [Action] {
        switch outcome {
        case .failed(let error):
            let isOrderly = if case .closedEarly = error { true } else { false }
            return endBroken(error, isOrderly: isOrderly, transfer, incoming, context)
        case .complete where transfer.content.entity.total != nil && incoming.versionToBegin == nil:
            return endShort(transfer, incoming, context)
        case .complete: return endOfUndeclaredBody(transfer, incoming, context)
        case .refused, .cancelled: return fail(Self.interrupted, transfer.content)
        }
    }

    /// Handles a complete response that left bytes missing. A server may send less than requested (RFC 9110 section
    /// 15.3.7), but sending almost nothing each time counts as a failure.
    mutating func endShort(_ transfer: Transfer, _ incoming: IncomingBody, _ context: RetryContext) -> [Action] {
        let hasFilledGap =
            transfer.content.extents.contiguousEnd(from: incoming.offset) > incoming.offset
            || incoming.offset == incoming.end ?? transfer.content.entity.total
        if incoming.gained >= RetryPolicy.progress || incoming.gained > 0 && hasFilledGap {
            return connect(transfer, transfer.nextRequest())
        }
        let error = TransferError.connectionLost(
            received: incoming.gained, reason: "the response is shorter than declared")
        return endBroken(error, isOrderly: true, transfer, incoming, context)
    }

    /// Handles an interrupted body. A server that ends it at the same byte again may be a proxy that has lost its own
    /// server for a while, so it gets all retries, unless each of them costs much more than the overlap.
    /// - Parameter isOrderly: True if the server ended the body; a timeout or a reset says nothing about the file.
    private mutating func endBroken(
        _ error: TransferError, isOrderly: Bool, _ transfer: Transfer, _ incoming: IncomingBody,
        _ context: RetryContext
    ) -> [Action] {
        let isRepetition =
            isOrderly && incoming.gained == 0 && incoming.repeated > 0
            && incoming.offset == transfer.content.extents.upperBound
        let isCostly = isRepetition && incoming.repeated > StoredContent.longOverlap
        let repetitions = isCostly ? transfer.repetitions + 1 : 0
        guard repetitions < Self.mostRepetitions else {
            return fail(Self.truncated(transfer.content), transfer.content)
        }
        var transfer = transfer
        transfer.repetitions = repetitions
        let compared = transfer.countComparedBytes()
        return backOff(
            transfer, .transfer(error), gained: incoming.gained, compared: compared,
            mostTries: isCostly ? Self.mostRepetitions - repetitions : .max,
            reason: isRepetition ? Self.truncated(transfer.content) : error.mediaFailure, context)
    }

    private static func truncated(_ stored: StoredContent) -> MediaFailure {
        let whole = stored.entity.total.map { " of \($0)" } ?? ""
        return MediaFailure(.unavailable, "the server sends only \(stored.extents.upperBound ?? 0)\(whole) bytes")
    }

    static let interrupted = MediaFailure(.temporary, "the transfer was stopped")
}

extension DownloadStateMachine.Transfer {
    /// Returns the number of bytes that were compared for the first time.
    fileprivate mutating func countComparedBytes() -> Int64 {
        let count = max(0, (compared?.equalLead ?? 0) - countedLead)
        countedLead += count
        return count
    }

    /// Counts the stored bytes that are valid for the declared version too, and adopts its validator once all of them
    /// were received again.
    fileprivate mutating func compare(_ incoming: DownloadStateMachine.IncomingBody) {
        guard let rival = incoming.declaredVersion else { return }
        if incoming.gained > 0 {
            content.entity.validator = rival.entity.validator
        } else {
            let equalLead = max(compared?.equalLead ?? 0, incoming.offset)
            compared?.equalLead = equalLead
        }
        let held = (content.extents.upperBound ?? 0) - incoming.gained
        if incoming.offset >= min(held, DownloadStateMachine.bytesProvingEquality) { ignoresValidators = true }
    }
}

extension TransferOutcome {
    /// The request was sent, but the first byte of the response did not arrive before the timeout.
    static let late = TransferOutcome.failed(.timedOut(.waiting))
}

extension DownloadStateMachine.IncomingBody {
    /// True if the body began with the first byte of the file.
    fileprivate var beginsFile: Bool { gained + repeated == offset }

    fileprivate func saveIsDue(at time: Duration) -> Bool {
        unsaved >= DownloadStateMachine.saveEvery.bytes
            || unsaved > 0 && time - (lastSave ?? time) >= DownloadStateMachine.saveEvery.time
    }
}
