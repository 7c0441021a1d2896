// SPDX-License-Identifier: GPL-3.0-or-later

/// The seam between one HTTP exchange and those who need bytes: libcurl in the program, a script in tests.
public protocol HTTPTransport: Sendable {
    /// Starts a transfer and returns at once.
    ///
    /// The receiver's calls come on the transport's own thread and in order: the head at most once, the body any
    /// number of times, the outcome exactly once. The first of them may come before `start` has returned. The
    /// receiver is kept alive until its outcome has been delivered.
    @discardableResult
    func start(_ request: HTTPRequest, receiver: any TransferReceiver) -> TransferID

    /// Ends a transfer early; its outcome is then `cancelled`, unless it had ended already. Unknown names are ignored.
    func cancel(_ id: TransferID)
}
