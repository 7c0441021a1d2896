// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import SQLDatabase

/// The stored properties of a podcast, as its feed gives them.
enum PodcastContent {
    /// Updates the podcast. A value missing from the feed is kept: a feed that loses its title for a day keeps it
    /// here.
    static func update(_ db: Database, _ podcast: Int64, _ feed: ParsedFeed) throws {
        try db.cachedStatement(
            sql: """
                UPDATE podcast SET title = coalesce(:title, title), author = coalesce(:author, author),
                    description = coalesce(:description, description), link = coalesce(:link, link),
                    image = coalesce(:image, image), language = coalesce(:language, language),
                    guid = coalesce(:guid, guid), kind = coalesce(:kind, kind), medium = coalesce(:medium, medium),
                    explicit = coalesce(:explicit, explicit), details = :details
                WHERE id = :id
                """
        ).execute(arguments: [
            "title": feed.title, "author": feed.author, "description": feed.description, "link": feed.link,
            "image": feed.image, "language": feed.language, "guid": feed.podcastGUID, "kind": feed.order?.rawValue,
            "medium": feed.medium, "explicit": feed.isExplicit, "details": DetailDocument.text(of: feed), "id": podcast,
        ])
    }
}
