// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EpisodeSources
import Media
import TerminalInterface

/// An episode that a client wants to download.
struct WantedDownload: Sendable {
    private static let interval = Duration.seconds(1)

    let episode: Int64
    let ticket: ReplyTicket

    /// Downloads the episode and publishes events. Cancel the task to stop it.
    func fetch(_ parts: SessionParts, publish: @escaping @Sendable (ControlEvent) -> Void) async {
        guard let downloads = parts.downloads else { return }
        let downloader = TargetDownloader(
            resolver: parts.resolver { _ in }, sources: parts.sources, recorder: parts.recorder,
            transcripts: parts.transcripts)
        var current: EnclosureDownload?
        var ticks: Task<Void, Never>?
        for await event in downloader.pending([episode], of: downloads) {
            switch event {
            case .began(let download):
                current = download
                publish(phase("begin", download.resolved))
                ticks = follow(download, publish)
            case .changed(let present): publish(progress(present))
            case .finished(let download, let path):
                publish(phase("end", download.resolved, path: path))
                current = nil
            case .cannotPlay(let failure, _): publish(self.event(.note, [.init("text", .string(failure.reason))]))
            case .failed(let failure, _):
                publish(failed(failure, current?.resolved))
                current = nil
            }
        }
        ticks?.cancel()
        guard let current else { return }
        await downloader.stop(current)
        publish(phase("stopped", current.resolved))
    }

    private func follow(
        _ download: EnclosureDownload, _ publish: @escaping @Sendable (ControlEvent) -> Void
    ) -> Task<Void, Never> {
        Task {
            while (try? await Task.sleep(for: Self.interval)) != nil { publish(progress(download.downloadProgress)) }
        }
    }

    // MARK: Events

    func failed(_ failure: MediaFailure, _ resolved: ResolvedEpisode? = nil) -> ControlEvent {
        phase("failed", resolved, reason: failure.reason)
    }

    private func progress(_ progress: DownloadProgress) -> ControlEvent {
        event(.progress, [.init("episode", .integer(episode))] + EventJSON.progress(progress))
    }

    private func phase(
        _ phase: String, _ resolved: ResolvedEpisode?, path: String? = nil, reason: String? = nil
    ) -> ControlEvent {
        event(
            .download,
            [
                .init("phase", .string(phase)), .init("episode", .integer(episode)),
                .init("title", .optional(resolved?.title, JSONValue.string)),
                .init("podcast", .optional(resolved?.podcast, JSONValue.string)),
                .init("path", .optional(path, JSONValue.string)),
                .init("reason", .optional(reason, JSONValue.string)),
            ])
    }

    private func event(_ name: EventName, _ members: [JSONValue.Member]) -> ControlEvent {
        ControlEvent(name, members, at: MonotonicTime.now, by: ticket.client.name, cause: ticket.cause)
    }
}
