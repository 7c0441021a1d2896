// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Feeds

/// The export of the subscriptions as a list of feeds (OPML) for other programs. Passwords are left out. Blocks on
/// disk access.
public enum SubscriptionExport {
    /// Returns the OPML document that lists `podcasts`.
    public static func document(of podcasts: [PodcastSummary], _ addresses: ExportedAddresses) -> [UInt8] {
        // Sorts by folder, so that the podcasts of a group are adjacent.
        let podcasts = podcasts.sorted { $0.folder.lexicographicallyPrecedes($1.folder) }
        let entries = podcasts.map { podcast in
            OPML.Entry(
                title: podcast.title, url: addresses.feedURLs[podcast.id] ?? podcast.shownFeedURL,
                group: podcast.folder)
        }
        return OPML(title: "Podcasts", entries: entries).document
    }
}
