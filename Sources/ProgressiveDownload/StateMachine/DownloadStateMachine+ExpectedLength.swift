// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Deciding whether the end of a body of undeclared length is the end of the file.
extension DownloadStateMachine {
    mutating func endOfUndeclaredBody(_ transfer: Transfer, _ incoming: IncomingBody, _ context: RetryContext)
        -> [Action]
    {
        if let version = incoming.versionToBegin {
            return version.entity.total == nil && transfer.content.extents.isEmpty
                ? fail(Self.empty, transfer.content) : endShort(transfer, incoming, context)
        }
        let length = transfer.content.extents.upperBound ?? 0
        guard transfer.content.lead == length, incoming.offset == length else {
            return endShort(transfer, incoming, context)
        }
        if incoming.endIsMarked || expectedLength.isMet(by: length) {
            var stored = transfer.content
            stored.entity.total = length
            return complete(stored)
        }
        var transfer = transfer
        let promised = expectedLength.shortfall(length)
        guard promised != nil || expectedLength.missingEnd != nil,
            transfer.requestsAgain(incoming, expectedLength)
        else { return finishUnverified(transfer, length) }
        transfer.seenEnd = length
        let short = Self.short(length, of: promised)
        let error = TransferError.connectionLost(received: incoming.gained, reason: short.reason)
        return backOff(
            transfer, .transfer(error), gained: incoming.gained,
            mostTries: expectedLength.mostEndings - transfer.endings + 1, reason: short, context)
    }

    /// Accepts `length` as the length of the file without proof.
    mutating func finishUnverified(_ transfer: Transfer, _ length: Int64) -> [Action] {
        var stored = transfer.content
        stored.entity.total = length
        let dropped = dropJump()
        move(to: .unverified(stored))
        return dropped + [.save(transfer.content)]
    }

    /// Returns the end of the stored content if a body ended there; otherwise `nil`.
    func acceptedEnd(_ transfer: Transfer) -> Int64? {
        guard let end = transfer.seenEnd, transfer.content.extents.ranges == [0..<end] else { return nil }
        return end
    }

    /// Handles a response with the whole file to the request that verifies its end. Receiving it again helps only if it
    /// is longer, if its end is marked, or if a stated length shows that bytes are missing.
    /// - Returns: `nil` if the body is needed.
    mutating func verifyEnd(_ head: ResponseHead, _ transfer: Transfer, _ ask: RangeRequest) -> [Action]? {
        guard head.status == 200, ask != .newVersion, let end = doubtedEnd(transfer) else { return nil }
        if head.contentLength == end { return acceptLength(end, transfer) }
        guard head.contentLength == nil, !head.endIsMarked else { return nil }
        return finishWithoutMark(transfer)
    }

    /// Accepts the end of the stored content without proof if only the mark of the end is missing.
    /// - Returns: `nil` otherwise.
    mutating func finishWithoutMark(_ transfer: Transfer) -> [Action]? {
        guard expectedLength.missingEnd == .mark, let end = doubtedEnd(transfer) else { return nil }
        return [.cancelTransfer] + finishUnverified(transfer, end)
    }

    /// Returns the end of the stored content if nothing but its container states a later one; otherwise `nil`.
    private func doubtedEnd(_ transfer: Transfer) -> Int64? {
        guard expectedLength.missingEnd != nil, let end = acceptedEnd(transfer),
            expectedLength.shortfall(end) == nil
        else { return nil }
        return end
    }

    private static func short(_ count: Int64, of promised: Int64?) -> MediaFailure {
        let detail = promised.map { " of \($0) bytes" } ?? " bytes, and the end of the file is missing"
        return MediaFailure(.unavailable, "the server sent only \(count)\(detail)")
    }

    /// The difference between the stored and the expected length; `nil` until the end was reached, or if there is
    /// none.
    var shortfall: Shortfall? {
        switch state {
        case .complete(let stored):
            guard let total = stored.entity.total else { return nil }
            return expectedLength.shortfallAgainstTag(total).map { Shortfall(held: total, promised: $0) }
        case .unverified(let stored):
            guard let total = stored.entity.total else { return nil }
            return expectedLength.shortfall(total).map { Shortfall(held: total, promised: $0) }
        case .idle, .following, .connecting, .receiving, .backingOff, .held, .failed: return nil
        }
    }

    /// The unverified end of the file; `nil` if the length was verified or is not known yet.
    var unverified: DownloadProgress.Unverified? {
        guard case .unverified(let stored) = state else { return nil }
        return .init(promised: stored.entity.total.flatMap(expectedLength.missing))
    }

    /// True if the end of the current transfer would be accepted as the end of the file.
    var hasOpenEnd: Bool {
        guard case .receiving(let transfer, let incoming) = state else { return false }
        return transfer.content.entity.total == nil && incoming.versionToBegin == nil
            && transfer.content.lead == incoming.offset
    }

    mutating func note(_ length: Int64?) -> [Action] {
        expectedLength.beginVersion()
        expectedLength.tagged = length.flatMap { $0 > 0 && $0 <= Self.longest ? $0 : nil }
        return []
    }

    mutating func note(_ missing: MissingEnd) -> [Action] {
        expectedLength.missingEnd = missing
        return []
    }

    /// Fails because the beginning of the file is not audio.
    mutating func refuseContent(_ failure: MediaFailure) -> [Action] {
        switch state {
        case .receiving, .complete, .unverified: fail(failure, StoredContent())
        // Stopped or restarted in the meantime.
        case .idle, .following, .connecting, .backingOff, .held, .failed: []
        }
    }
}

extension DownloadStateMachine.Transfer {
    /// Decides whether to request the rest again: once for a length declared by the feed; if the file itself shows that
    /// bytes are missing, as long as bytes arrive, and then once more, or twice for a tag.
    fileprivate mutating func requestsAgain(
        _ incoming: DownloadStateMachine.IncomingBody, _ expected: ExpectedLength
    ) -> Bool {
        if incoming.gained > 0, !expected.isOnlyClaimed { endings = 0 }
        endings += 1
        return endings <= expected.mostEndings
    }
}
