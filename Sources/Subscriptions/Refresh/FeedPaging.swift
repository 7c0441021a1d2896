// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds

/// The choice of the next page of a feed to fetch (RFC 5005 section 3). Pure.
struct FeedPaging {
    static let mostPages = 50
    static let mostEpisodes = 20_000

    private var visited: Set<FeedAddress>
    private var pages = 1

    /// - Parameter url: the address of the first page.
    init(_ url: String) { visited = [FeedAddress(url)] }

    /// Returns the address of the next page.
    /// - Parameter episodes: the number of episodes on all pages so far.
    /// - Returns: `nil` after the last page, at the limits, or if the pages form a circle.
    mutating func next(after page: ParsedFeed, episodes: Int) -> String? {
        guard let url = page.nextPageURL, pages < Self.mostPages, episodes < Self.mostEpisodes,
            visited.insert(FeedAddress(url)).inserted
        else { return nil }
        pages += 1
        return url
    }
}
