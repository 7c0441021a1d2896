// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

/// A matcher of the podcasts of a copy with those of the library: by the address, by a former address, or by the
/// address without its token. The podcast GUID alone is not enough, because the public feed and the members' feed of
/// a show share it.
struct ImportedPodcasts {
    let db: Database

    /// Returns the numbers of the podcasts in the library, in the same order; `nil` for one that it lacks.
    func numbers(of podcasts: [LibraryCopy.Podcast]) throws -> [Int64?] {
        var numbers = try podcasts.map(exactMatch)
        for pair in try pairs(podcasts, numbers) where numbers[pair.index] == nil && !numbers.contains(pair.number) {
            numbers[pair.index] = pair.number
        }
        return numbers
    }

    private func exactMatch(_ podcast: LibraryCopy.Podcast) throws -> Int64? {
        for url in [podcast.feedURL] + podcast.formerAddresses {
            if let (id, _) = try Library.podcast(at: url, db) { return id }
        }
        return nil
    }

    /// A podcast of the copy and one of the library whose addresses are the same without their tokens.
    private struct Pair {
        let index: Int
        let number: Int64
        /// The number of other properties that are the same.
        let likeness: Int
    }

    /// Returns the possible pairs, the most alike first. Several podcasts may differ only in their tokens.
    private func pairs(_ podcasts: [LibraryCopy.Podcast], _ numbers: [Int64?]) throws -> [Pair] {
        let open = podcasts.indices.filter { numbers[$0] == nil && PublicAddress.lacksSecrets(podcasts[$0].feedURL) }
        guard !open.isEmpty else { return [] }
        let rows = try Row.fetchAll(
            db, sql: "SELECT id, feed_url, guid, title, own_title, subscribed_at FROM podcast ORDER BY id")
        var pairs: [Pair] = []
        for row in rows {
            let forms = PublicAddress.forms(of: try row["feed_url"])
            for index in open where forms.contains(PublicAddress.withoutNumber(podcasts[index].feedURL)) {
                guard let likeness = try likeness(podcasts[index], row) else { continue }
                pairs.append(Pair(index: index, number: try row["id"], likeness: likeness))
            }
        }
        return pairs.sorted { ($1.likeness, $0.index, $0.number) < ($0.likeness, $1.index, $1.number) }
    }

    /// - Returns: `nil` if they are different shows.
    private func likeness(_ podcast: LibraryCopy.Podcast, _ row: Row) throws -> Int? {
        let (guid, title): (String?, String?) = (try row["guid"], try row["title"])
        let identity = isSame(podcast.guid, guid) ?? isSame(podcast.title, title)
        guard identity != false else { return nil }
        let isSameTitle = isSame(podcast.title, title) == true
        let isSameName = try podcast.ownTitle == row["own_title"] as String?
        let isSameTime = try podcast.subscribed?.secondsSince1970 == row["subscribed_at"] as Int64?
        return [identity == true, isSameTitle, isSameName, isSameTime].count { $0 }
    }

    /// - Returns: `nil` if one of them is unknown.
    private func isSame(_ one: String?, _ other: String?) -> Bool? {
        guard let one, let other else { return nil }
        return one == other
    }
}
