// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import Subscriptions
import Synchronization
import TerminalInterface

/// The sources of session events: the player, the targets, keys, commands and signals.
final class SessionEventSources: Sendable {
    private let send: AsyncStream<SessionEvent>.Continuation
    private let options: PlayOptions
    private let tasks = Mutex<[Task<Void, Never>]>([])

    init(send: AsyncStream<SessionEvent>.Continuation, options: PlayOptions) {
        self.send = send
        self.options = options
    }

    func stop() {
        for task in tasks.withLock({ $0 }) { task.cancel() }
        send.finish()
    }

    private func run(_ body: @escaping @Sendable () async -> Void) {
        let task = Task(operation: body)
        tasks.withLock { $0.append(task) }
    }

    func follow(_ player: Player) {
        run { [send] in
            for await event in player.events { send.yield(.player(event)) }
            send.yield(.playerStopped)
        }
    }

    /// Resolves the targets one after the other and appends them in order.
    func resolveTargets(with resolver: TargetResolver, into player: Player, _ sources: EnclosureSources) {
        run { [self] in
            var playlist = PlaylistWriter(player: player, sources: sources, options: options, send: send)
            for (index, target) in options.targets.enumerated() {
                do throws(MediaFailure) {
                    let resolvedEpisodes = try await resolver.resolve(target, options.episode)
                    await playlist.append(resolvedEpisodes, isLast: index == options.targets.count - 1)
                } catch {
                    send.yield(.targetFailed(TargetResolver.shown(target), error))
                }
            }
            player.send(.closePlaylist)
        }
    }

    /// Plays the last episode, then the queue.
    func continueWithQueue(with library: LibraryTargets, into player: Player, _ sources: EnclosureSources) {
        run { [self] in
            var playlist = PlaylistWriter(player: player, sources: sources, options: options, send: send)
            do throws(LibraryError) {
                let resolvedEpisodes = try await DiskWork.run { () throws(LibraryError) in try library.upNext() }
                guard !resolvedEpisodes.isEmpty else {
                    send.yield(.nothingToPlay(hasPodcasts: try await DiskWork.run(library.hasPodcasts)))
                    player.send(.closePlaylist)
                    return
                }
                await playlist.append(resolvedEpisodes, isLast: true)
                player.send(.closePlaylist)
                try await follow(library, playlist)
            } catch {
                send.yield(.targetFailed("the queue", MediaFailure(error)))
                player.send(.closePlaylist)
            }
        }
    }

    /// Appends episodes that are queued during playback.
    private func follow(_ library: LibraryTargets, _ playlist: PlaylistWriter) async throws(LibraryError) {
        var playlist = playlist
        while (try? await Task.sleep(for: Self.queueLook)) != nil {
            let known = playlist.episodes
            let more = try await DiskWork.run { () throws(LibraryError) in try library.queued(besides: known) }
            await playlist.append(more, isLast: false)
        }
    }

    private static let queueLook = Duration.seconds(2)

    /// Sends keys or commands, signals and clock ticks.
    func followInput() {
        let source: SessionInput.Source =
            options.readsCommands ? .lines : Terminal.standardInputIsTerminal ? .keys : .nothing
        if source == .keys { Terminal.readKeys() }
        let task = SessionInput.follow(source) { [send] in send.yield(.person($0)) }
        tasks.withLock { $0.append(task) }
    }
}

/// The events of a running session, from all sources in one order.
enum SessionEvent: Sendable {
    case person(SessionInput)
    case player(PlayerEvent)
    /// The player has stopped and closed its resources.
    case playerStopped
    /// A remark that is not a failure.
    case remark(String)
    case targetFailed(String, MediaFailure)
    /// No episode to resume, and the queue is empty.
    case nothingToPlay(hasPodcasts: Bool)
    /// A sentence for a person.
    case noted(String)
    /// The next item of the playlist is this episode of the library.
    case placed(PlaybackItem.ID, episode: Int64)
}
