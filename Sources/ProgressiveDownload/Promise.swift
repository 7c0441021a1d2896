// SPDX-License-Identifier: GPL-3.0-or-later

/// How long a file is said to be, by others than the server that sends it.
struct Promise: Sendable, Equatable {
    /// By the feed: often wrong, for a host may put other advertisements in.
    var claimed: Int64?
    /// By the file itself, in the tag at its beginning.
    var tagged: Int64?

    /// What tags behind the audio make of a count.
    private static let slack: Int64 = 4096

    /// A body without a length is followed no further: 2 GiB, or four times what the feed says.
    var mostUndeclared: Int64 {
        let claimed = min(claimed ?? 0, DownloadStateMachine.longest / 4)
        return max(2 << 30, 4 * claimed)
    }

    /// Only the feed says anything.
    var isWeak: Bool { tagged == nil }

    /// The promised length, where a body of `count` bytes that nobody gave a length falls short of it.
    func brokenBy(_ count: Int64) -> Int64? {
        if isWeak, let claimed, count < claimed - claimed / 10 { return claimed }
        return brokenToTheFileBy(count)
    }

    /// The promised length, where one of `count` bytes falls short of it at all.
    func missed(by count: Int64) -> Int64? {
        (tagged ?? claimed).flatMap { count < $0 - Self.slack ? $0 : nil }
    }

    /// Whether it is just as long as the file itself promises.
    func isKept(by count: Int64) -> Bool { tagged.map { abs(count - $0) <= Self.slack } ?? false }

    /// The length that the file itself promises, where it is more.
    func brokenToTheFileBy(_ count: Int64) -> Int64? {
        tagged.flatMap { count < $0 - Self.slack ? $0 : nil }
    }
}

/// An episode that ended before its promised length.
public struct Shortfall: Sendable, Equatable {
    /// Bytes that are there.
    public let held: Int64
    /// Bytes that the file's own tag promises, or the feed where there is no tag.
    public let promised: Int64

    public init(held: Int64, promised: Int64) {
        self.held = held
        self.promised = promised
    }
}
