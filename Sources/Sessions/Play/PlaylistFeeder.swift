// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import Subscriptions
import Synchronization
import TerminalInterface

/// Fills the playlist of a player: resolves what the listener requests, and follows a list of the library.
final class PlaylistFeeder: Sendable {
    private struct State {
        var plan = ListPlan()
        var targets = PlaylistTargets()
        /// The list that the playlist follows.
        var list: LibraryTargets.List?
        /// True if the queue follows the first request.
        var expectsQueue = false
    }

    private let parts: PlaylistWriter.Parts
    private let session: SessionParts
    private let state = Mutex(State())
    private let tasks = RunningTasks()

    init(_ parts: PlaylistWriter.Parts, _ session: SessionParts) { (self.parts, self.session) = (parts, session) }

    func stop() { tasks.cancel() }

    /// Fills an empty playlist.
    /// - Parameter ticket: the request of a client, which gets an answer when the items are on the playlist and the
    ///   output is prepared.
    func start(_ request: PlayRequest, _ ticket: ReplyTicket?) {
        // Nothing follows an end in the last item: the list must not grow beyond it.
        let follows =
            session.library != nil && request.until == nil && (request.targets.isEmpty || request.continuesQueue)
        state.withLock { state in
            state.targets.expect(request)
            state.expectsQueue = follows && request.list == .queue
        }
        tasks.start { [self] in
            let outcome = await feed(request, isFirst: true, isOwn: ticket == nil)
            parts.player.send(.closePlaylist)
            // A failure ends the session.
            if case .success = outcome, follows { await followList(request.list) }
            if ticket != nil { answer(await confirmed(outcome), ticket) }
        }
    }

    /// Adds the items of a request to a playlist that plays.
    func add(_ request: PlayRequest, _ ticket: ReplyTicket?) {
        tasks.start { [self] in
            let outcome = await feed(request, isFirst: false, isOwn: false)
            guard !Task.isCancelled else { return answer(.failure(Self.stopped), ticket) }
            answer(outcome, ticket)
            let follows = request.continuesQueue && request.until == nil && session.library != nil
            guard case .success = outcome, follows, state.withLock({ $0.list != .queue }) else { return }
            await followList(.queue)
        }
    }

    private static let stopped = MediaFailure(.temporary, "the player has stopped; try again")

    /// The longest time that a client waits for the output.
    private static let outputLimit = Duration.seconds(2)

    /// Returns an outcome, or the failure of the output.
    private func confirmed(
        _ outcome: Result<[PlaybackItem], MediaFailure>
    ) async -> Result<[PlaybackItem], MediaFailure> {
        guard case .success = outcome else { return outcome }
        // The player ends after the failure. That cancels this task, but not its own one.
        let failure = await Task { [parts] in await parts.player.outputFailure(within: Self.outputLimit) }.value
        return failure.map { .failure(MediaFailure($0.kind, "sound output: \($0.reason)")) } ?? outcome
    }

    private func answer(_ outcome: Result<[PlaybackItem], MediaFailure>, _ ticket: ReplyTicket?) {
        if let ticket { parts.send.yield(.answered(ticket, outcome)) }
    }

    /// - Returns: the items, or the first failure if there are none. Other failures are events.
    private func feed(_ request: PlayRequest, isFirst: Bool, isOwn: Bool) async -> Result<[PlaybackItem], MediaFailure>
    {
        let isFromList = request.targets.isEmpty
        var playlist = PlaylistWriter(parts, request, isFirst: isFirst) { [self] entry in
            note(entry, isFromList: isFromList, isExpected: isFirst)
        }
        let failure =
            request.targets.isEmpty && session.library != nil
            ? await writeList(of: request, to: &playlist, isOwn) : await writeTargets(of: request, to: &playlist, isOwn)
        if !request.targets.isEmpty, request.continuesQueue {
            let episodes = playlist.items.compactMap(\.episode)
            state.withLock { state in for episode in episodes { state.plan.expect(episode) } }
        }
        guard playlist.items.isEmpty, let failure else { return .success(playlist.items.map(\.item)) }
        return .failure(failure)
    }

    /// Resolves the targets one after the other and writes them in order.
    private func writeTargets(
        of request: PlayRequest, to playlist: inout PlaylistWriter, _ isOwn: Bool
    ) async -> MediaFailure? {
        let resolver = session.resolver(request.scope) { [parts] in parts.send.yield(.noted($0)) }
        var first: MediaFailure?
        for (index, target) in request.targets.enumerated() where !Task.isCancelled {
            do throws(MediaFailure) {
                let resolvedEpisodes = try await resolver.resolve(target, request.episode)
                let isOnly = resolvedEpisodes.count == 1 && request.targets.count == 1
                try await playlist.findStart(in: resolvedEpisodes.first, isOnly: isOnly)
                let end = request.end(inTarget: index)
                if playlist.isFirst { expect(resolvedEpisodes, until: end) }
                await playlist.write(resolvedEpisodes, until: end)
            } catch {
                // The player has stopped, and its transfers with it: another one may play the target.
                if Task.isCancelled { break }
                if playlist.isFirst { expect([], until: nil) }
                let failure = report(error, about: TargetResolver.shown(target), isOwn)
                first = first ?? failure
                // The words belong to the first item; another one must not play in its place.
                if playlist.awaitsWords { break }
            }
        }
        return first
    }

