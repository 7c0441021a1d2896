// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

extension DownloadStateMachine {
    /// The state that is carried from attempt to attempt.
    struct Transfer: Sendable, Equatable {
        var content: StoredContent
        var policy: RetryPolicy
        /// The number of times the server sent a different version.
        var changes = 0
        /// The number of consecutive times the server sent much of the stored content again and no byte after it.
        var repetitions = 0
        /// The reader's position in this version; missing bytes from here on are fetched first.
        var needed: Int64 = 0
        /// A gap farther ahead than this many bytes gets its own request.
        var skipLimit = SkipDistance.unmeasured
        /// The number of consecutive failed jumps.
        var failedJumpCount = 0
        /// True if a wait was cut short for a new position since the server last answered.
        var hasSkippedDelay = false
        /// False once the server was seen to send only from the beginning, or other bytes than it says.
        var canSkip = true
        /// True once the server was seen to have another version than the one that the running transfer sends.
        var isOutdated = false
        /// False once a range request was refused; the whole file is requested from then on.
        var acceptsRanges = true
        /// The number of consecutive bodies that ended before the expected length.
        var endings = 0
        /// The offset at which the last of them ended.
        var seenEnd: Int64?
        /// The number of consecutive times the server denied a file that it served before.
        var denialCount = 0
        /// The number of consecutive partial responses whose validator belongs to another version.
        var mismatchedParts = 0
        /// The version that was last compared with the stored one; `nil` after an answer with the stored validator.
        var compared: ComparedVersion?
        /// The number of bytes of the stored version whose comparison counted as progress. It counts once, because a
        /// server may alternate between versions without end.
        var countedLead: Int64 = 0
        /// True if responses with other validators carry the same bytes (mirrors); then only bytes are compared.
        var ignoresValidators = false
        /// The number of times the first byte of a response did not arrive before the timeout.
        var lateAnswers = 0
        /// The reason the server rejected the address; set once the feed was asked for a new one.
        var refused: HTTPRejection?
        /// The result of that request to the feed.
        var renewal: AddressRenewal?
    }
}

extension DownloadStateMachine {
    /// A version with another validator than the stored one, whose bytes equal the stored ones so far.
    struct ComparedVersion: Sendable, Equatable {
        private let validator: EntityValidator?
        private let lastModified: String?
        /// The number of equal bytes from the beginning.
        var equalLead: Int64 = 0

        init(_ head: ResponseHead) { (validator, lastModified) = (head.validator, head.lastModified) }

        /// Returns true if a response, which has the length of the stored version, carries this version. Mirrors often
        /// send the same Last-Modified with different ETags.
        func isCarried(by head: ResponseHead) -> Bool {
            validator != nil && validator == head.validator || lastModified != nil && lastModified == head.lastModified
        }
    }
}

/// Starting, stopping, retry deadlines and disk errors.
extension DownloadStateMachine {
    mutating func start(_ stored: StoredContent) -> [Action] {
        switch state {
        case .idle, .failed, .following:
            if stored.isWhole { return complete(stored) }
            let patience = stored.extents.isEmpty ? policy : RetryPolicy(hasReceived: true)
            let transfer = Transfer(content: stored, policy: patience)
            return connect(transfer, transfer.nextRequest())
        case .connecting, .receiving, .backingOff, .held, .complete, .unverified:
            // Started twice: the download already runs, or it is complete.
            return []
        }
    }

    mutating func stop() -> [Action] {
        switch state {
        case .connecting(let transfer, _), .receiving(let transfer, _), .backingOff(let transfer, _),
            .held(let transfer, _):
            let dropped = dropJump()
            beginAttempt()
            move(to: .idle(transfer.content))
            return dropped + [.cancelTransfer, Self.saveOrDiscard(transfer.content)]
        case .following:
            // The stored bytes belong to the other process.
            beginAttempt()
            move(to: .idle(StoredContent()))
            return [.cancelTransfer]
        case .idle, .complete, .unverified, .failed:
            // No transfer runs.
            return []
        }
    }

    mutating func retry() -> [Action] {
        switch state {
        case .backingOff(let transfer, _): connect(transfer, transfer.nextRequest())
        case .held(let transfer, _): [.checkDiskSpace(generation, in: transfer.nextGap)]
        case .following: [.followOrTakeOver]
        // The deadline belongs to a wait that was cut short.
        case .idle, .connecting, .receiving, .complete, .unverified, .failed: []
        }
    }

    mutating func failStorage(_ failure: MediaFailure) -> [Action] {
        switch state {
        case .connecting(let transfer, _), .receiving(let transfer, _), .backingOff(let transfer, _),
            .held(let transfer, _):
            return fail(failure, transfer.content)
        case .idle(let stored), .complete(let stored):
            move(to: .failed(failure, stored))
            return []
        case .unverified(let stored):
            // The next attempt must not take the end for verified.
            move(to: .failed(failure, stored.withoutLength))
            return []
        case .following:
            move(to: .failed(failure, StoredContent()))
            return []
        case .failed:
            // Only the first failure is reported.
            return []
        }
    }
}
