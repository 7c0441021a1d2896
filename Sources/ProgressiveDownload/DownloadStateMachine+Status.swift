// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// What a state means to those who look on.
extension DownloadStateMachine {
    var condition: Arrival.Condition {
        switch state {
        case .idle: .failed(MediaFailure(.temporary, "the download was stopped"))
        case .connecting: .connecting
        case .receiving: .receiving
        case .backingOff(_, let wait): .backingOff(.init(reason: wait.reason, triesLeft: wait.triesLeft))
        case .held(_, let hold): .held(reason: hold.reason)
        case .following(let holding, let since, let seen):
            if seen - since >= Self.mostSilence {
                .backingOff(.init(reason: "another earshot is downloading it, and receives nothing"))
            } else {
                holding.extents.isEmpty ? .connecting : .receiving
            }
        case .complete, .unverified: .complete
        case .failed(let failure, _): .failed(failure)
        }
    }

    /// How many times as long as usual the next request waits for the first byte of its answer.
    var patience: Int {
        switch state {
        case .connecting(let course, _), .receiving(let course, _), .backingOff(let course, _), .held(let course, _):
            Self.patience[min(course.lateAnswers, Self.patience.count - 1)]
        case .idle, .following, .complete, .unverified, .failed: 1
        }
    }

    /// When the next try is due, where one is waited for.
    var retryTime: Duration? { if case .backingOff(_, let wait) = state { wait.until } else { nil } }

    var holding: Holding {
        switch state {
        case .connecting(let course, _), .receiving(let course, _), .backingOff(let course, _), .held(let course, _):
            course.holding
        case .idle(let holding), .complete(let holding), .unverified(let holding), .failed(_, let holding),
            .following(let holding, _, _):
            holding
        }
    }

    /// Whether bytes far ahead can be asked for before those in front of them, as far as is known.
    var canSkipAhead: Bool {
        switch state {
        case .connecting(let course, _), .receiving(let course, _), .backingOff(let course, _), .held(let course, _):
            course.canSkipAhead
        case .following: false
        case .idle, .complete, .unverified, .failed: true
        }
    }

    var canStart: Bool {
        switch state {
        case .idle, .failed: true
        case .following, .connecting, .receiving, .backingOff, .held, .complete, .unverified: false
        }
    }

    /// Whether nothing more will be written: another process may go on with the file.
    var isAtRest: Bool {
        switch state {
        case .idle, .unverified, .failed: true
        case .following, .connecting, .receiving, .backingOff, .held, .complete: false
        }
    }

    /// Whether a transfer should go on. One that brought the last byte may end in peace: its connection is used again.
    func wants(_ number: Int) -> Bool {
        switch state {
        case .connecting, .receiving, .complete, .unverified: number == generation || number == jump?.number
        case .idle, .following, .backingOff, .held, .failed: false
        }
    }

    /// Where the next byte of a transfer goes; `nil` where none is wanted.
    func offset(of number: Int) -> Int64? {
        guard number == generation, case .receiving(_, let reception) = state else { return nil }
        return reception.offset
    }
}
