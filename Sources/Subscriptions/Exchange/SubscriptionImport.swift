// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Feeds
import HTTPTransfer
import Media

/// The import of a list of feeds (OPML), or of a full export of another machine, into the library as one act. It
/// fetches nothing. Blocks on disk access.
public enum SubscriptionImport {
    /// The result of an import.
    public struct Report: Sendable, Equatable {
        /// The imported podcasts, then the refused ones, both in the order of the list.
        public let lines: [Line]
        /// True if the file ends before the list does.
        public var isTruncated = false
        /// The other imported content; `nil` if the document lists only podcasts.
        public var restored: Library.RestoreResult?
        /// True if the import changed the library, also if it only completed podcasts that were known.
        public var hasChanged = false

        /// True if the document contains anything that an import can take.
        public var isUsable: Bool {
            restored != nil || lines.contains { if case .subscribed = $0.outcome { true } else { false } }
        }
    }

    /// The result for one feed of the list.
    public struct Line: Sendable, Equatable {
        /// The outcome for one feed.
        public enum Outcome: Sendable, Equatable {
            case subscribed(Library.SubscriptionOutcome)
            /// - Parameter line: the line number in the list, from 1; `nil` if it is no longer known.
            case refused(line: Int?, reason: String)
        }

        /// The data of a podcast that neither the list nor this library contains.
        public enum MissingData: Sendable, Equatable {
            case privateAddress, password
        }

        /// The title, else the address or a part of it.
        public let name: String
        public let outcome: Outcome
        public var need: MissingData?
    }

    /// Reads the document and imports it into `library`.
    /// - Parameter path: the path of the document; `-` is standard input.
    public static func run(_ path: String, into library: Library) throws -> Report {
        let document = try ImportedDocument.read(path)
        let before = try latestAct(library)
        var report =
            switch document {
            case .list(let list): try importList(list, into: library)
            case .copy(let copy): try importCopy(copy, into: library)
            }
        // The journal leaves out listening times, because they are not undone.
        report.hasChanged = try latestAct(library) != before || report.restored?.isEmpty == false
        return report
    }

    private static func latestAct(_ library: Library) throws -> Int64? { try library.acts(limit: 1).first?.id }

    // MARK: A list of feeds

    private static func importList(_ list: OPML, into library: Library) throws -> Report {
        var subscriptions: [Subscription] = []
        var refused = list.refused.map {
            Line(name: $0.excerpt, outcome: .refused(line: $0.line, reason: $0.reason.description))
        }
        for entry in list.entries {
            do throws(TransferError) {
                subscriptions.append(try subscription(entry))
            } catch {
                let name = entry.title ?? RedactedURL(entry.url).description
                refused.append(Line(name: name, outcome: .refused(line: nil, reason: error.mediaFailure.reason)))
            }
        }
        let outcomes = subscriptions.isEmpty ? [] : try library.importing(subscriptions)
        let taken = try zip(subscriptions, outcomes).map { subscription, outcome in
            let podcast = try library.podcast(outcome.id)
            let address = PublicAddress.shown(subscription.feedURL, isPrivate: podcast.isPrivate)
            return Line(name: subscription.title ?? address, outcome: .subscribed(outcome), need: need(podcast))
        }
        return Report(lines: taken + refused, isTruncated: list.isTruncated)
    }

    private static func subscription(_ entry: OPML.Entry) throws(TransferError) -> Subscription {
        let (address, credentials) = try WebAddress.parse(entry.url)
        return Subscription(
            feedURL: address.text, title: entry.title, folder: entry.group,
            login: credentials.map { Login(user: $0.user, password: $0.password) })
    }

    // MARK: A full export

    private static func importCopy(_ copy: LibraryCopy, into library: Library) throws -> Report {
        let restored = try library.restore(copy)
        let lines = try zip(copy.podcasts, restored.podcasts).map { podcast, outcome in
            let present = try library.podcast(outcome.id)
            let address = PublicAddress.shown(podcast.feedURL, isPrivate: present.isPrivate)
            let need = try need(present) ?? (podcast.needsPassword ? password(outcome.id, library) : nil)
            return Line(name: podcast.ownTitle ?? podcast.title ?? address, outcome: .subscribed(outcome), need: need)
        }
        return Report(lines: lines, restored: restored)
    }

    private static func need(_ podcast: PodcastSummary) -> Line.MissingData? {
        PublicAddress.lacksSecrets(podcast.feedURL) ? .privateAddress : nil
    }

    private static func password(_ podcast: Int64, _ library: Library) throws -> Line.MissingData? {
        try library.login(for: podcast) == nil ? .password : nil
    }
}
