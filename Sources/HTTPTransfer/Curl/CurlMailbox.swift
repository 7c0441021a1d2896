// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// What other threads want of the curl thread.
enum CurlMessage: Sendable {
    case start(TransferID, HTTPRequest, any TransferReceiver)
    case cancel(TransferID)
    case stop
}

/// Hands messages to the curl thread and wakes it.
final class CurlMailbox: Sendable {
    private struct State {
        var messages: [CurlMessage] = []
        var waker: MultiHandle.Waker?
        /// Set once nobody reads any more: what becomes of a transfer that is started then.
        var closed: TransferOutcome?
    }

    private let state = Mutex(State())

    /// - Returns: `nil` where the message will be read, else what to tell the one who sent it.
    func post(_ message: CurlMessage) -> TransferOutcome? {
        state.withLock { state in
            if let outcome = state.closed { return outcome }
            // Where another waits to be read, the thread has been woken for that one, or has not slept yet.
            if state.messages.isEmpty { state.waker?.wake() }
            state.messages.append(message)
            return nil
        }
    }

    func open(waker: MultiHandle.Waker) {
        state.withLock { $0.waker = waker }
    }

    func takeAll() -> [CurlMessage] {
        state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// - Returns: the messages that nobody read.
    func close(_ outcome: TransferOutcome) -> [CurlMessage] {
        state.withLock { state in
            defer { state.messages = [] }
            state.waker = nil
            state.closed = outcome
            return state.messages
        }
    }
}
