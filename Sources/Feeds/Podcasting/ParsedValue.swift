// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:value`: the method and the recipients of listeners' payments. The values are unchecked.
public struct ParsedValue: Sendable, Equatable {
    /// `podcast:valueRecipient`.
    public struct Recipient: Sendable, Equatable {
        public var name: String?
        public var type: String?
        public var address: String
        public var customKey: String?
        public var customValue: String?
        /// The share, relative to the sum of all recipients' shares; for a fee, in percent.
        public var split: Int?
        public var isFee = false

        public init(address: String) {
            self.address = address
        }
    }

    /// The payment network: `lightning`.
    public var type: String
    /// The payment method within the network: `keysend`.
    public var method: String?
    /// The amount per minute that the publisher proposes, as written in the feed.
    public var suggested: String?
    public var recipients: [Recipient] = []

    public init(type: String, method: String? = nil, suggested: String? = nil) {
        self.type = type
        self.method = method
        self.suggested = suggested
    }
}
