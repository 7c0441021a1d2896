// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Storing the bytes of a response body, and handling its end.
extension DownloadStateMachine {
    mutating func take(_ count: Int, _ foreign: MediaFailure?, _ chance: Chance) -> [Action] {
        // In any other state the bytes are not needed: the file is complete, or the head was not accepted.
        guard case .receiving(var course, var reception) = state else { return [] }
        if let foreign { return refuse(foreign, course, reception, chance) }
        var actions: [Action] = []
        if let version = reception.pending {
            if !course.holding.extents.isEmpty { actions.append(.replaceFile) }
            actions.append(.recordVersion(version))
            course.holding = version
            (reception.pending, reception.isFirstOfVersion) = (nil, true)
            (promise.tagged, course.seenEnd) = (nil, nil)
        }
        reception.lastSave = reception.lastSave ?? chance.time
        reception.delivered = count
        move(to: .receiving(course, reception))
        return actions + [store(count, course, reception)]
    }

    private func store(_ count: Int, _ course: Course, _ reception: Reception) -> Action {
        let room = max(0, (course.holding.entity.total ?? promise.mostUndeclared) - reception.offset)
        let fitting = Int(clamping: min(Int64(count), room))
        return .store(at: reception.offset, count: fitting, excess: count - fitting)
    }

    /// Rejects a body that is a web page. Content stored from an earlier response is kept; a version that began with
    /// the page is discarded.
    private mutating func refuse(
        _ foreign: MediaFailure, _ course: Course, _ reception: Reception, _ chance: Chance
    ) -> [Action] {
        if !reception.isFirstOfVersion, !course.holding.extents.isEmpty {
            return backOff(course, .answer(retryAfter: nil), gained: 0, reason: foreign, chance)
        }
        return fail(foreign, Holding())
    }

    mutating func advance(by count: Int, excess: Int, at time: Duration) -> [Action] {
        // A store belongs to the state that requested it; only a failure can come in between.
        guard case .receiving(var course, var reception) = state else { return [] }
        let before = course.holding.extents.count
        course.holding.extents.insert(reception.offset..<reception.offset + Int64(count))
        let gained = course.holding.extents.count - before
        reception.offset += Int64(count)
        reception.gained += gained
        reception.repeated += Int64(count) - gained
        reception.unsaved += gained
        course.compare(reception)
        if course.holding.isWhole {
            return (excess > 0 ? [.cancelTransfer] : []) + complete(course.holding)
        }
        guard excess == 0 else { return overflow(course) }
        // Some servers send the rest of the file when only a part was requested.
        if let end = reception.end, reception.offset > end {
            return [.cancelTransfer] + connect(course, course.nextAsk())
        }
        let isDue = reception.saveIsDue(at: time)
        if isDue { (reception.unsaved, reception.lastSave) = (0, time) }
        move(to: .receiving(course, reception))
        return isDue ? [.save(course.holding)] : []
    }

    /// Handles a body that extends past the last byte while earlier bytes are missing, or that exceeds the maximum
    /// length.
    private mutating func overflow(_ course: Course) -> [Action] {
        guard course.holding.entity.total != nil else { return fail(Self.tooLong, course.holding) }
        return [.cancelTransfer] + connect(course, course.nextAsk())
    }

    mutating func differ() -> [Action] {
        guard case .receiving(let course, let reception) = state else { return [] }
        guard let rival = reception.rival, reception.offset <= Self.longestCopy else { return beginNewVersion(course) }
        return goOn(with: rival, course, reception)
    }

    /// Continues with the version that the response declares: the bytes received so far become its beginning.
    private mutating func goOn(with rival: Holding, _ course: Course, _ reception: Reception) -> [Action] {
        var (course, reception) = (course, reception)
        course.changes += 1
        guard course.changes <= Self.mostChanges else { return fail(Self.restless, course.holding) }
        course.holding = rival
        course.holding.extents.insert(0..<reception.offset)
        (reception.rival, reception.isFirstOfVersion) = (nil, reception.offset == 0)
        (promise.tagged, course.seenEnd) = (nil, nil)
        move(to: .receiving(course, reception))
        let replace = reception.offset > 0 ? Action.replaceFileAfter(reception.offset) : .replaceFile
        return [replace, .recordVersion(rival), store(reception.delivered, course, reception)]
    }

