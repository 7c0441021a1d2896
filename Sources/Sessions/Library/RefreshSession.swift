// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import HTTPTransfer
import Media
import Subscriptions
package import TerminalInterface

/// The options of `earshot refresh`.
package struct RefreshOptions: Sendable {
    /// The names of podcasts; if empty, all podcasts.
    package var podcasts: [String]
    package var isAsked: Bool
    package var downloads: Bool
    package var time: Duration
    package var session: SessionOptions

    package init(
        podcasts: [String], isAsked: Bool, downloads: Bool, time: Duration, session: SessionOptions
    ) {
        self.podcasts = podcasts
        self.isAsked = isAsked
        self.downloads = downloads
        self.time = time
        self.session = session
    }
}

/// A run of `earshot refresh`: refreshes the feeds and then applies the rules.
package enum RefreshSession {
    /// The most episodes to index after a refresh; the first search indexes the others.
    private static let mostIndexed = 500

    package static func run(_ options: RefreshOptions) async -> TerminalInterface.ExitStatus {
        // Every change is one transaction, so the process may end at any point.
        SignalWatcher.leaveToSystem()
        do {
            let library = try await DiskWork.run {
                try CompositionRoot.existingLibrary() ?? CompositionRoot.emptyLibrary()
            }
            let before = try await DiskWork.run { try library.changeCount() }
            var status = try await refresh(library, options)
            let result = try await DiskWork.run { try applyRules(library, changedSince: before, options) }
            var failure = result.failure
            if options.downloads, !result.wanted.isEmpty {
                status = await download(result.wanted, status, options)
                // The limits include the new downloads.
                failure = try await DiskWork.run { try tidyAgain(options, besides: result.found) } ?? failure
            }
            if let failure { throw failure }
            return status
        } catch {
            return await LibrarySession.report(error)
        }
    }

    private static func refresh(
        _ library: Library, _ options: RefreshOptions
    ) async throws -> TerminalInterface.ExitStatus {
        let transport = CompositionRoot.transport(logger: CompositionRoot.logger(options.session.logLevel))
        defer { transport.shutdown() }
        let podcasts = try await podcasts(named: options, in: library)
        var text = text(options)
        text.begin(try await DiskWork.run { try podcasts.isEmpty ? library.feeds().count : podcasts.count })
        let refresh = LibraryRefresh(library, transport: transport, within: options.time)
        var found: [(podcast: Int64, episodes: [Int64])] = []
        var answered: Set<Int64> = []
        var notice = await RefreshNotice.wanted(library)
        for try await news in refresh.refresh(podcasts.isEmpty ? nil : podcasts, isAsked: options.isAsked) {
            switch news.outcome {
            case .changed, .unchanged: answered.insert(news.podcast)
            case .gone, .failed, .rests, .quiet: break
            }
            let showsTitles = options.session.allowsNotes || notice != nil
            let titles = showsTitles ? try await titles(of: news, library) : []
            StandardStreams.write(text.news(news, titles: titles))
            if case .changed(let new, _) = news.outcome {
                found.append((news.podcast, new))
                notice?.add(new, titles, of: news.name)
            }
        }
        try await ChapterDocumentRefresh(library, transport: transport).run(of: answered)
        StandardStreams.write(text.finish())
        await notice?.show()
        await NewTranscripts(LibraryTranscripts(library, transport: transport), options).fetch(found)
        return text.hasFailed ? text.failure.map { ExitStatus($0) } ?? .success : .success
    }

    /// Finds the named podcasts, and reports the inexact names.
    private static func podcasts(named options: RefreshOptions, in library: Library) async throws -> [Int64] {
        let named = try await DiskWork.run { try options.podcasts.map { ($0, try library.podcastMatch($0)) } }
        if options.session.allowsNotes {
            StandardStreams.write(
                named.compactMap { name, match in match.taken.map { LibraryRemark.matched(name, as: $0) } })
        }
        return named.map(\.1.object.id)
    }

    private static func text(_ options: RefreshOptions) -> RefreshText {
        let draws = LineStyle.canRedraw(
            isTerminal: Terminal.standardErrorIsTerminal, environment: CompositionRoot.environment)
        return RefreshText(
            json: options.session.json, draws: draws, quiet: options.session.quiet, named: !options.podcasts.isEmpty)
    }

    private static func titles(of news: LibraryRefresh.FeedResult, _ library: Library) async throws -> [String] {
        guard case .changed(let new, _) = news.outcome, !new.isEmpty else { return [] }
        return try await DiskWork.run { try library.episodes(numbered: Array(new.prefix(3))).map(\.name) }
    }

    /// Applies the rules, and closes the library.
    /// - Returns: the episodes that the rules download, those of downloads that were found on the disk, and the failure
    ///   of a file that cannot be moved.
    private static func applyRules(
        _ library: Library, changedSince before: Int, _ options: RefreshOptions
    ) throws -> (wanted: [Int64], found: [Int64], failure: MediaFailure?) {
        let downloads = LibraryDownloads(library, in: CompositionRoot.keepFolders(options.session.keepFolder))
        let rules = LibraryRules(library, downloads)
        let found = try downloads.recordUnknownFiles()
        if options.session.allowsNotes { StandardStreams.write(LibraryRemark.found(found.count)) }
        let wanted = try rules.requestNew()
        let failure = try downloads.forgetOld()
        let tidying = try rules.removeOld(besides: found)
        report(tidying, options)
        var indexed = 0
        while indexed < mostIndexed, case let count = try library.indexSome(), count > 0 { indexed += count }
        CompositionRoot.keepBackup(of: library, options.session.logLevel)
        try LibraryNews.close(library, changedSince: before)
        return (wanted, found, failure ?? tidying.failure)
    }

    /// Applies the limits after the downloads.
    /// - Returns: the failure of a file that cannot be moved.
    private static func tidyAgain(_ options: RefreshOptions, besides found: [Int64]) throws -> MediaFailure? {
        let library = try CompositionRoot.library()
        let before = try library.changeCount()
        let downloads = LibraryDownloads(library, in: CompositionRoot.keepFolders(options.session.keepFolder))
        let tidying = try LibraryRules(library, downloads).removeOld(besides: found)
        report(tidying, options)
        try LibraryNews.close(library, changedSince: before)
        return tidying.failure
    }

    private static func report(_ tidying: LibraryRules.CleanupReport, _ options: RefreshOptions) {
        if options.session.allowsNotes { StandardStreams.write(LibraryRemark.tidied(tidying)) }
    }

    private static func download(
        _ wanted: [Int64], _ status: TerminalInterface.ExitStatus, _ options: RefreshOptions
    ) async -> TerminalInterface.ExitStatus {
        let downloaded = await DownloadSession.run(
            DownloadOptions(
                targets: [], wanted: wanted, episode: .latest, file: nil, session: options.session))
        return status == .success ? downloaded : status
    }
}
