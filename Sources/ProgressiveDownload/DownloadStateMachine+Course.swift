// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// Starting, stopping, retry deadlines and disk errors.
extension DownloadStateMachine {
    mutating func start(_ holding: Holding) -> [Action] {
        switch state {
        case .idle, .failed, .following:
            if holding.isWhole { return complete(holding) }
            let patience = holding.extents.isEmpty ? policy : RetryPolicy(hasReceived: true)
            let course = Course(holding: holding, policy: patience)
            return connect(course, course.nextAsk())
        case .connecting, .receiving, .backingOff, .held, .complete, .unverified:
            // Started twice: the download already runs, or it is complete.
            return []
        }
    }

    mutating func stop() -> [Action] {
        switch state {
        case .connecting(let course, _), .receiving(let course, _), .backingOff(let course, _), .held(let course, _):
            let dropped = dropJump()
            beginAttempt()
            move(to: .idle(course.holding))
            return dropped + [.cancelTransfer, Self.settle(course.holding)]
        case .following:
            // The stored bytes belong to the other process.
            beginAttempt()
            move(to: .idle(Holding()))
            return [.cancelTransfer]
        case .idle, .complete, .unverified, .failed:
            // No transfer runs.
            return []
        }
    }

    mutating func retry() -> [Action] {
        switch state {
        case .backingOff(let course, _): connect(course, course.nextAsk())
        case .held(let course, _): [.lookForRoom(generation, in: course.nextGap)]
        case .following: [.followOrTakeOver]
        // The deadline belongs to a wait that was cut short.
        case .idle, .connecting, .receiving, .complete, .unverified, .failed: []
        }
    }

    mutating func failStorage(_ failure: MediaFailure) -> [Action] {
        switch state {
        case .connecting(let course, _), .receiving(let course, _), .backingOff(let course, _), .held(let course, _):
            return fail(failure, course.holding)
        case .idle(let holding), .complete(let holding), .unverified(let holding):
            move(to: .failed(failure, holding))
            return []
        case .following:
            move(to: .failed(failure, Holding()))
            return []
        case .failed:
            // Only the first failure is reported.
            return []
        }
    }
}
