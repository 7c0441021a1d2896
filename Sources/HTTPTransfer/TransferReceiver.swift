// SPDX-License-Identifier: GPL-3.0-or-later

/// A receiver's decision about the rest of a body.
public enum BodyDecision: Sendable, Equatable {
    case accept
    /// The transport drops the rest, and the transfer ends with the outcome `refused`.
    case refuse
}

/// The receiver of one transfer. The transport calls it on its own thread, and each call delays all other transfers.
/// An implementation must not wait, and must not acquire a lock that is held around `HTTPTransport.start`.
public protocol TransferReceiver: AnyObject, Sendable {
    /// Receives the head of the final response; interim responses and followed redirects are skipped.
    func receivedHead(_ head: ResponseHead, of id: TransferID) -> BodyDecision
    /// Receives the next bytes of the body; the buffer is valid only during the call and never empty.
    func receivedBody(_ bytes: UnsafeRawBufferPointer, of id: TransferID) -> BodyDecision
    /// Receives the outcome, with the last call.
    func finished(_ outcome: TransferOutcome, of id: TransferID)
}
