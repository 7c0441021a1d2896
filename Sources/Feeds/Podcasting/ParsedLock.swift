// SPDX-License-Identifier: GPL-3.0-or-later

/// `podcast:locked`: the permission for other hosts to import the feed.
public struct ParsedLock: Sendable, Equatable {
    public var isLocked: Bool
    /// The mail address of the person to ask.
    public var owner: String?

    public init(isLocked: Bool, owner: String? = nil) {
        self.isLocked = isLocked
        self.owner = owner
    }
}
