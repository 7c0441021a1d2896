// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources
import Feeds
import HTTPTransfer
import Logging
import Media
import Subscriptions
package import TerminalInterface

/// A run of `earshot feed parse`: reads a feed and prints it as the JSON document of docs/feed-json.md.
package struct FeedParseSession {
    private let options: FeedParseOptions
    private let document = FeedDocumentQueue()
    /// The maximum number of reported kinds of repair.
    private static let mostRepairs = 50

    package static func run(_ options: FeedParseOptions) async -> ExitStatus {
        let session = FeedParseSession(options: options)
        do throws(MediaFailure) {
            let feed = try await session.feed()
            StandardStreams.write(feed.repairs.map { RepairText.line($0.description) })
            StandardStreams.writeOutput(session.document.document(feed) + [Array("\n".utf8)])
            return .success
        } catch {
            var reporter = QuietReporter()
            StandardStreams.write(reporter.report(error, about: TargetResolver.shown(options.source)))
            return ExitStatus(error.kind)
        }
    }

    /// - Returns: the feed without the episodes that are already in the document.
    private func feed() async throws(MediaFailure) -> ParsedFeed {
        let repairs = options.reportsRepairs ? Self.mostRepairs : 0
        guard WebURL(options.source).isAbsolute else {
            let parser = FeedParser(baseURL: options.url, contentType: options.contentType, repairs: repairs)
            return try FeedFile.read(options.source, into: parser) { document.append($0.removeEpisodes()) }
        }
        let transport = CompositionRoot.transport(logger: CompositionRoot.logger(.warning))
        defer { transport.shutdown() }
        switch try await FeedFetcher(transport: transport, repairs: repairs).fetch(options.source) {
        case .feed(let feed, _): return feed
        case .audio(let reason): throw MediaFailure(.badData, reason)
        }
    }
}
