// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:locked`: whether other hosts may take the feed over.
public struct ParsedLock: Sendable, Equatable {
    public var isLocked: Bool
    /// The mail address of whom to ask.
    public var owner: String?

    public init(isLocked: Bool, owner: String? = nil) {
        self.isLocked = isLocked
        self.owner = owner
    }
}
