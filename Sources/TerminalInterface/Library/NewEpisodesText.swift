// SPDX-License-Identifier: GPL-3.0-or-later

/// The text of a notification about the new episodes that a refresh found.
public struct NewEpisodesText: Sendable, Equatable {
    private static let mostLines = 3

    private var count = 0
    private var lines: [String] = []

    public init() {}

    /// Adds the new episodes of a podcast.
    /// - Parameter titles: the titles of the newest, at least three if there are as many.
    public mutating func add(_ count: Int, _ titles: [String], of podcast: String) {
        self.count += count
        lines += titles.prefix(Self.mostLines - lines.count).map { "\(podcast): \($0)" }
    }

    /// The title; `nil` without a new episode.
    public var title: String? {
        switch count {
        case 0: nil
        case 1: "1 new episode"
        default: "\(count) new episodes"
        }
    }

    public var text: String {
        let others = count - lines.count
        return (lines + (others > 0 ? ["and \(others) more"] : [])).joined(separator: "\n")
    }
}
