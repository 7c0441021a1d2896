// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import HTTPTransfer
import Listening
import Logging
import Media
import TerminalInterface

/// Reads one feed and prints it as the JSON document of docs/feed-json.md.
enum FeedParseSession {
    static func run(_ options: FeedParseOptions) async -> ExitStatus {
        do throws(MediaFailure) {
            let feed = try await feed(options)
            StandardStreams.write([.output(FeedDocument(feed).string + "\n")])
            return .success
        } catch {
            var reporter = QuietReporter()
            StandardStreams.write(reporter.report(error, about: TargetResolver.shown(options.source)))
            return ExitStatus(error.kind)
        }
    }

    private static func feed(_ options: FeedParseOptions) async throws(MediaFailure) -> ParsedFeed {
        guard options.source.contains("://") else {
            return try FeedFile.parse(options.source, baseURL: options.url, contentType: options.contentType)
        }
        let transport = CompositionRoot.transport(logger: CompositionRoot.logger(.warning))
        defer { transport.shutdown() }
        switch try await FeedFetcher(transport: transport).fetch(options.source) {
        case .feed(let feed, _): return feed
        case .audio: throw MediaFailure(.badData, "not a feed: it is audio")
        }
    }
}
