// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Feeds

/// The subscriptions as a list of feeds (OPML), for other programs. Passwords are left out. Waits for the disk.
public enum SubscriptionExport {
    public static func document(of library: Library) throws(LibraryError) -> [UInt8] {
        // Those of a group stand together.
        let podcasts = try library.podcasts().sorted { $0.folder.lexicographicallyPrecedes($1.folder) }
        let entries = podcasts.map { OPML.Entry(title: $0.title, url: $0.feedURL, group: $0.folder) }
        return OPML(title: "Podcasts", entries: entries).document
    }
}
