// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The replacement of an item's audio by the version that the server has now.
public struct VersionChange: Sendable, Equatable {
    /// The lengths of the two files in bytes; `nil` if unknown.
    public var oldLength: Int64?
    public var newLength: Int64?
    /// The times of the old version in the new one; `nil` if they have no content in common or cannot be compared.
    public var times: VersionTimes?

    public init(oldLength: Int64?, newLength: Int64?, times: VersionTimes?) {
        (self.oldLength, self.newLength, self.times) = (oldLength, newLength, times)
    }
}
