// SPDX-License-Identifier: GPL-3.0-or-later

/// Names one transfer for as long as the process lives.
public struct TransferID: Sendable, Hashable {
    public let number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }
}

extension TransferID: CustomStringConvertible {
    public var description: String { "transfer \(number)" }
}
