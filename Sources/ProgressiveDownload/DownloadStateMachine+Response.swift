// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Evaluating a response head.
extension DownloadStateMachine {
    mutating func judge(_ head: ResponseHead, _ chance: Chance) -> [Action] {
        // A second head for one transfer would be an error of the transport; the first one stays valid.
        guard case .connecting(let course, let ask) = state else { return [] }
        let known = ask == .newVersion ? nil : course.known?.corrected(by: head)
        switch RangeVerdict.judge(head, requested: ask.offset, known: known) {
        case .append(let total):
            return accept(
                head, total: total, at: ask.offset, upTo: ask.end, course, isNewVersion: ask == .newVersion)
        case .restart(let total):
            var course = course
            course.canSkip = false
            // Stored bytes arrive again; storing them compares them.
            return accept(head, total: total, at: 0, course, isNewVersion: false)
        case .alreadyComplete(let total): return settleLength(total, course)
        case .changed: return change(head, course, ask)
        case .reject(let rejection): return reject(rejection, course, ask, chance)
        case .retry(let delay, let reason):
            return backOff(course, .answer(retryAfter: delay), gained: 0, reason: reason, chance)
        }
    }

    private mutating func accept(
        _ head: ResponseHead, total: Int64?, at offset: Int64, upTo end: Int64? = nil, _ course: Course,
        isNewVersion: Bool
    ) -> [Action] {
        guard total != 0 else { return fail(Self.empty, course.holding) }
        guard total ?? 0 <= Self.longest else { return fail(Self.tooLong, course.holding) }
        var course = course
        (course.refusals, course.denials, course.strangers, course.hasTriedAtOnce) = (0, 0, 0, false)
        if head.fields["accept-ranges"]?.lowercased() == "none" { course.canSkip = false }
        var reception = Reception(offset: offset, end: end, endIsMarked: head.endIsMarked)
        if isNewVersion || course.holding.extents.isEmpty {
            let entity = KnownEntity(validator: head.validator, total: total)
            reception.pending = Holding(entity: entity, finalURL: head.finalURL)
        } else {
            course.holding.entity.validator = course.holding.entity.validator ?? head.validator
            if let total, course.holding.known?.corrected(by: head).total == nil {
                guard course.holding.extents.upperBound ?? 0 <= total else { return beginNewVersion(course) }
                course.holding.entity.total = total
            }
            course.holding.finalURL = head.finalURL
        }
        move(to: .receiving(course, reception))
        return []
    }

    /// Handles a server that has `total` bytes and no more.
    private mutating func settleLength(_ total: Int64, _ course: Course) -> [Action] {
        var holding = course.holding
        holding.entity.total = total
        guard holding.isWhole, holding.extents.upperBound == total else { return beginNewVersion(course) }
        return [.cancelTransfer] + complete(holding)
    }

    /// Handles a response of another version. A 200 carries the new version itself; after any other answer it must be
    /// requested.
    private mutating func change(_ head: ResponseHead, _ course: Course, _ ask: Ask) -> [Action] {
        if head.status == 416, case .rest = ask { return askDifferently(head, course) }
        var course = course
        if head.status == 200, course.mayBeOf(head) { return compare(head, course) }
        if head.status == 206, course.mayBeOf(head), course.strangers < 2 { return askAgain(course) }
        guard head.status == 200 else { return beginNewVersion(course) }
        course.changes += 1
        guard course.changes <= Self.mostChanges else { return fail(Self.restless, course.holding) }
        return accept(head, total: head.contentLength, at: 0, course, isNewVersion: true)
    }

    /// Compares the bytes to decide whether this is another version: mirrors of one file often use different
    /// validators.
    private mutating func compare(_ head: ResponseHead, _ course: Course) -> [Action] {
        let actions = accept(head, total: head.contentLength, at: 0, course, isNewVersion: false)
        guard case .receiving(let course, var reception) = state else { return actions }
        let entity = KnownEntity(validator: head.validator, total: head.contentLength)
        reception.rival = Holding(entity: entity, finalURL: head.finalURL)
        move(to: .receiving(course, reception))
        return actions
    }

