// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The expected length of a file, from sources other than the server that sends it.
struct ExpectedLength: Sendable, Equatable {
    /// The length declared by the feed, which is often wrong because a host may insert different advertisements.
    var claimed: Int64?
    /// The length declared by the file itself, in the tag at its beginning.
    var tagged: Int64?
    /// What the stored bytes lack of the end that their container states; `nil` if they reach it, or none is stated.
    var missingEnd: MissingEnd?

    /// The difference that tags after the audio may cause.
    private static let slack: Int64 = 4096

    /// The maximum length of a body without a declared length: 2 GiB, or four times the length declared by the feed.
    var maximumUndeclared: Int64 {
        let claimed = min(claimed ?? 0, DownloadStateMachine.longest / 4)
        return max(2 << 30, 4 * claimed)
    }

    /// True if only the feed may state that bytes are missing, not the file itself.
    var isOnlyClaimed: Bool { tagged == nil && missingEnd == nil }

    /// The number of consecutive bodies that end before the expected length and justify another request.
    var mostEndings: Int { tagged == nil ? 1 : DownloadStateMachine.mostRepetitions }

    /// Forgets what the stored bytes state, because those of another version replace them.
    mutating func beginVersion() { (tagged, missingEnd) = (nil, nil) }

    /// Returns the expected length if an undeclared body of `count` bytes is clearly shorter.
    func shortfall(_ count: Int64) -> Int64? {
        if tagged == nil, let claimed, count < claimed - claimed / 10 { return claimed }
        return shortfallAgainstTag(count)
    }

    /// Returns the expected length if `count` bytes fall short of it by more than the size of tags.
    func missing(by count: Int64) -> Int64? {
        (tagged ?? claimed).flatMap { count < $0 - Self.slack ? $0 : nil }
    }

    /// True if `count` is as long as the file itself declares.
    func isMet(by count: Int64) -> Bool { tagged.map { abs(count - $0) <= Self.slack } ?? false }

    /// Returns the length that the file itself declares if `count` is less.
    func shortfallAgainstTag(_ count: Int64) -> Int64? {
        tagged.flatMap { count < $0 - Self.slack ? $0 : nil }
    }
}

/// An episode that ended before its expected length.
public struct Shortfall: Sendable, Equatable {
    /// The number of stored bytes.
    public let held: Int64
    /// The number of bytes that the file's own tag declares, or the feed if there is no tag.
    public let promised: Int64

    public init(held: Int64, promised: Int64) {
        self.held = held
        self.promised = promised
    }
}
