// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Feeds
import HTTPTransfer
import Media

/// Takes a list of feeds (OPML) into the library, in one act. Nothing is fetched. Waits for the disk.
public enum SubscriptionImport {
    /// What became of a list.
    public struct Report: Sendable, Equatable {
        /// First what was taken, then what was refused, both in the order of the list.
        public let lines: [Line]
        /// The file ends before the list does.
        public let isTruncated: Bool
    }

    /// What became of one feed of the list.
    public struct Line: Sendable, Equatable {
        public enum Outcome: Sendable, Equatable {
            case taken(Library.SubscriptionOutcome)
            /// - Parameter line: of the list, from 1; `nil` where it is not known any more.
            case refused(line: Int?, reason: String)
        }

        /// The title, else the address or a part of it.
        public let name: String
        public let outcome: Outcome
    }

    /// - Parameter path: `-` is standard input.
    public static func run(_ path: String, into library: Library) throws -> Report {
        let list = try read(path)
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
        let taken = zip(subscriptions, outcomes).map { Line(name: $0.title ?? $0.feedURL, outcome: .taken($1)) }
        return Report(lines: taken + refused, isTruncated: list.isTruncated)
    }

    private static func subscription(_ entry: OPML.Entry) throws(TransferError) -> Subscription {
        let address = try BareURL(entry.url)
        return Subscription(
            feedURL: address.text, title: entry.title, folder: entry.group,
            login: address.credentials.map { Login(user: $0.user, password: $0.password) })
    }

    private static func read(_ path: String) throws(MediaFailure) -> OPML {
        let parser = OPMLParser()
        do throws(MediaFailure) {
            try FeedFile.forEachPart(of: path) { part throws(MediaFailure) in
                try mapping { () throws(OPMLError) in try parser.consume(part) }
            }
            return try mapping { () throws(OPMLError) in try parser.finish() }
        } catch {
            throw MediaFailure(error.kind, "\(path): \(error.reason)")
        }
    }

    private static func mapping<Value>(_ body: () throws(OPMLError) -> Value) throws(MediaFailure) -> Value {
        do throws(OPMLError) { return try body() } catch { throw MediaFailure(.badData, error.description) }
    }
}