    /// Requests the range again, because a part of another version is useless. The next answer may come from another
    /// mirror; if it does not, the whole file is compared.
    private mutating func askAgain(_ course: Course) -> [Action] {
        var course = course
        course.strangers += 1
        return [.cancelTransfer] + connect(course, course.strangers > 1 ? .whole : course.nextAsk())
    }

    /// Handles a 416, which reports the length or shows that the server does not support ranges. Neither proves
    /// another version.
    private mutating func askDifferently(_ head: ResponseHead, _ course: Course) -> [Action] {
        // If the server declared another length before, one of the two is wrong.
        if let total = head.contentRange?.total, total == course.holding.entity.total ?? total,
            total == course.holding.extents.upperBound,
            course.holding.extents.contains(0..<total)
        {
            return settleLength(total, course)
        }
        return askForAll(course)
    }

    /// Requests the whole file. A server that refused a range once will refuse it again, and each attempt should use
    /// one request.
    private mutating func askForAll(_ course: Course) -> [Action] {
        var course = course
        course.takesRanges = false
        return [.cancelTransfer] + connect(course, .whole)
    }

    private mutating func reject(
        _ rejection: HTTPRejection, _ course: Course, _ ask: Ask, _ chance: Chance
    ) -> [Action] {
        if case .rest = ask, rejection.mayWorkWithoutRange { return askForAll(course) }
        if expiry.mayExplain(rejection), course.renewal == nil { return renewAddress(rejection, course, ask) }
        let reason = course.reason(rejection)
        if case .webPage = rejection, !course.holding.extents.isEmpty {
            // This server sent audio before, so a network with a sign-in page is more likely than a changed podcast.
            return backOff(course, .answer(retryAfter: nil), gained: 0, reason: reason, chance)
        }
        if rejection.mayBeExpiry, !course.holding.extents.isEmpty, course.denials < Self.mostDenials {
            var course = course
            course.denials += 1
            return backOff(course, .answer(retryAfter: nil), gained: 0, reason: reason, chance)
        }
        return fail(reason, course.holding)
    }

    static let restless = MediaFailure(.badData, "the server has another version at every request")
    static let empty = MediaFailure(.badData, "the server sent an empty file")
    static let tooLong = MediaFailure(.badData, "the server sends more than an audio file can be")
}

extension DownloadStateMachine.Course {
    /// The representation that a response must match.
    var known: KnownEntity? {
        ignoresValidators ? holding.known.map { KnownEntity(total: $0.total) } : holding.known
    }

    /// True if a response with another validator may carry the stored bytes. Stored bytes that do not start at the
    /// beginning would be compared only after other bytes were stored before them.
    fileprivate func mayBeOf(_ head: ResponseHead) -> Bool {
        let total = head.status == 200 ? head.contentLength : head.contentRange?.total
        let isAsLong = total == nil || holding.entity.total == nil || total == holding.entity.total
        return isAsLong && holding.lead > 0 && holding.lead == holding.extents.upperBound
    }
}

extension HTTPRejection {
    /// True for the answers of a signed address that has expired; the next attempt starts at the enclosure's own
    /// address.
    fileprivate var mayBeExpiry: Bool { [.status(403), .status(404), .status(410)].contains(self) }
}

extension KnownEntity {
    /// Drops the known length if a partial response of exactly the stored version declares a smaller one: the first
    /// answer may have declared too much.
    fileprivate func corrected(by head: ResponseHead) -> KnownEntity {
        let isProven =
            switch validator {
            case .strongETag(let tag): head.etag == tag
            case .lastModified, nil: false
            }
        guard head.status == 206, isProven, let said = head.contentRange?.total, said < total ?? .max
        else { return self }
        return KnownEntity(validator: validator, total: nil)
    }
}

extension ResponseHead {
    /// True if the body has an explicit end, as a chunked body does (RFC 9112 section 7.1), unlike one that ends with
    /// the connection.
    fileprivate var endIsMarked: Bool {
        marksEnd || fields["transfer-encoding"].map { $0.lowercased().hasSuffix("chunked") } ?? false
    }
}
