// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media

/// The state as shown to observers of the download.
extension DownloadStateMachine {
    var condition: DownloadProgress.Condition {
        switch state {
        case .idle: .failed(MediaFailure(.temporary, "the download was stopped"))
        case .connecting: .connecting
        case .receiving: .receiving
        case .backingOff(_, let wait): .backingOff(.init(reason: wait.reason, triesLeft: wait.triesLeft))
        case .held(_, let hold): .held(reason: hold.reason)
        case .following(let stored, let since, let seen):
            if seen - since >= Self.mostSilence {
                .backingOff(.init(reason: "another earshot process is downloading it but receives no data"))
            } else {
                stored.extents.isEmpty ? .connecting : .receiving
            }
        case .complete, .unverified: .complete
        case .failed(let failure, _): .failed(failure)
        }
    }

    /// The factor by which the next request extends the usual first-byte timeout.
    var timeoutFactor: Int {
        switch state {
        case .connecting(let transfer, _), .receiving(let transfer, _), .backingOff(let transfer, _),
            .held(let transfer, _):
            Self.firstByteTimeouts[min(transfer.lateAnswers, Self.firstByteTimeouts.count - 1)]
        case .idle, .following, .complete, .unverified, .failed: 1
        }
    }

    /// The time of the next attempt; `nil` unless the machine waits for one.
    var retryTime: Duration? { if case .backingOff(_, let wait) = state { wait.until } else { nil } }

    var stored: StoredContent {
        switch state {
        case .connecting(let transfer, _), .receiving(let transfer, _), .backingOff(let transfer, _),
            .held(let transfer, _):
            transfer.content
        case .idle(let stored), .complete(let stored), .unverified(let stored), .failed(_, let stored),
            .following(let stored, _, _):
            stored
        }
    }

    /// The length of the file, if it is known. A download that is held before its first byte has no stored content, but
    /// its length decides how much space to free.
    var total: Int64? {
        if case .held(let transfer, let hold) = state, transfer.content.extents.isEmpty, hold.needs > 0 {
            return hold.needs
        }
        return stored.entity.total
    }

    /// The reason why bytes far ahead arrive after the bytes that precede them; `nil` if they can be fetched first.
    var inOrderCause: DownloadProgress.InOrderCause? {
        switch state {
        case .connecting(let transfer, _), .receiving(let transfer, _), .backingOff(let transfer, _),
            .held(let transfer, _):
            transfer.canSkipAhead ? nil : transfer.isOutdated ? .newerVersion : .server
        case .following: .otherProcess
        case .idle, .complete, .unverified, .failed: nil
        }
    }

    var canStart: Bool {
        switch state {
        case .idle, .failed: true
        case .following, .connecting, .receiving, .backingOff, .held, .complete, .unverified: false
        }
    }

    /// True if no more bytes will be written, so another process may continue the file.
    var isIdle: Bool {
        switch state {
        case .idle, .unverified, .failed: true
        case .following, .connecting, .receiving, .backingOff, .held, .complete: false
        }
    }

    /// True if a transfer should continue. A transfer that delivered the last byte may end normally so that its
    /// connection can be reused.
    func shouldContinue(_ number: Int) -> Bool {
        switch state {
        case .connecting, .receiving, .complete, .unverified: number == generation || number == jump?.number
        case .idle, .following, .backingOff, .held, .failed: false
        }
    }

    /// Returns the file offset of a transfer's next byte; `nil` if its bytes are not needed.
    func offset(of number: Int) -> Int64? {
        guard number == generation, case .receiving(_, let incoming) = state else { return nil }
        return incoming.offset
    }
}
