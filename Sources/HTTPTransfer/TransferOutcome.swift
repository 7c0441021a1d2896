// SPDX-License-Identifier: GPL-3.0-or-later

/// How a transfer ended.
public enum TransferOutcome: Sendable, Equatable {
    /// The response came in full as far as HTTP can tell, whatever its status. A body without any declared length
    /// may still have been cut (RFC 9112 section 8).
    case complete
    /// The receiver did not want the body.
    case refused
    case cancelled
    case failed(TransferError)
}
