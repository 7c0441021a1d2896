// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import HTTPTransfer
package import Logging
package import Media
import Subscriptions
package import TerminalInterface

/// The options of `earshot transcript`.
package struct TranscriptOptions: Sendable {
    /// The name of the episode, and that of its podcast if the listener gave one.
    package var episode: String
    package var podcast: String?
    /// The start of the printed or shifted part; `nil` is the beginning.
    package var from: TimeTarget?
    /// True to fetch the transcript even if it is stored.
    package var isRefresh: Bool
    /// The new correction of the times; `nil` keeps it.
    package var shift: Duration?
    package var json: Bool
    package var logLevel: Logger.Level

    package init(
        episode: String, podcast: String? = nil, from: TimeTarget? = nil, isRefresh: Bool = false,
        shift: Duration? = nil, json: Bool, logLevel: Logger.Level
    ) {
        (self.episode, self.podcast, self.from) = (episode, podcast, from)
        (self.isRefresh, self.shift, self.json, self.logLevel) = (isRefresh, shift, json, logLevel)
    }
}

/// A run of `earshot transcript`: prints the stored transcript, or fetches it first.
package enum TranscriptSession {
    package static func run(
        _ options: TranscriptOptions, _ layout: ListLayout
    ) async -> TerminalInterface.ExitStatus {
        // Every change is one transaction, so the process may end at any point.
        SignalWatcher.leaveToSystem()
        do {
            return try await print(options, layout)
        } catch {
            return await LibrarySession.report(error)
        }
    }

    private static func print(
        _ options: TranscriptOptions, _ layout: ListLayout
    ) async throws -> TerminalInterface.ExitStatus {
        let library = try await DiskWork.run {
            try CompositionRoot.existingLibrary() ?? CompositionRoot.emptyLibrary()
        }
        let match = try await DiskWork.run { () throws(LibraryError) in try options.match(in: library) }
        let episode = match.object
        if let taken = match.taken, !options.json {
            StandardStreams.write([LibraryRemark.matched(options.episode, as: taken)])
        }
        do throws(MediaFailure) {
            var stored = try await transcript(of: episode, library, options)
            if let shift = options.shift {
                guard let shifted = try await self.shift(stored, of: episode, by: shift, library, options) else {
                    return .missing
                }
                stored = shifted
            }
            guard write(stored, of: episode, options, layout) else { return .missing }
        } catch {
            StandardStreams.write([FailureText.line(error, about: episode.name)])
            return ExitStatus(error.kind)
        }
        try await DiskWork.run { () throws(LibraryError) in
            CompositionRoot.keepBackup(of: library, options.logLevel)
            try library.close()
        }
        return .success
    }

    private static func transcript(
        of episode: EpisodeSummary, _ library: Library, _ options: TranscriptOptions
    ) async throws(MediaFailure) -> StoredTranscript {
        let transport = CompositionRoot.transport(logger: CompositionRoot.logger(options.logLevel))
        defer { transport.shutdown() }
        let transcripts = LibraryTranscripts(library, transport: transport)
        return options.isRefresh
            ? try await transcripts.fetch(episode.id) : try await transcripts.transcript(of: episode.id)
    }

    /// - Returns: the transcript with its new times; `nil` if it already had them, which was reported.
    private static func shift(
        _ stored: StoredTranscript, of episode: EpisodeSummary, by shift: Duration, _ library: Library,
        _ options: TranscriptOptions
    ) async throws(MediaFailure) -> StoredTranscript? {
        guard stored.isTimed else { throw MediaFailure(.missing, "its transcript has no times") }
        let start = options.start(in: stored)
        guard stored.shifts.with(shift, from: start) != stored.shifts else {
            StandardStreams.write([LibraryRemark.unchanged(episode, "already has a transcript with these times")])
            return nil
        }
        do throws(LibraryError) {
            return try await DiskWork.run { () throws(LibraryError) in
                try library.shiftTranscript(of: episode.id, by: shift, from: start)
                return try library.transcript(of: episode.id)
            }
        } catch {
            throw MediaFailure(error)
        }
    }

    /// - Returns: false if the printed part has no text, which was reported.
    private static func write(
        _ stored: StoredTranscript, of episode: EpisodeSummary, _ options: TranscriptOptions, _ layout: ListLayout
    ) -> Bool {
        let start = options.start(in: stored)
        if let shift = options.shift, !options.json {
            StandardStreams.write([TranscriptText.shifted(episode, by: shift, from: start)])
            return true
        }
        let part = start.map(stored.from) ?? stored
        if let start, part.cues.isEmpty, options.shift == nil {
            StandardStreams.write([TranscriptText.none(after: start)])
            return false
        }
        StandardStreams.write(
            options.json ? TranscriptText.json(part, of: episode) : TranscriptText(layout).plain(part))
        return true
    }
}

extension TranscriptOptions {
    fileprivate func match(in library: Library) throws(LibraryError) -> NameMatch<EpisodeSummary> {
        guard let podcast else { return try library.episodeMatch(episode) }
        return try library.episodeMatch(episode, in: library.podcast(named: podcast, isPodcast: true).id)
    }

    /// Returns the start of the printed part.
    fileprivate func start(in stored: StoredTranscript) -> Duration? {
        switch from {
        case .time(let time), .estimated(let time, _): time
        case .fraction(let part): stored.cues.last?.time.map { $0.upperBound * part }
        case nil: nil
        }
    }
}
