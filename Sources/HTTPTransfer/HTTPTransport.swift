// SPDX-License-Identifier: GPL-3.0-or-later

/// An interface for HTTP transfers: libcurl in the program, a script in tests.
public protocol HTTPTransport: Sendable {
    /// Starts a transfer and returns immediately.
    ///
    /// The transport calls the receiver on its own thread and in order: the head at most once, the body any number of
    /// times, the outcome exactly once. The first call may precede the return of `start`. The transport retains the
    /// receiver until it has delivered the outcome.
    @discardableResult
    func start(_ request: HTTPRequest, receiver: any TransferReceiver) -> TransferID

    /// Ends a transfer early. The outcome is then `cancelled`, unless the transfer had already ended. Unknown
    /// identifiers are ignored.
    func cancel(_ id: TransferID)
}
