// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase

extension Library {
    /// The changes that restoring a copy made to this library.
    public struct RestoreResult: Sendable, Equatable {
        /// The outcomes for the podcasts of the copy, in its order.
        public var podcasts: [SubscriptionOutcome] = []
        /// The number of episodes whose position or mark was older in this library, or missing.
        public var positions = 0
        public var bookmarks = 0
        public var queued = 0
        public var settings = 0
        /// The keys of settings that were not restored, because this version cannot use their values.
        public var unusableSettings: Set<String> = []
        public var smartQueues = 0
        public var listeningDays = 0
        public var transcriptShifts = 0
        /// The number of episodes into which others were merged in the copy, and not in this library.
        public var merges = 0
        /// The number of episodes that no refresh has added to this library yet.
        public var waiting = 0

        public init() {}

        /// True if nothing except podcasts changed.
        public var isEmpty: Bool {
            positions + bookmarks + queued + settings + smartQueues + listeningDays + transcriptShifts + merges == 0
        }
    }

    /// Merges a copy from another machine into this library, as one act. Newer data is kept: of each episode, the
    /// position or mark that was set last counts. Only the download of a merged episode may be removed, and a second
    /// call with the same copy changes nothing.
    public func restore(_ copy: LibraryCopy) throws(LibraryError) -> RestoreResult {
        try act(.importing, "data of \(CountText.text(copy.podcasts.count, "podcast"))") { db in
            var restoring = Restoring(db: db, now: now().secondsSince1970)
            try restoring.restore(copy) { podcast in
                try insert(
                    Subscription(feedURL: podcast.feedURL, title: podcast.title, folder: podcast.folder), db)
            }
            return restoring.restored
        }
    }
}

/// The operation of merging a copy within one act.
struct Restoring {
    let db: Database
    let now: Int64
    var restored = Library.RestoreResult()
    /// The episodes of the copy's queue that must be queued here.
    private var queue: [(place: Int, episode: Int64)] = []

    init(db: Database, now: Int64) { (self.db, self.now) = (db, now) }

    mutating func restore(
        _ copy: LibraryCopy, subscribe: (LibraryCopy.Podcast) throws -> Library.SubscriptionOutcome
    ) throws {
        for setting in copy.settings { try restore(setting, of: 0) }
        try restore(copy.formerListening, of: 0)
        var podcasts: [String: Int64] = [:]
        let known = try ImportedPodcasts(db: db).numbers(of: copy.podcasts)
        for (podcast, number) in zip(copy.podcasts, known) {
            let outcome = try number.map { try restore(podcast, as: $0) } ?? subscribe(podcast)
            if case .subscribed(let id) = outcome { try complete(podcast, id) }
            for setting in podcast.settings { try restore(setting, of: outcome.id) }
            try restore(podcast.listening, of: outcome.id)
            podcasts[podcast.feedURL] = outcome.id
            restored.podcasts.append(outcome)
        }
        for (feed, episodes) in Dictionary(grouping: copy.episodes, by: \.feedURL).sorted(by: { $0.key < $1.key }) {
            if let podcast = podcasts[feed] { try restore(episodes, of: podcast) }
        }
        try enqueue()
        for queue in copy.smartQueues { try restore(queue, podcasts) }
    }

    // MARK: Podcasts

    private func restore(_ podcast: LibraryCopy.Podcast, as id: Int64) throws -> Library.SubscriptionOutcome {
        let isBack = try Bool.fetchOne(
            db, sql: "SELECT unsubscribed_at IS NOT NULL FROM podcast WHERE id = ?", arguments: [id])
        try db.execute(
            sql: """
                UPDATE podcast SET unsubscribed_at = NULL, title = coalesce(title, :title),
                    subscribed_at = iif(subscribed_at = 0, :now, subscribed_at),
                    own_title = coalesce(own_title, :own),
                    folder = iif(folder = '[]', :folder, folder),
                    feed_url = iif(instr(feed_url, '***') AND NOT instr(:url, '***'), :url, feed_url)
                WHERE id = :id
                """,
            arguments: [
                "title": podcast.title, "own": podcast.ownTitle, "folder": JSONList.text(podcast.folder),
                "url": podcast.feedURL, "now": now, "id": id,
            ])
        return isBack == true ? .restored(id) : .known(id)
    }

    private func complete(_ podcast: LibraryCopy.Podcast, _ id: Int64) throws {
        try db.execute(
            sql: "UPDATE podcast SET own_title = ?, guid = ?, subscribed_at = coalesce(?, subscribed_at) WHERE id = ?",
            arguments: [podcast.ownTitle, podcast.guid, podcast.subscribed?.secondsSince1970, id])
        for url in podcast.formerAddresses.reversed() where try Library.podcast(at: url, db) == nil {
            try db.execute(
                sql: "INSERT INTO former_address (podcast, url, left_at, reason) VALUES (?, ?, ?, 'imported')",
                arguments: [id, url, now])
        }
    }

    // MARK: Settings

