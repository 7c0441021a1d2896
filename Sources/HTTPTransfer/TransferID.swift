// SPDX-License-Identifier: GPL-3.0-or-later

/// An identifier of one transfer, unique during the life of the process.
public struct TransferID: Sendable, Hashable {
    public let number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }
}

extension TransferID: CustomStringConvertible {
    public var description: String { "transfer \(number)" }
}
