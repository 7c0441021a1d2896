// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Deciding whether the end of a body of undeclared length is the end of the file.
extension DownloadStateMachine {
    mutating func endUndeclared(_ course: Course, _ reception: Reception, _ chance: Chance) -> [Action] {
        if let version = reception.pending {
            return version.entity.total == nil && course.holding.extents.isEmpty
                ? fail(Self.empty, course.holding) : endShort(course, reception, chance)
        }
        let length = course.holding.extents.upperBound ?? 0
        guard course.holding.lead == length, reception.offset == length else {
            return endShort(course, reception, chance)
        }
        if reception.endIsMarked || promise.isKept(by: length) {
            var holding = course.holding
            holding.entity.total = length
            return complete(holding)
        }
        var course = course
        guard let promised = promise.brokenBy(length), course.asksAgain(reception, isWeak: promise.isWeak) else {
            return settle(course, length)
        }
        course.seenEnd = length
        let short = Self.short(length, of: promised)
        let error = TransferError.brokenOff(received: reception.gained, reason: short.reason)
        return backOff(course, .transfer(error), gained: reception.gained, reason: short, chance)
    }

    /// Accepts `length` as the length of the file without proof.
    mutating func settle(_ course: Course, _ length: Int64) -> [Action] {
        var holding = course.holding
        holding.entity.total = length
        let dropped = dropJump()
        move(to: .unverified(holding))
        return dropped + [.save(course.holding)]
    }

    /// Returns the end of the stored content if a body ended there; otherwise `nil`.
    func acceptedEnd(_ course: Course) -> Int64? {
        guard let end = course.seenEnd, course.holding.extents.ranges == [0..<end] else { return nil }
        return end
    }

    private static func short(_ count: Int64, of promised: Int64) -> MediaFailure {
        MediaFailure(.unavailable, "the server sent only \(count) of \(promised) bytes")
    }

    /// The difference between the stored and the expected length; `nil` until the end was reached, or if there is
    /// none.
    var shortfall: Shortfall? {
        switch state {
        case .complete(let holding):
            guard let total = holding.entity.total else { return nil }
            return promise.brokenToTheFileBy(total).map { Shortfall(held: total, promised: $0) }
        case .unverified(let holding):
            guard let total = holding.entity.total else { return nil }
            return promise.brokenBy(total).map { Shortfall(held: total, promised: $0) }
        case .idle, .following, .connecting, .receiving, .backingOff, .held, .failed: return nil
        }
    }

    /// The unverified end of the file; `nil` if the length was verified or is not known yet.
    var unverified: Arrival.Unverified? {
        guard case .unverified(let holding) = state else { return nil }
        return .init(promised: holding.entity.total.flatMap(promise.missed))
    }

    /// True if the end of the current transfer would be accepted as the end of the file.
    var hasOpenEnd: Bool {
        guard case .receiving(let course, let reception) = state else { return false }
        return course.holding.entity.total == nil && reception.pending == nil
            && course.holding.lead == reception.offset
    }

    mutating func note(_ length: Int64?) -> [Action] {
        promise.tagged = length.flatMap { $0 > 0 && $0 <= Self.longest ? $0 : nil }
        return []
    }

    /// Fails because the beginning of the file is not audio.
    mutating func refuseContent(_ failure: MediaFailure) -> [Action] {
        switch state {
        case .receiving, .complete, .unverified: fail(failure, Holding())
        // Stopped or restarted in the meantime.
        case .idle, .following, .connecting, .backingOff, .held, .failed: []
        }
    }
}

extension DownloadStateMachine.Course {
    /// Decides whether to request the rest again: once for a length declared by the feed; for one declared by the
    /// file itself as long as bytes arrive, and then once more.
    fileprivate mutating func asksAgain(_ reception: DownloadStateMachine.Reception, isWeak: Bool) -> Bool {
        if reception.gained > 0, !isWeak { endings = 0 }
        endings += 1
        return endings <= (isWeak ? 1 : DownloadStateMachine.mostRepetitions)
    }
}