    private mutating func restore(_ setting: LibraryCopy.Setting, of podcast: Int64) throws {
        guard let key = SettingKey(rawValue: setting.key), SettingValue.read(setting.value, for: key) != nil else {
            restored.unusableSettings.insert(setting.key)
            return
        }
        try db.execute(
            sql: """
                INSERT INTO setting (podcast, key, value, changed_at) VALUES (:podcast, :key, :value, :changed)
                ON CONFLICT (podcast, key) DO UPDATE SET value = :value, changed_at = :changed
                WHERE value <> :value AND coalesce(:changed, 0) > coalesce(changed_at, 0)
                """,
            arguments: [
                "podcast": podcast, "key": setting.key, "value": setting.value,
                "changed": setting.changed?.secondsSince1970,
            ])
        restored.settings += db.changesCount
    }

    // MARK: Episodes

    private mutating func restore(_ episodes: [LibraryCopy.Episode], of podcast: Int64) throws {
        let last = try Int64.fetchOne(db, sql: "SELECT max(id) FROM episode") ?? 0
        let ids = try ImportedEpisodes(db: db, podcast: podcast, now: now).numbers(of: episodes)
        restored.waiting += ids.count { $0 > last }
        let copied = Set(ids)
        for (id, episode) in zip(ids, episodes) {
            if let place = episode.queuePlace, try belongsInQueue(id, episode) { queue.append((place, id)) }
            try restorePlayback(episode, id)
            for range in episode.listened { try restore(range, of: id) }
            for bookmark in episode.bookmarks { try restore(bookmark, of: id) }
            try restore(episode.transcriptShifts, of: id)
            try restore(episode.merged, of: id, besides: copied)
        }
    }

    private mutating func restorePlayback(_ episode: LibraryCopy.Episode, _ id: Int64) throws {
        guard episode.hasPlayback else { return }
        try db.execute(
            sql: """
                INSERT INTO playback (episode, position, anchor, version, duration, played_at, finished_at, marked_at)
                VALUES (:episode, :position, :anchor, :version, :duration, :played, :finished, :marked)
                ON CONFLICT (episode) DO UPDATE SET position = :position, anchor = :anchor, version = :version,
                    duration = coalesce(:duration, duration), played_at = :played, finished_at = :finished,
                    marked_at = :marked
                WHERE :changed > \(Self.changed)
                """,
            arguments: [
                "episode": id, "position": episode.position.microseconds, "anchor": episode.anchor?.text,
                "version": episode.version,
                "duration": episode.duration?.microseconds, "played": episode.played?.secondsSince1970,
                "finished": episode.finished?.secondsSince1970, "marked": episode.marked?.secondsSince1970,
                "changed": episode.changed,
            ])
        guard db.changesCount > 0 else { return }
        restored.positions += 1
        // An episode that was played on the other machine leaves the queue, as if it had been played here.
        if episode.finished != nil, episode.queuePlace == nil {
            try db.execute(sql: "DELETE FROM queue_entry WHERE episode = ?", arguments: [id])
        }
    }

    /// The time of the listener's last action that changed the position or the mark.
    private static let changed = "max(coalesce(played_at, 0), coalesce(finished_at, 0), coalesce(marked_at, 0))"

    private func restore(_ range: Range<Duration>, of episode: Int64) throws {
        let isHeard = try PlayedRanges.ranges(of: episode, db).contains {
            $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
        }
        if !isHeard { try PlayedRanges.add(range, to: episode, db) }
    }

    private mutating func restore(_ bookmark: LibraryCopy.Bookmark, of episode: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO bookmark (episode, position, anchor, version, title, made_at)
                SELECT :episode, :position, :anchor, :version, :title, :made WHERE NOT EXISTS (
                    SELECT 1 FROM bookmark
                    WHERE episode = :episode AND position = :position AND title IS :title AND made_at = :made)
                """,
            arguments: [
                "episode": episode, "position": bookmark.position.microseconds, "anchor": bookmark.anchor?.text,
                "version": bookmark.version, "title": bookmark.title, "made": bookmark.made.secondsSince1970,
            ])
        restored.bookmarks += db.changesCount
    }

    // MARK: Smart queues

    /// Adds a smart queue unless another one has its name. One of a podcast that the copy lacks is left out, because
    /// it would select from all podcasts.
    private mutating func restore(_ queue: LibraryCopy.SmartQueue, _ podcasts: [String: Int64]) throws {
        let podcast = queue.feedURL.flatMap { podcasts[$0] }
        guard queue.feedURL == nil || podcast != nil else { return }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO smart_queue (name, of_podcast, of_group, newest_first, most)
                VALUES (?, ?, ?, ?, ?)
                """, arguments: [queue.name, podcast, queue.group, queue.newestFirst, queue.most])
        restored.smartQueues += db.changesCount
    }

    // MARK: The queue

    /// True unless the episode was played to its end in this library after the copy's last change.
    private func belongsInQueue(_ id: Int64, _ episode: LibraryCopy.Episode) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: "SELECT finished_at IS NULL OR \(Self.changed) <= ? FROM playback WHERE episode = ?",
            arguments: [episode.changed, id]) ?? true
    }

    /// Appends the episodes to the queue, in the order of the copy.
    private mutating func enqueue() throws {
        for (_, episode) in queue.sorted(by: { $0.place < $1.place }) {
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO queue_entry (episode, rank)
                    SELECT ?, coalesce(max(rank) + 1, 0) FROM queue_entry
                    """, arguments: [episode])
            restored.queued += db.changesCount
        }
    }
}