    mutating func end(_ outcome: TransferOutcome, _ chance: Chance) -> [Action] {
        switch state {
        case .connecting(let course, _): return endWithoutHead(outcome, course, chance)
        case .receiving(let course, let reception): return end(outcome, course, reception, chance)
        case .idle, .following, .backingOff, .held, .complete, .unverified, .failed:
            // The last byte or the failure of this transfer was handled before.
            return []
        }
    }

    private mutating func endWithoutHead(
        _ outcome: TransferOutcome, _ course: Course, _ chance: Chance
    ) -> [Action] {
        switch outcome {
        case .failed(let error):
            var course = course
            if outcome == .late { course.lateAnswers += 1 }
            return backOff(course, .transfer(error), gained: 0, reason: error.mediaFailure, chance)
        case .complete, .refused, .cancelled: return fail(Self.interrupted, course.holding)
        }
    }

    private mutating func end(
        _ outcome: TransferOutcome, _ course: Course, _ reception: Reception, _ chance: Chance
    ) -> [Action] {
        switch outcome {
        case .failed(let error): return endBroken(error, course, reception, chance)
        case .complete where course.holding.entity.total != nil && reception.pending == nil:
            return endShort(course, reception, chance)
        case .complete: return endUndeclared(course, reception, chance)
        case .refused, .cancelled: return fail(Self.interrupted, course.holding)
        }
    }

    /// Handles a complete response that left bytes missing. A server may send less than requested (RFC 9110 section
    /// 15.3.7), but sending almost nothing each time counts as a failure.
    mutating func endShort(_ course: Course, _ reception: Reception, _ chance: Chance) -> [Action] {
        let hasFilledGap = course.holding.extents.contiguousEnd(from: reception.offset) > reception.offset
            || reception.offset == reception.end ?? course.holding.entity.total
        if reception.gained >= RetryPolicy.progress || reception.gained > 0 && hasFilledGap {
            return connect(course, course.nextAsk())
        }
        let error = TransferError.brokenOff(received: reception.gained, reason: "the answer was shorter than promised")
        return endBroken(error, course, reception, chance)
    }

    /// Handles an interrupted body. Retries help against network failures, not against a server that ends the file at
    /// the same byte every time.
    private mutating func endBroken(
        _ error: TransferError, _ course: Course, _ reception: Reception, _ chance: Chance
    ) -> [Action] {
        var course = course
        let isRepetition = reception.gained == 0 && reception.repeated > 0
            && reception.offset == course.holding.extents.upperBound
        course.repetitions = isRepetition ? course.repetitions + 1 : 0
        guard course.repetitions < Self.mostRepetitions else {
            return fail(Self.truncated(at: reception.offset, of: course.holding.entity.total), course.holding)
        }
        return backOff(course, .transfer(error), gained: reception.gained, reason: error.mediaFailure, chance)
    }

    private static func truncated(at offset: Int64, of total: Int64?) -> MediaFailure {
        let whole = total.map { " of \($0)" } ?? ""
        return MediaFailure(.unavailable, "the server sends only \(offset)\(whole) bytes of it")
    }

    static let interrupted = MediaFailure(.temporary, "the transfer was stopped")
}

extension DownloadStateMachine.Course {
    /// Marks the stored bytes as valid for the declared version too, once all of them were received again.
    fileprivate mutating func compare(_ reception: DownloadStateMachine.Reception) {
        guard let rival = reception.rival else { return }
        if reception.gained > 0 { holding.entity.validator = rival.entity.validator }
        let held = (holding.extents.upperBound ?? 0) - reception.gained
        if reception.offset >= min(held, DownloadStateMachine.proof) { ignoresValidators = true }
    }
}

extension TransferOutcome {
    /// The request was sent, but the first byte of the response did not arrive before the timeout.
    static let late = TransferOutcome.failed(.timedOut(.waiting))
}

extension DownloadStateMachine.Reception {
    fileprivate func saveIsDue(at time: Duration) -> Bool {
        unsaved >= DownloadStateMachine.saveEvery.bytes
            || unsaved > 0 && time - (lastSave ?? time) >= DownloadStateMachine.saveEvery.time
    }
}
