// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import ProgressiveDownload

/// Downloads what targets lead to, one episode after the other.
public struct TargetDownloader: Sendable {
    public enum Event: Sendable {
        case began(EnclosureDownload)
        case changed(Arrival)
        /// It is on disk, at this path.
        case finished(EnclosureDownload, path: String)
        /// A target, or an episode of one, cannot be had.
        case failed(MediaFailure, about: String)
    }

    private let resolver: TargetResolver
    private let sources: EnclosureSources

    public init(resolver: TargetResolver, sources: EnclosureSources) {
        self.resolver = resolver
        self.sources = sources
    }

    /// - Parameters:
    ///   - targets: addresses of feeds and of audio files.
    ///   - delivery: where the one episode they lead to is wanted as well.
    /// - Returns: what happens, in order; whoever stops listening stops it between two episodes.
    public func download(
        _ targets: [String], _ choice: EpisodeChoice, to delivery: FileDelivery?
    ) -> AsyncStream<Event> {
        let (stream, send) = AsyncStream.makeStream(of: Event.self)
        let task = Task {
            for target in targets where !Task.isCancelled {
                do throws(MediaFailure) {
                    for playable in try await resolver.resolve(target, choice) where !Task.isCancelled {
                        await download(playable, to: delivery, send)
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

    private func download(
        _ playable: Playable, to delivery: FileDelivery?, _ send: AsyncStream<Event>.Continuation
    ) async {
        do throws(MediaFailure) {
            let download = try sources.download(playable, to: delivery)
            send.yield(.began(download))
            for await arrival in download.changes {
                send.yield(.changed(arrival))
                if case .failed(let failure) = arrival.condition {
                    await download.stop()
                    throw failure
                }
            }
            let path = try await download.finish(delivery)
            send.yield(.finished(download, path: path))
            if let shortfall = try EnclosureDownload.shortfall(of: path) { throw shortfall }
        } catch {
            send.yield(.failed(error, about: playable.location))
        }
    }
}
