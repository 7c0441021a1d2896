// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds

/// Which page of a feed is fetched next (RFC 5005 section 3). Pure.
struct FeedPaging {
    static let mostPages = 50
    static let mostEpisodes = 20_000

    private var visited: Set<FeedAddress>
    private var pages = 1

    /// - Parameter url: of the first page.
    init(_ url: String) { visited = [FeedAddress(url)] }

    /// - Parameter episodes: of all pages so far.
    /// - Returns: `nil` where it was the last page, enough have come, or the pages go in circles.
    mutating func next(after page: ParsedFeed, episodes: Int) -> String? {
        guard let url = page.nextPageURL, pages < Self.mostPages, episodes < Self.mostEpisodes,
            visited.insert(FeedAddress(url)).inserted
        else { return nil }
        pages += 1
        return url
    }
}
