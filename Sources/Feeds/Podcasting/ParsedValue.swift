// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:value`: how listeners may pay, and whom. As the feed has it: nothing here is checked.
public struct ParsedValue: Sendable, Equatable {
    /// `podcast:valueRecipient`.
    public struct Recipient: Sendable, Equatable {
        public var name: String?
        public var type: String?
        public var address: String
        public var customKey: String?
        public var customValue: String?
        /// Shares, of the sum of all recipients' shares; of a fee per cent.
        public var split: Int?
        public var isFee = false

        public init(address: String) {
            self.address = address
        }
    }

    /// The layer that carries the payment: `lightning`.
    public var type: String
    /// How it is paid there: `keysend`.
    public var method: String?
    /// What the publisher proposes for a minute, as it stands.
    public var suggested: String?
    public var recipients: [Recipient] = []

    public init(type: String, method: String? = nil, suggested: String? = nil) {
        self.type = type
        self.method = method
        self.suggested = suggested
    }
}
