// SPDX-License-Identifier: GPL-3.0-or-later
import Listening
import Media
import Playback

/// Puts what was found on the playlist, under numbers of its own.
struct PlaylistWriter {
    let player: Player
    let sources: EnclosureSources
    let options: PlayOptions
    let send: AsyncStream<SessionEvent>.Continuation
    private var count: PlaybackItem.ID = 0
    /// Of the library, that were put on the playlist.
    private(set) var episodes: Set<Int64> = []

    init(
        player: Player, sources: EnclosureSources, options: PlayOptions,
        send: AsyncStream<SessionEvent>.Continuation
    ) {
        (self.player, self.sources, self.options, self.send) = (player, sources, options, send)
    }

    /// - Parameter isLast: nothing comes behind these.
    mutating func append(_ resolvedEpisodes: [ResolvedEpisode], isLast: Bool) async {
        for (place, resolved) in resolvedEpisodes.enumerated() {
            if let failure = await sources.prepare(resolved) {
                send.yield(.remark("\(resolved.location): this is an older issue; the new one: \(failure.reason)"))
            }
            let end = isLast && place == resolvedEpisodes.count - 1 ? options.until : nil
            sources.register(resolved, as: count)
            if let episode = resolved.place?.episode {
                episodes.insert(episode)
                send.yield(.placed(count, episode: episode))
            }
            player.append(resolved.item(count, from: count == 0 ? options.from : nil, until: end))
            count += 1
        }
    }
}
