// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The place in the new version of an episode at which playback continues.
public enum VersionMapping: String, Sendable, CaseIterable {
    /// The same word.
    case word
    /// The same time, because the versions have no content in common, or cannot be compared.
    case time
    /// The beginning. The versions have no content in common so far, and at most 90 seconds were played: they may be an
    /// advertisement.
    case start
}

/// The replacement of an item's audio by the version that the server has now.
public struct VersionChange: Sendable, Equatable {
    /// The lengths of the two files in bytes; `nil` if unknown.
    public var oldLength: Int64?
    public var newLength: Int64?
    /// The times of the old version in the new one; `nil` if no packet is known to be in both, or if they cannot be
    /// compared.
    public var times: VersionTimes?

    public init(oldLength: Int64?, newLength: Int64?, times: VersionTimes?) {
        (self.oldLength, self.newLength, self.times) = (oldLength, newLength, times)
    }
}

extension TimeTarget {
    /// Returns the target of the same sound in a new version; the same target if the sound or its place is unknown.
    func moved(by times: VersionTimes?, newLength: Int64?) -> TimeTarget {
        guard let time = position(within: nil),
            let moved = times?.moved(time, from: anchor, newLength: newLength)
        else { return self }
        return TimeTarget(moved.position, from: moved.anchor)
    }
}
