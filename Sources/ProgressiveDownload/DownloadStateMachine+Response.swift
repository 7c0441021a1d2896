// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// What a response is good for.
extension DownloadStateMachine {
    mutating func judge(_ head: ResponseHead, _ chance: Chance) -> [Action] {
        // A second head of one transfer would be the transport's mistake; the first one holds.
        guard case .connecting(let course, let ask) = state else { return [] }
        let known = ask == .newVersion ? nil : course.known?.corrected(by: head)
        switch RangeVerdict.judge(head, requested: ask.offset, known: known) {
        case .append(let total):
            return accept(
                head, total: total, at: ask.offset, upTo: ask.end, course, isNewVersion: ask == .newVersion)
        case .restart(let total):
            var course = course
            course.canSkip = false
            // Held bytes come again; storing them compares.
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

    /// The server has `total` bytes and no more.
    private mutating func settleLength(_ total: Int64, _ course: Course) -> [Action] {
        var holding = course.holding
        holding.entity.total = total
        guard holding.isWhole, holding.extents.upperBound == total else { return beginNewVersion(course) }
        return [.cancelTransfer] + complete(holding)
    }

    /// A 200 is the new version itself; after any other answer it must be asked for.
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

    /// The bytes decide whether it is another version: mirrors of one file often have a validator each.
    private mutating func compare(_ head: ResponseHead, _ course: Course) -> [Action] {
        let actions = accept(head, total: head.contentLength, at: 0, course, isNewVersion: false)
        guard case .receiving(let course, var reception) = state else { return actions }
        let entity = KnownEntity(validator: head.validator, total: head.contentLength)
        reception.rival = Holding(entity: entity, finalURL: head.finalURL)
        move(to: .receiving(course, reception))
        return actions
    }

    /// A part of another version is of no use. The next answer may come from another mirror; if not, all of it is
    /// compared.
    private mutating func askAgain(_ course: Course) -> [Action] {
        var course = course
        course.strangers += 1
        return [.cancelTransfer] + connect(course, course.strangers > 1 ? .whole : course.nextAsk())
    }

    /// A 416 tells the length, or that the server has no use for ranges. Neither proves another version.
    private mutating func askDifferently(_ head: ResponseHead, _ course: Course) -> [Action] {
        // Where another length was promised before, one of the two is wrong.
        if let total = head.contentRange?.total, total == course.holding.entity.total ?? total,
            total == course.holding.extents.upperBound,
            course.holding.extents.contains(0..<total)
        {
            return settleLength(total, course)
        }
        return askForAll(course)
    }

    /// A range that was no range once will be none the next time: one request must do for each try.
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
            // Audio came from there before: more likely a network that wants a sign-in than a new kind of podcast.
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
    /// What a response must agree with.
    var known: KnownEntity? {
        ignoresValidators ? holding.known.map { KnownEntity(total: $0.total) } : holding.known
    }

    /// Whether the bytes of a response with another validator can be those that are held. Bytes apart from the first
    /// ones would not be compared before others are stored in front of them.
    fileprivate func mayBeOf(_ head: ResponseHead) -> Bool {
        let total = head.status == 200 ? head.contentLength : head.contentRange?.total
        let isAsLong = total == nil || holding.entity.total == nil || total == holding.entity.total
        return isAsLong && holding.lead > 0 && holding.lead == holding.extents.upperBound
    }
}

extension HTTPRejection {
    /// What a signed address answers once its time is over; the next try begins at the enclosure's own.
    fileprivate var mayBeExpiry: Bool { [.status(403), .status(404), .status(410)].contains(self) }
}

extension KnownEntity {
    /// A part of the very version that is held knows its length better than the first answer did, which may have
    /// promised too much.
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
    /// A chunked body has an end of its own (RFC 9112 section 7.1), unlike one that ends with the connection.
    fileprivate var endIsMarked: Bool {
        marksEnd || fields["transfer-encoding"].map { $0.lowercased().hasSuffix("chunked") } ?? false
    }
}
