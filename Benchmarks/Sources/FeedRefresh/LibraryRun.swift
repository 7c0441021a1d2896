// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Glibc
import HTTPTransfer
import Measuring
import Media
import Subscriptions

/// A refresh of a library that is subscribed to all the feeds.
struct LibraryRun {
    let path: String
    let feeds: [String]
    let transport: CurlTransport

    /// - Returns: The cost of the refresh, without that of subscribing.
    func run() async -> String {
        do {
            let library = try Library(path: path) { UTCTime(secondsSince1970: Int64(time(nil))) }
            for feed in feeds { _ = try library.subscribe(Subscription(feedURL: feed)) }
            var tally = Tally()
            for try await news in LibraryRefresh(library, transport: transport).refresh(isAsked: true) {
                tally.note(news.outcome)
            }
            return tally.json()
        } catch {
            stop("\(error)")
        }
    }
}
