// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Evaluating a response head.
extension DownloadStateMachine {
    mutating func judge(_ head: ResponseHead, _ context: RetryContext) -> [Action] {
        // A second head for one transfer would be an error of the transport; the first one stays valid.
        guard case .connecting(let transfer, let ask) = state else { return [] }
        if head.isOfEmptyFile, !transfer.content.extents.isEmpty {
            return backOff(transfer, .answer(retryAfter: nil), gained: 0, reason: Self.empty, context)
        }
        switch RangeVerdict.judge(head, requested: ask.offset, known: transfer.expected(by: ask, head)) {
        case .append(let total):
            return verifyEnd(head, transfer, ask)
                ?? accept(
                    head, total: total, at: ask.offset, upTo: ask.end, transfer, isNewVersion: ask == .newVersion)
        case .restart(let total):
            var transfer = transfer
            transfer.canSkip = false
            // Stored bytes arrive again; storing them compares them.
            return verifyEnd(head, transfer, ask)
                ?? accept(head, total: total, at: 0, transfer, isNewVersion: false)
        case .alreadyComplete(let total): return acceptLength(total, transfer)
        case .changed: return change(head, transfer, ask)
        case .reject(let rejection): return reject(rejection, transfer, ask, context)
        case .retry(let delay, let reason):
            return backOff(transfer, .answer(retryAfter: delay), gained: 0, reason: reason, context)
        }
    }

    private mutating func accept(
        _ head: ResponseHead, total: Int64?, at offset: Int64, upTo end: Int64? = nil, _ transfer: Transfer,
        isNewVersion: Bool
    ) -> [Action] {
        guard total != 0 else { return fail(Self.empty, transfer.content) }
        guard total ?? 0 <= Self.longest else { return fail(Self.tooLong, transfer.content) }
        var transfer = transfer
        (transfer.failedJumpCount, transfer.denialCount, transfer.mismatchedParts) = (0, 0, 0)
        (transfer.hasSkippedDelay, transfer.isOutdated, transfer.compared) = (false, false, nil)
        if head.fields["accept-ranges"]?.lowercased() == "none" { transfer.canSkip = false }
        var incoming = IncomingBody(offset: offset, end: end, endIsMarked: head.endIsMarked)
        if isNewVersion || transfer.content.extents.isEmpty {
            let entity = Representation(validator: head.validator, total: total)
            incoming.versionToBegin = StoredContent(entity: entity, finalURL: head.finalURL)
        } else {
            transfer.content.entity.validator = transfer.content.entity.validator ?? head.validator
            if let total, transfer.content.known?.corrected(by: head).total == nil {
                guard transfer.content.extents.upperBound ?? 0 <= total else { return beginNewVersion(transfer) }
                transfer.content.entity.total = total
            }
            transfer.content.finalURL = head.finalURL
        }
        move(to: .receiving(transfer, incoming))
        return []
    }

    /// Handles a server that has `total` bytes and no more.
    mutating func acceptLength(_ total: Int64, _ transfer: Transfer) -> [Action] {
        var stored = transfer.content
        stored.entity.total = total
        guard stored.isWhole, stored.extents.upperBound == total else { return beginNewVersion(transfer) }
        return [.cancelTransfer] + complete(stored)
    }

    /// Handles a response of another version. A 200 carries the new version itself; after any other answer it must be
    /// requested.
    private mutating func change(_ head: ResponseHead, _ transfer: Transfer, _ ask: RangeRequest) -> [Action] {
        if head.status == 416 {
            // A request for the whole file asks for nothing beyond its end.
            guard case .rest = ask else {
                return fail(HTTPRejection.status(head.status).mediaFailure, transfer.content)
            }
            return handleUnsatisfiableRange(head, transfer)
        }
        if transfer.mayBeOf(head), let actions = compare(head, transfer, ask) { return actions }
        var transfer = transfer
        if head.status == 206, transfer.mayBeOf(head), transfer.mismatchedParts < 2 { return requestAgain(transfer) }
        guard head.status == 200 else { return beginNewVersion(transfer) }
        transfer.changes += 1
        guard transfer.changes <= Self.mostChanges else { return fail(Self.restless, transfer.content) }
        return accept(head, total: head.contentLength, at: 0, transfer, isNewVersion: true)
    }

    /// Compares the bytes to decide whether this is another version: mirrors of one file often use different
    /// validators. A comparison whose response ended early continues after the bytes that were equal, with the same
    /// version: another one may differ in those bytes.
    /// - Returns: `nil` if the response cannot be compared.
    private mutating func compare(_ head: ResponseHead, _ transfer: Transfer, _ ask: RangeRequest) -> [Action]? {
        if case .rest = ask, let comparison = transfer.comparison, transfer.compared?.isCarried(by: head) == true {
            guard ask == comparison else { return [.cancelTransfer] + connect(transfer, comparison) }
            if head.status == 206, case .part(let range, _)? = head.contentRange, range.lowerBound == ask.offset {
                return compare(head, at: ask.offset, transfer)
            }
        }
        return head.status == 200 ? compare(head, at: 0, transfer) : nil
    }

    private mutating func compare(_ head: ResponseHead, at offset: Int64, _ transfer: Transfer) -> [Action] {
        var compared = ComparedVersion(head)
        if let before = transfer.compared, before.isCarried(by: head) { compared.equalLead = before.equalLead }
        let actions = accept(head, total: head.totalLength, at: offset, transfer, isNewVersion: false)
        guard case .receiving(var transfer, var incoming) = state else { return actions }
        transfer.compared = compared
        let entity = Representation(validator: head.validator, total: head.totalLength)
        incoming.declaredVersion = StoredContent(entity: entity, finalURL: head.finalURL)
        move(to: .receiving(transfer, incoming))
        return actions
    }

