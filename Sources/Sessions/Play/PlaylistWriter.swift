// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources
import Media
import Playback

/// Appends resolved episodes to the playlist and numbers them.
struct PlaylistWriter {
    let player: Player
    let sources: EnclosureSources
    let options: PlayOptions
    let send: AsyncStream<SessionEvent>.Continuation
    private var count: PlaybackItem.ID = 0
    /// The library episodes on the playlist.
    private(set) var episodes: Set<Int64> = []

    init(
        player: Player, sources: EnclosureSources, options: PlayOptions,
        send: AsyncStream<SessionEvent>.Continuation
    ) {
        (self.player, self.sources, self.options, self.send) = (player, sources, options, send)
    }

    /// Appends episodes.
    /// - Parameter isLast: true if no more episodes follow.
    mutating func append(_ resolvedEpisodes: [ResolvedEpisode], isLast: Bool) async {
        for (place, resolved) in resolvedEpisodes.enumerated() {
            if let failure = await sources.prepare(resolved) {
                let remark = "playing the downloaded older version; the new one failed: \(failure.reason)"
                send.yield(.remark("\(resolved.location): \(remark)"))
            }
            let end = isLast && place == resolvedEpisodes.count - 1 ? options.until : nil
            if let episode = resolved.libraryEntry?.episode {
                episodes.insert(episode)
                send.yield(.placed(count, episode: episode))
            }
            player.send(.append(resolved.item(count, in: sources, from: count == 0 ? options.from : nil, until: end)))
            count += 1
        }
    }
}
