// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import Subscriptions
import Synchronization

// MARK: Following
extension PlaylistFeeder {
    /// Notes that an item plays.
    /// - Parameter episode: `nil` if the library does not have it.
    func note(started item: PlaybackItem.ID, _ episode: Int64?) {
        let following = parts.player.playlist.items(after: item, wraps: false)
        let list = state.withLock { state in
            let before = state.plan.started
            if let left = state.plan.playing?.item, state.targets.isFromList(left),
                following.contains(where: { $0.id == left })
            {
                state.plan.interrupt()
            }
            if let episode { state.plan.start(item, episode) }
            return state.plan.started == before ? nil : state.list
        }
        // The item makes room for another one.
        if case .smartQueue = list { libraryChanged() }
    }

    /// Returns the targets from an item on.
    /// - Parameter wraps: true if the items before it follow at the end.
    /// - Returns: `nil` if the target of the item is not known.
    func remaining(from item: PlaybackItem.ID, wraps: Bool) -> PlaylistTargets.Remaining? {
        let playlist = parts.player.playlist
        return state.withLock { state in
            let list = state.expectedList ?? state.list
            return state.targets.remaining(
                from: item, on: playlist, wraps: wraps, followedBy: list, started: state.plan.started)
        }
    }

    /// Notes an item on the playlist.
    /// - Parameter list: the list that its request plays after it.
    /// - Returns: false if another player continues without it.
    func note(
        _ entry: PlaylistWriter.Entry, isFromList: Bool, isExpected: Bool, before list: LibraryTargets.List? = nil
    ) -> Bool {
        let target = PlaylistTargets.Target(
            text: entry.target, isFromList: isFromList, end: entry.item.end, episode: entry.episode)
        return state.withLock { state in
            let isPlaced = state.targets.place(entry.item.id, target, isExpected: isExpected)
            if isPlaced, let list { state.expectedList = list }
            // The settings may have changed since the item got its own.
            state.settings = nil
            return isPlaced
        }
    }

    /// Notes the episodes that the next target of the first request names.
    func expect(_ found: [ResolvedEpisode], until end: TimeTarget?, isFromList: Bool = false) {
        let targets = found.enumerated().map { index, resolved in
            PlaylistTargets.Target(
                text: resolved.target, isFromList: isFromList, end: index == found.count - 1 ? end : nil)
        }
        state.withLock { $0.targets.resolveNext(to: targets) }
    }

    func note(_ items: [PlaylistWriter.Entry]) {
        state.withLock { state in
            for (index, entry) in items.enumerated() {
                guard let episode = entry.episode else { continue }
                // The first item plays, whether it is in the list or not.
                if index == 0 {
                    state.plan.start(entry.item.id, episode)
                } else {
                    state.plan.place(entry.item.id, episode)
                }
            }
        }
    }

    /// Follows a list from now on.
    /// - Parameter items: the items of the request that plays the list.
    func followList(_ list: LibraryTargets.List, after items: [PlaybackItem]) async {
        let starts = state.withLock { state in
            (state.list, state.followed) = (list, Set(items.map(\.id)))
            return state.plan.beginComparison()
        }
        if starts { await follow() }
    }

    /// Brings the playlist into the state of the list, and its items into that of the settings. Both may have changed,
    /// the settings also between the time when an item got its own and that when it was placed.
    func libraryChanged() {
        let starts = state.withLock { $0.plan.beginComparison() }
        if starts { tasks.start { [self] in await follow() } }
    }

    /// Brings the playlist into the state of the list after an item was played to its end: the episode may leave the
    /// list, and another one enter.
    func itemEnded(storing positions: PositionSaver?) {
        guard let positions else { return }
        tasks.start { [self] in
            await positions.settle()
            libraryChanged()
        }
    }

    private func follow() async {
        repeat {
            await followSettings()
            let (list, started) = state.withLock { ($0.list, $0.plan.started) }
            guard let library = session.targets, let list else { continue }
            do throws(LibraryError) {
                let found = try await DiskWork.run { () throws(LibraryError) in
                    try library.present(in: list, notCounting: started)
                }
                await follow(found)
            } catch {
                parts.send.yield(.targetFailed(Self.name(of: list), MediaFailure(error)))
            }
        } while state.withLock { $0.plan.endComparison() }
    }

    /// Gives the items the settings of the library if these have changed.
    private func followSettings() async {
        guard let library = session.library, let targets = session.targets else { return }
        let (known, episodes) = state.withLock { ($0.settings, $0.targets.episodes) }
        do throws(LibraryError) {
            let (settings, items) = try await DiskWork.run {
                () throws(LibraryError) -> (SettingsOfAll, [PlaybackItem.ID: ItemSettings]) in
                let settings = try library.allSettings()
                return (settings, try settings == known ? [:] : targets.itemSettings(of: episodes, in: settings))
            }
            // Items that were placed meanwhile get theirs after their request.
            state.withLock { $0.settings = $0.targets.episodes.count == episodes.count ? settings : nil }
            if !items.isEmpty { parts.player.send(.changeSettings(items)) }
        } catch {
            // A library that cannot be read now is read at the next change.
        }
    }

    private func follow(_ found: [ResolvedEpisode]) async {
        let added = arrange(found)
        guard !added.isEmpty else { return }
        var request = PlayRequest()
        request.place = .end
        var playlist = PlaylistWriter(parts, request, isFirst: false) { [self] entry in
            state.withLock { _ = $0.followed.insert(entry.item.id) }
            return note(entry, isFromList: true, isExpected: false)
        }
        await playlist.write(
            found.filter { $0.libraryEntry.map { added.contains($0.episode) } ?? false }, until: nil)
        state.withLock { state in
            for entry in playlist.items { if let episode = entry.episode { state.plan.place(entry.item.id, episode) } }
        }
        // Added items were appended; in the list, they may be before others.
        _ = arrange(found)
        await followSettings()
    }

    /// Removes the items that the list no longer has, and brings the others into its order.
    /// - Returns: the episodes to add.
    private func arrange(_ found: [ResolvedEpisode]) -> [Int64] {
        let edit = state.withLock { $0.plan.update(found.compactMap { $0.libraryEntry?.episode }) }
        for item in edit.removed { parts.player.send(.remove(.id(item))) }
        if edit.kept.count > 1 { parts.player.send(.arrange(edit.kept)) }
        return edit.added
    }
}