    /// Requests the range again, because a part of another version is useless. The next answer may come from another
    /// mirror; if it does not, the whole file is compared.
    private mutating func requestAgain(_ transfer: Transfer) -> [Action] {
        var transfer = transfer
        transfer.mismatchedParts += 1
        return [.cancelTransfer] + connect(transfer, transfer.mismatchedParts > 1 ? .whole : transfer.nextRequest())
    }

    /// Handles a 416, which reports the length or shows that the server does not support ranges. Neither proves
    /// another version.
    private mutating func handleUnsatisfiableRange(_ head: ResponseHead, _ transfer: Transfer) -> [Action] {
        // If the server declared another length before, one of the two is wrong.
        if let total = head.contentRange?.total, total == transfer.content.entity.total ?? total,
            total == transfer.content.extents.upperBound,
            transfer.content.extents.contains(0..<total)
        {
            return acceptLength(total, transfer)
        }
        return finishWithoutMark(transfer) ?? requestWholeFile(transfer)
    }

    /// Requests the whole file. A server that refused a range once will refuse it again, and each attempt should use
    /// one request.
    mutating func requestWholeFile(_ transfer: Transfer) -> [Action] {
        var transfer = transfer
        transfer.acceptsRanges = false
        return [.cancelTransfer] + connect(transfer, .whole)
    }

    private mutating func reject(
        _ rejection: HTTPRejection, _ transfer: Transfer, _ ask: RangeRequest, _ context: RetryContext
    ) -> [Action] {
        if case .rest = ask, rejection.mayWorkWithoutRange { return requestWholeFile(transfer) }
        if expiry.mayExplain(rejection), transfer.renewal == nil { return renewAddress(rejection, transfer, ask) }
        let reason = transfer.reason(rejection)
        if rejection.isSuccessWithoutFile, !transfer.content.extents.isEmpty {
            // This server sent audio before, so a network with a sign-in page, or a proxy whose server fails, is more
            // likely than a changed podcast.
            return backOff(transfer, .answer(retryAfter: nil), gained: 0, reason: reason, context)
        }
        if rejection.mayBeExpiry, !transfer.content.extents.isEmpty, transfer.denialCount < Self.mostDenials {
            var transfer = transfer
            transfer.denialCount += 1
            return backOff(
                transfer, .answer(retryAfter: nil), gained: 0,
                mostTries: Self.mostDenials - transfer.denialCount + 1, reason: reason, context)
        }
        // The address of a live stream is often removed when the stream ends.
        if rejection.mayBeExpiry, let actions = finishWithoutMark(transfer) { return actions }
        return fail(reason, transfer.content)
    }

    static let restless = MediaFailure(.badData, "the server sends a different version for every request")
    static let empty = MediaFailure(.badData, "the server sent an empty file")
    static let tooLong = MediaFailure(.badData, "the response is larger than any audio file can be")
}

extension DownloadStateMachine.Transfer {
    /// The representation that a response must match.
    var known: Representation? {
        ignoresValidators ? content.known.map { Representation(total: $0.total) } : content.known
    }

    /// Returns the representation that the response to a request must match. A new version matches any, but the type of
    /// a short page counts: its bytes would replace the stored ones before they show that it is a page.
    fileprivate func expected(by ask: DownloadStateMachine.RangeRequest, _ head: ResponseHead) -> Representation? {
        guard ask == .newVersion else { return known?.corrected(by: head) }
        let isShort = head.contentLength ?? 0 < Int64(AudioSniffer.prefixLength)
        return isShort && known != nil ? Representation() : nil
    }

    /// True if a response with another validator may carry the stored bytes. Stored bytes that do not start at the
    /// beginning would be compared only after other bytes were stored before them.
    fileprivate func mayBeOf(_ head: ResponseHead) -> Bool {
        let total = head.totalLength
        let isAsLong = total == nil || content.entity.total == nil || total == content.entity.total
        return isAsLong && content.lead > 0 && content.lead == content.extents.upperBound
    }
}

extension HTTPRejection {
    /// True for the answers of a signed address that has expired; the next attempt starts at the enclosure's own
    /// address.
    fileprivate var mayBeExpiry: Bool { [.status(403), .status(404), .status(410)].contains(self) }

    /// True for a successful answer with something other than the file: a page, compressed bytes, or no content.
    fileprivate var isSuccessWithoutFile: Bool {
        switch self {
        case .webPage, .encoded: true
        case .status(let code): 200..<300 ~= code
        case .unauthorized, .unusableRange: false
        }
    }
}

extension Representation {
    /// Drops the known length if a partial response of exactly the stored version declares a smaller one: the first
    /// answer may have declared too much.
    fileprivate func corrected(by head: ResponseHead) -> Representation {
        let isProven =
            switch validator {
            case .strongETag(let tag): head.etag == tag
            case .lastModified, nil: false
            }
        guard head.status == 206, isProven, let said = head.contentRange?.total, said < total ?? .max
        else { return self }
        return Representation(validator: validator, total: nil)
    }
}

extension ResponseHead {
    fileprivate var isOfEmptyFile: Bool { status == 200 && contentLength == 0 }

    /// The declared length of the file.
    fileprivate var totalLength: Int64? { status == 200 ? contentLength : contentRange?.total }

    /// True if the body has an explicit end, as a chunked body does (RFC 9112 section 7.1), unlike one that ends with
    /// the connection.
    var endIsMarked: Bool {
        marksEnd || fields["transfer-encoding"].map { $0.lowercased().hasSuffix("chunked") } ?? false
    }
}
