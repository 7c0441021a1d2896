// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Feeds
import HTTPTransfer
import Media

/// Takes a list of feeds (OPML), or everything that another machine exported, into the library, in one act. Nothing is
/// fetched. Waits for the disk.
public enum SubscriptionImport {
    /// What became of a list.
    public struct Report: Sendable, Equatable {
        /// First what was taken, then what was refused, both in the order of the list.
        public let lines: [Line]
        /// The file ends before the list does.
        public var isTruncated = false
        /// What else was taken; `nil` where the list has podcasts alone.
        public var restored: Library.Restored?
    }

    /// What became of one feed of the list.
    public struct Line: Sendable, Equatable {
        public enum Outcome: Sendable, Equatable {
            case taken(Library.SubscriptionOutcome)
            /// - Parameter line: of the list, from 1; `nil` where it is not known any more.
            case refused(line: Int?, reason: String)
        }

        /// What the list does not have of a podcast, and this library does not know.
        public enum Need: Sendable, Equatable {
            case privateAddress, password
        }

        /// The title, else the address or a part of it.
        public let name: String
        public let outcome: Outcome
        public var need: Need?
    }

    /// - Parameter path: `-` is standard input.
    public static func run(_ path: String, into library: Library) throws -> Report {
        switch try ImportedDocument.read(path) {
        case .list(let list): try take(list, into: library)
        case .copy(let copy): try take(copy, into: library)
        }
    }

    // MARK: A list of feeds

    private static func take(_ list: OPML, into library: Library) throws -> Report {
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
            let name = subscription.title ?? PublicAddress.shown(subscription.feedURL)
            return Line(name: name, outcome: .taken(outcome), need: try need(outcome.id, library))
        }
        return Report(lines: taken + refused, isTruncated: list.isTruncated)
    }

    private static func subscription(_ entry: OPML.Entry) throws(TransferError) -> Subscription {
        let address = try BareURL(entry.url)
        return Subscription(
            feedURL: address.text, title: entry.title, folder: entry.group,
            login: address.credentials.map { Login(user: $0.user, password: $0.password) })
    }

    // MARK: Everything

    private static func take(_ copy: LibraryCopy, into library: Library) throws -> Report {
        let restored = try library.restore(copy)
        let lines = try zip(copy.podcasts, restored.podcasts).map { podcast, outcome in
            let name = podcast.ownTitle ?? podcast.title ?? PublicAddress.shown(podcast.feedURL)
            let need = try need(outcome.id, library) ?? (podcast.needsPassword ? password(outcome.id, library) : nil)
            return Line(name: name, outcome: .taken(outcome), need: need)
        }
        return Report(lines: lines, restored: restored)
    }

    private static func need(_ podcast: Int64, _ library: Library) throws -> Line.Need? {
        PublicAddress.lacksSecrets(try library.podcast(podcast).feedURL) ? .privateAddress : nil
    }

    private static func password(_ podcast: Int64, _ library: Library) throws -> Line.Need? {
        try library.login(for: podcast) == nil ? .password : nil
    }
}
