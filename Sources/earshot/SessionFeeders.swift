// SPDX-License-Identifier: GPL-3.0-or-later
import Listening
import Media
import Playback
import Synchronization
import TerminalInterface

/// Everything that flows into a session: the player's events, what became of the targets, what people want.
final class SessionFeeders: Sendable {
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

    /// Turns targets into items one after the other, so that the playlist has their order.
    func resolveTargets(with resolver: TargetResolver, into player: Player, _ sources: EnclosureSources) {
        run { [send, options] in
            var count: PlaybackItem.ID = 0
            for (index, target) in options.targets.enumerated() {
                do throws(MediaFailure) {
                    let playables = try await resolver.resolve(target, options.episode)
                    for (place, playable) in playables.enumerated() {
                        let isLast = index == options.targets.count - 1 && place == playables.count - 1
                        let start = count == 0 ? options.from : nil
                        sources.register(playable, as: count)
                        player.append(playable.item(count, from: start, until: isLast ? options.until : nil))
                        count += 1
                    }
                } catch {
                    send.yield(.targetFailed(TargetResolver.shown(target), error))
                }
            }
            player.closePlaylist()
        }
    }

    /// Keys or commands, signals, and the time that passes.
    func followPeople() {
        let source: SessionInput.Source =
            options.readsCommands ? .lines : Terminal.standardInputIsTerminal ? .keys : .nothing
        if source == .keys { Terminal.readKeys() }
        run { [send] in
            for await input in SessionInput.stream(from: source, tickingEvery: .milliseconds(200)) {
                send.yield(.person(input))
            }
        }
    }
}
