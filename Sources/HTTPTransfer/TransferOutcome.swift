// SPDX-License-Identifier: GPL-3.0-or-later

/// The outcome of a transfer.
public enum TransferOutcome: Sendable, Equatable {
    /// The response is complete as far as HTTP can determine, with any status. A body without a declared length may
    /// still be truncated (RFC 9112 section 8).
    case complete
    /// The receiver refused the body.
    case refused
    case cancelled
    case failed(TransferError)
}
