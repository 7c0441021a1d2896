// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// A message from another thread to the curl thread.
enum CurlMessage: Sendable {
    case start(TransferID, HTTPRequest, any TransferReceiver)
    case cancel(TransferID)
    case stop
}

/// Passes messages to the curl thread and wakes it.
final class CurlMailbox: Sendable {
    private struct State {
        var messages: [CurlMessage] = []
        var waker: MultiHandle.Waker?
        /// Set when the curl thread stops reading: the outcome of any transfer started later.
        var closed: TransferOutcome?
    }

    private let state = Mutex(State())

    /// - Returns: `nil` if the thread will read the message, otherwise the outcome for its sender.
    func post(_ message: CurlMessage) -> TransferOutcome? {
        state.withLock { state in
            if let outcome = state.closed { return outcome }
            // If another message is unread, the thread was already woken for it, or has not slept yet.
            if state.messages.isEmpty { state.waker?.wake() }
            state.messages.append(message)
            return nil
        }
    }

    func open(waker: MultiHandle.Waker) {
        state.withLock { $0.waker = waker }
    }

    func removeAll() -> [CurlMessage] {
        state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// - Returns: the unread messages.
    func close(_ outcome: TransferOutcome) -> [CurlMessage] {
        state.withLock { state in
            defer { state.messages = [] }
            state.waker = nil
            state.closed = outcome
            return state.messages
        }
    }
}
