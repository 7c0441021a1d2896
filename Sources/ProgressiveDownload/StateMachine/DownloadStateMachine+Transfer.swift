// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

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
        case .idle(let stored), .complete(let stored), .unverified(let stored):
            move(to: .failed(failure, stored))
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
