// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Logging
public import Media
public import ProgressiveDownload
public import Subscriptions

/// A downloader of the episodes that targets lead to, one after the other.
public struct TargetDownloader: Sendable {
    /// An event of a download.
    public enum Event: Sendable {
        case began(EnclosureDownload)
        case changed(DownloadProgress)
        /// The file is on disk, at this path.
        case finished(EnclosureDownload, path: String)
        /// The file is on disk, but `play` cannot decode its format.
        case cannotPlay(MediaFailure, about: String)
        /// A target, or an episode of it, cannot be downloaded.
        case failed(MediaFailure, about: String)
    }

    private let resolver: TargetResolver
    private let sources: EnclosureSources
    private let recorder: DownloadRecorder?
    private let transcripts: LibraryTranscripts?

    /// - Parameters:
    ///   - recorder: records the downloads of episodes that are in the library.
    ///   - transcripts: fetches the transcripts of downloaded episodes if the settings ask for them.
    public init(
        resolver: TargetResolver, sources: EnclosureSources, recorder: DownloadRecorder? = nil,
        transcripts: LibraryTranscripts? = nil
    ) {
        self.resolver = resolver
        self.sources = sources
        self.recorder = recorder
        self.transcripts = transcripts
    }

    /// Downloads the episodes of `targets`.
    /// - Parameters:
    ///   - targets: the addresses of feeds and of audio files.
    ///   - delivery: a second location for the file, if the targets lead to one episode.
    /// - Returns: the events, in order. If the consumer stops iterating, the downloader stops after the current
    ///   episode.
    public func download(
        _ targets: [String], _ choice: EpisodeChoice?, to delivery: FileDelivery?
    ) -> AsyncStream<Event> {
        let (stream, send) = AsyncStream.makeStream(of: Event.self)
        let task = Task {
            await fetchingTranscripts { downloaded in
                for target in targets where !Task.isCancelled {
                    do throws(MediaFailure) {
                        for resolved in try await resolver.resolve(target, choice) where !Task.isCancelled {
                            await record { try $0.begin(resolved) }
                            if await fetch(resolved, to: delivery, send) { downloaded.yield(resolved) }
                        }
                    } catch {
                        send.yield(.failed(error, about: TargetResolver.shown(target)))
                    }
                }
            }
            send.finish()
        }
        send.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Downloads the requested episodes that are not complete; the recorded reason for each request stays the same.
    /// - Parameters:
    ///   - episodes: the episodes to consider; `nil` considers all.
    ///   - byRule: true if a rule demands it: episodes that another process downloads meanwhile are skipped.
    public func pending(
        _ episodes: [Int64]? = nil, of downloads: LibraryDownloads, byRule: Bool = false
    ) -> AsyncStream<Event> {
        let (stream, send) = AsyncStream.makeStream(of: Event.self)
        let task = Task {
            do throws(LibraryError) {
                let resolvedEpisodes = try await DiskWork.run { () throws(LibraryError) in
                    try downloads.pending(episodes)
                }
                await fetchingTranscripts { downloaded in
                    for resolved in resolvedEpisodes where !Task.isCancelled {
                        guard await isRequested(resolved, downloads, byRule: byRule) else { continue }
                        if await fetch(resolved, to: nil, send) { downloaded.yield(resolved) }
                    }
                }
            } catch {
                send.yield(.failed(MediaFailure(error), about: "the downloads"))
            }
            send.finish()
        }
        send.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Asks the library and the disk before each download, because the ones before it may take hours. An error of
    /// theirs stops no download.
    private func isRequested(_ resolved: ResolvedEpisode, _ downloads: LibraryDownloads, byRule: Bool) async -> Bool {
        do {
            return try await DiskWork.run { try downloads.isRequested(resolved, byRule: byRule) }
        } catch {
            sources.logger.notice("cannot tell whether the download is due", metadata: ["error": "\(error)"])
            return true
        }
    }

    /// - Returns: true if the file is on disk.
    private func fetch(
        _ resolved: ResolvedEpisode, to delivery: FileDelivery?, _ send: AsyncStream<Event>.Continuation
    ) async -> Bool {
        let delivery = delivery?.named(resolved.title)
        do throws(MediaFailure) {
            if let failure = await sources.prepare(resolved) { throw failure }
            let download = try sources.download(resolved, to: delivery)
            send.yield(.began(download))
            var condition: DownloadProgress.Condition?
            for await downloadProgress in download.changes {
                if downloadProgress.condition != condition { send.yield(.changed(downloadProgress)) }
                condition = downloadProgress.condition
                if downloadProgress.condition == .complete { continue }
                await record { try $0.note(downloadProgress, of: resolved) }
                if case .failed(let failure) = downloadProgress.condition {
                    await download.stop()
                    throw failure
                }
            }
            let path = try await download.finish(delivery)
            do throws(MediaFailure) {
                if download.wasKept { try await download.checkKeptFile() }
            } catch {
                // The copy is complete.
                if delivery != nil { send.yield(.finished(download, path: path)) }
                throw error
            }
            let error = await record {
                try $0.complete(download.downloadProgress, of: resolved, isCurrent: !download.wasKept)
            }
            await record { try $0.correctBookmarks(of: resolved) }
            send.yield(.finished(download, path: path))
            if let error = error as? LibraryError {
                send.yield(.failed(Self.failure(toRecord: error), about: resolved.location))
            }
            if !download.wasKept, let shortfall = try EnclosureDownload.shortfall(of: path) { throw shortfall }
            if let failure = try EnclosureDownload.unplayableContent(of: path) {
                send.yield(.cannotPlay(failure, about: resolved.location))
            }
            return true
        } catch {
            // The file may lack its final name although the download was recorded as complete.
            await record { try $0.recordStored(resolved) }
            send.yield(.failed(error, about: resolved.location))
            return false
        }
    }

    /// Stops a running download and returns after the received bytes are safe on disk and recorded.
    public func stop(_ download: EnclosureDownload) async {
        let downloadProgress = download.downloadProgress
        await download.stop()
        await record { try $0.note(downloadProgress, of: download.resolved) }
    }

    /// Returns the failure to report if the library shows a complete download as incomplete.
    private static func failure(toRecord error: LibraryError) -> MediaFailure {
        MediaFailure(
            MediaFailure(error).kind,
            "the file is complete, but it could not be recorded: \(error.reason); download it again to record it")
    }

    /// Logs an error and returns it, instead of throwing it: the download continues without the record.
    @discardableResult
    private func record(_ body: @escaping @Sendable (DownloadRecorder) throws -> Void) async -> (any Error)? {
        guard let recorder else { return nil }
        do {
            try await DiskWork.run { try body(recorder) }
            return nil
        } catch {
            sources.logger.notice("cannot record the download in the library", metadata: ["error": "\(error)"])
            return error
        }
    }
}

// MARK: Transcripts
extension TargetDownloader {
    /// The number of failures after which this run fetches no more transcripts: a server that does not answer must not
    /// keep it from ending.
    private static let mostFailures = 3

    /// Runs downloads. Meanwhile, fetches the transcripts of the downloaded episodes one after the other.
    private func fetchingTranscripts(
        _ downloads: (_ downloaded: AsyncStream<ResolvedEpisode>.Continuation) async -> Void
    ) async {
        let (downloaded, send) = AsyncStream.makeStream(of: ResolvedEpisode.self)
        async let transcripts: Void = fetchTranscripts(of: downloaded)
        await downloads(send)
        send.finish()
        await transcripts
    }

    private func fetchTranscripts(of downloaded: AsyncStream<ResolvedEpisode>) async {
        var failures = 0
        for await resolved in downloaded {
            guard let transcripts, let episode = resolved.libraryEntry?.episode, failures < Self.mostFailures else {
                continue
            }
            do throws(MediaFailure) {
                try await transcripts.fetchByRule(episode, on: .downloaded)
            } catch {
                // The episode is complete without its transcript.
                sources.logger.info("cannot fetch a transcript", metadata: ["reason": "\(error.reason)"])
                if error.kind != .missing { failures += 1 }
            }
        }
    }
}
