// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Logging
public import Media
public import ProgressiveDownload
import Subscriptions

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

    /// - Parameter recorder: records the downloads of episodes that are in the library.
    public init(resolver: TargetResolver, sources: EnclosureSources, recorder: DownloadRecorder? = nil) {
        self.resolver = resolver
        self.sources = sources
        self.recorder = recorder
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
            for target in targets where !Task.isCancelled {
                do throws(MediaFailure) {
                    for resolved in try await resolver.resolve(target, choice) where !Task.isCancelled {
                        await download(resolved, to: delivery, send)
                    }
                } catch {
                    send.yield(.failed(error, about: TargetResolver.shown(target)))
                }
            }
            send.finish()
        }
        send.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Downloads the requested episodes that are not complete; the recorded reason for each request stays the same.
    /// - Parameter episodes: the episodes to consider; `nil` considers all.
    public func pending(_ episodes: [Int64]? = nil, of downloads: LibraryDownloads) -> AsyncStream<Event> {
        let (stream, send) = AsyncStream.makeStream(of: Event.self)
        let task = Task {
            do throws(LibraryError) {
                let resolvedEpisodes = try await DiskWork.run { () throws(LibraryError) in
                    try downloads.pending(episodes)
                }
                for resolved in resolvedEpisodes where !Task.isCancelled { await fetch(resolved, to: nil, send) }
            } catch {
                send.yield(.failed(MediaFailure(error), about: "the downloads"))
            }
            send.finish()
        }
        send.onTermination = { _ in task.cancel() }
        return stream
    }

    private func download(
        _ resolved: ResolvedEpisode, to delivery: FileDelivery?, _ send: AsyncStream<Event>.Continuation
    ) async {
        await record { try $0.begin(resolved) }
        await fetch(resolved, to: delivery, send)
    }

    private func fetch(
        _ resolved: ResolvedEpisode, to delivery: FileDelivery?, _ send: AsyncStream<Event>.Continuation
    ) async {
        let delivery = delivery?.named(resolved.title)
        do throws(MediaFailure) {
            if let failure = await sources.prepare(resolved) { throw failure }
            let download = try sources.download(resolved, to: delivery)
            send.yield(.began(download))
            var condition: DownloadProgress.Condition?
            for await downloadProgress in download.changes {
                if downloadProgress.condition != condition { send.yield(.changed(downloadProgress)) }
                condition = downloadProgress.condition
                await record { try $0.note(downloadProgress, of: resolved) }
                if case .failed(let failure) = downloadProgress.condition {
                    await download.stop()
                    throw failure
                }
            }
            let path = try await download.finish(delivery)
            if !download.wasKept { await record { try $0.noteFetched(resolved) } }
            send.yield(.finished(download, path: path))
            if let failure = try EnclosureDownload.unplayableContent(of: path) {
                send.yield(.cannotPlay(failure, about: resolved.location))
            }
            if let shortfall = try EnclosureDownload.shortfall(of: path) { throw shortfall }
        } catch {
            send.yield(.failed(error, about: resolved.location))
        }
    }

    /// Stops a running download and returns after the received bytes are safe on disk and recorded.
    public func stop(_ download: EnclosureDownload) async {
        let downloadProgress = download.downloadProgress
        await download.stop()
        await record { try $0.note(downloadProgress, of: download.resolved) }
    }

    /// Logs an error instead of throwing it: the file is authoritative, and the next survey finds it on disk.
    private func record(_ body: @escaping @Sendable (DownloadRecorder) throws -> Void) async {
        guard let recorder else { return }
        do {
            try await DiskWork.run { try body(recorder) }
        } catch {
            sources.logger.notice("cannot record the download in the library", metadata: ["error": "\(error)"])
        }
    }
}
