// SPDX-License-Identifier: GPL-3.0-or-later

/// Whether a receiver wants more of a body.
public enum BodyDecision: Sendable, Equatable {
    case accept
    /// The rest is dropped and the transfer ends with the outcome `refused`.
    case refuse
}

/// Takes what one transfer brings. Calls come on the transport's thread and hold up every other transfer while they
/// run, so they neither wait nor call back into a lock that is held around `HTTPTransport.start`.
public protocol TransferReceiver: AnyObject, Sendable {
    /// The head of the final response; interim responses and followed redirects are passed over.
    func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision
    /// The next bytes of the body; the buffer is valid only during the call and never empty.
    func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision
    /// The last call.
    func finished(_ outcome: TransferOutcome, of id: TransferID)
}