    /// Writes the list of the library.
    private func writeList(
        of request: PlayRequest, to playlist: inout PlaylistWriter, _ isOwn: Bool
    ) async -> MediaFailure? {
        guard let library = session.targets else { return nil }
        do throws(LibraryError) {
            let list = request.list
            let found = try await DiskWork.run { () throws(LibraryError) in try library.upNext(in: list) }
            guard !found.isEmpty else { return try await reportEmpty(list, library, isOwn) }
            do throws(MediaFailure) {
                try await playlist.findStart(in: found.first, isOnly: found.count == 1)
            } catch {
                return report(error, about: found.first?.title ?? "the queue", isOwn)
            }
            if playlist.isFirst { expect(found, until: request.until, isFromList: true) }
            await playlist.write(found, until: request.until)
            note(playlist.items)
            return nil
        } catch {
            return report(MediaFailure(error), about: Self.name(of: request.list), isOwn)
        }
    }

    private func reportEmpty(
        _ list: LibraryTargets.List, _ library: LibraryTargets, _ isOwn: Bool
    ) async throws(LibraryError) -> MediaFailure {
        if case .smartQueue(let name) = list {
            return report(MediaFailure(.missing, "the smart queue is empty"), about: name, isOwn)
        }
        let hasPodcasts = try await DiskWork.run(library.hasPodcasts)
        if isOwn { parts.send.yield(.nothingToPlay(hasPodcasts: hasPodcasts)) }
        return MediaFailure(.missing, "nothing to play yet")
    }

    /// - Returns: the failure with its subject, for a reply.
    private func report(_ failure: MediaFailure, about subject: String, _ isOwn: Bool) -> MediaFailure {
        parts.send.yield(isOwn ? .targetFailed(subject, failure) : .requestFailed(subject, failure))
        return MediaFailure(
            failure.kind, "\(subject): \(failure.reason)", choices: failure.choices,
            needsPassword: failure.needsPassword)
    }

    private static func name(of list: LibraryTargets.List) -> String {
        switch list {
        case .queue: "the queue"
        case .smartQueue(let name): name
        }
    }
}

// MARK: Following
extension PlaylistFeeder {
    /// Notes that an item plays.
    /// - Parameter episode: `nil` if the library does not have it.
    func note(started item: PlaybackItem.ID, _ episode: Int64?) {
        let following = parts.player.playlist.items(after: item, wraps: false)
        state.withLock { state in
            if let left = state.plan.playing?.item, state.targets.isFromList(left),
                following.contains(where: { $0.id == left })
            {
                state.plan.interrupt()
            }
            if let episode { state.plan.start(item, episode) }
        }
    }

    /// Returns the targets from an item on.
    /// - Parameter wraps: true if the items before it follow at the end.
    /// - Returns: `nil` if the target of the item is not known.
    func remaining(from item: PlaybackItem.ID, wraps: Bool) -> PlaylistTargets.Remaining? {
        let playlist = parts.player.playlist
        return state.withLock { state in
            let followsQueue = state.expectsQueue || state.list == .queue
            return state.targets.remaining(from: item, on: playlist, wraps: wraps, followsQueue: followsQueue)
        }
    }

    private func note(_ entry: PlaylistWriter.Entry, isFromList: Bool, isExpected: Bool) {
        let target = PlaylistTargets.Target(text: entry.target, isFromList: isFromList, end: entry.item.end)
        state.withLock { $0.targets.place(entry.item.id, target, isExpected: isExpected) }
    }

    /// Notes the episodes that the next target of the first request names.
    private func expect(_ found: [ResolvedEpisode], until end: TimeTarget?, isFromList: Bool = false) {
        let targets = found.enumerated().map { index, resolved in
            PlaylistTargets.Target(
                text: resolved.target, isFromList: isFromList, end: index == found.count - 1 ? end : nil)
        }
        state.withLock { $0.targets.resolveNext(to: targets) }
    }

    private func note(_ items: [PlaylistWriter.Entry]) {
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

    private func followList(_ list: LibraryTargets.List) async {
        let starts = state.withLock { state in
            state.list = list
            return state.plan.beginComparison()
        }
        if starts { await follow() }
    }

    /// Brings the playlist into the state of the list, which may have changed.
    func libraryChanged() {
        let starts = state.withLock { $0.list != nil && $0.plan.beginComparison() }
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
            guard let library = session.targets, let list = state.withLock({ $0.list }) else { continue }
            do throws(LibraryError) {
                let found = try await DiskWork.run { () throws(LibraryError) in try library.more(in: list, besides: [])
                }
                await follow(found)
            } catch {
                parts.send.yield(.targetFailed(Self.name(of: list), MediaFailure(error)))
            }
        } while state.withLock { $0.plan.endComparison() }
    }

    private func follow(_ found: [ResolvedEpisode]) async {
        let edit = state.withLock { $0.plan.update(found.compactMap { $0.libraryEntry?.episode }) }
        for item in edit.removed { parts.player.send(.remove(.id(item))) }
        if edit.kept.count > 1 { parts.player.send(.arrange(edit.kept)) }
        guard !edit.added.isEmpty else { return }
        var request = PlayRequest()
        request.place = .end
        var playlist = PlaylistWriter(parts, request, isFirst: false) { [self] entry in
            note(entry, isFromList: true, isExpected: false)
        }
        await playlist.write(
            found.filter { $0.libraryEntry.map { edit.added.contains($0.episode) } ?? false }, until: nil)
        state.withLock { state in
            for entry in playlist.items { if let episode = entry.episode { state.plan.place(entry.item.id, episode) } }
        }
        arrangeAddedItems(found)
    }

    /// Added items were appended; in the list, they may be before others.
    private func arrangeAddedItems(_ found: [ResolvedEpisode]) {
        let edit = state.withLock { $0.plan.update(found.compactMap { $0.libraryEntry?.episode }) }
        for item in edit.removed { parts.player.send(.remove(.id(item))) }
        if edit.kept.count > 1 { parts.player.send(.arrange(edit.kept)) }
    }
}
