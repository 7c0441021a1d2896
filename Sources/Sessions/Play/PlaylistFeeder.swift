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
    struct State {
        var plan = ListPlan()
        var targets = PlaylistTargets()
        /// The settings of the library that all items have; `nil` if an item may have earlier ones.
        var settings: SettingsOfAll?
        /// The list that the playlist follows.
        var list: LibraryTargets.List?
        /// The items of the request that plays that list, also removed ones.
        var followed: Set<PlaybackItem.ID> = []
        /// The list that the playlist follows soon, or follows already.
        var expectedList: LibraryTargets.List?
        /// The first request, until it is answered.
        var ticket: ReplyTicket?
    }

    /// The source of a request.
    private enum Requester {
        case own
        /// A client, or the desktop, which has no ticket.
        case client(ReplyTicket?)
    }

    let parts: PlaylistWriter.Parts
    let session: SessionParts
    let state = Mutex(State())
    let tasks = RunningTasks()

    init(_ parts: PlaylistWriter.Parts, _ session: SessionParts) { (self.parts, self.session) = (parts, session) }

    /// The items of the request whose list the playlist follows; empty if it follows none.
    var followed: Set<PlaybackItem.ID> { state.withLock { $0.followed } }

    func stop() { tasks.cancel() }

    /// Stops because another player continues with the remaining targets.
    /// - Returns: the first request if it is not answered yet. The other player answers it.
    func handOver() -> ReplyTicket? {
        // The task of the request would answer it after the cancellation.
        let ticket = state.withLock { $0.ticket.take() }
        tasks.cancel()
        state.withLock { $0.targets.stop() }
        return ticket
    }

    /// Fills an empty playlist.
    /// - Parameters:
    ///   - ticket: the request of a client, which gets an answer when the items are on the playlist and the output is
    ///     prepared.
    ///   - awaitsOutput: false if playback continues on another output when this one cannot be opened: its failure is
    ///     not the answer.
    func start(_ request: PlayRequest, _ ticket: ReplyTicket?, awaitsOutput: Bool) {
        let list = followedList(of: request, isFirst: true)
        state.withLock { state in
            state.targets.expect(request)
            for episode in request.passed { state.plan.expect(episode) }
            (state.expectedList, state.ticket) = (list, ticket)
        }
        tasks.start { [self] in
            let request = await resolved(request)
            let list = followedList(of: request, isFirst: true)
            let outcome = await feed(request, isFirst: true, ticket.map { .client($0) } ?? .own)
            // A failure ends the session.
            if case .success(let items) = outcome {
                if let list { await followList(list, after: items) } else { libraryChanged() }
            }
            // After the first look at the list, which may have more. Another player continues with the remaining
            // targets, so playback does not end without them.
            if !Task.isCancelled { parts.player.send(.closePlaylist) }
            guard ticket != nil else { return }
            let answered = await awaitsOutput ? confirmed(outcome) : outcome
            answer(answered, state.withLock { $0.ticket.take() })
        }
    }

    /// Returns a request for a list with the own name of its smart queue: another one may get the typed name while the
    /// list plays. If that fails, reading the list reports it.
    private func resolved(_ request: PlayRequest) async -> PlayRequest {
        guard case .smartQueue = request.list, let library = session.targets else { return request }
        var resolved = request
        let list = request.list
        resolved.list = (try? await DiskWork.run { () throws(LibraryError) in try library.resolved(list) }) ?? list
        return resolved
    }

    /// Adds the items of a request to a playlist that plays.
    func add(_ request: PlayRequest, _ ticket: ReplyTicket?) {
        tasks.start { [self] in
            let outcome = await feed(request, isFirst: false, .client(ticket))
            answer(outcome, ticket)
            guard case .success(let items) = outcome, !Task.isCancelled else { return }
            guard let list = followedList(of: request, isFirst: false), state.withLock({ $0.list != list })
            else { return libraryChanged() }
            await followList(list, after: items)
        }
    }

    /// Returns the list that the playlist follows after a request. Nothing follows an end in the last item: the list
    /// must not grow beyond it.
    private func followedList(of request: PlayRequest, isFirst: Bool) -> LibraryTargets.List? {
        guard session.library != nil, request.until == nil else { return nil }
        return isFirst && request.targets.isEmpty ? request.list : request.nextList
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
        if let failure { return .failure(MediaFailure(failure.kind, "sound output: \(failure.reason)")) }
        return Task.isCancelled ? .failure(Self.stopped) : outcome
    }

    private func answer(_ outcome: Result<[PlaybackItem], MediaFailure>, _ ticket: ReplyTicket?) {
        if let ticket { parts.send.yield(.answered(ticket, outcome)) }
    }

    /// - Returns: the items, or the first failure if there are none. Other failures are events.
    private func feed(
        _ request: PlayRequest, isFirst: Bool, _ requester: Requester
    ) async -> Result<[PlaybackItem], MediaFailure> {
        // The playlist does not follow a list that is added later.
        let isFromList = isFirst && request.targets.isEmpty
        let list = followedList(of: request, isFirst: isFirst)
        var playlist = PlaylistWriter(parts, request, isFirst: isFirst) { [self] entry in
            note(entry, isFromList: isFromList, isExpected: isFirst, before: list)
        }
        let failure =
            request.targets.isEmpty && session.library != nil
            ? await writeList(of: request, to: &playlist, requester)
            : await writeTargets(of: request, to: &playlist, requester)
        if !isFromList, request.nextList != nil {
            let episodes = playlist.items.compactMap(\.episode)
            state.withLock { state in for episode in episodes { state.plan.expect(episode) } }
        }
        guard playlist.items.isEmpty, let failure else { return .success(playlist.items.map(\.item)) }
        return .failure(failure)
    }

    /// Resolves the targets one after the other and writes them in order.
    private func writeTargets(
        of request: PlayRequest, to playlist: inout PlaylistWriter, _ requester: Requester
    ) async -> MediaFailure? {
        var first: MediaFailure?
        for (index, target) in request.targets.enumerated() {
            var subject = TargetResolver.shown(target)
            do throws(MediaFailure) {
                guard !Task.isCancelled else { throw Self.stopped }
                let resolver = session.resolver(request.scope(ofTarget: index)) { [parts] in
                    parts.send.yield(.noted($0))
                }
                let resolvedEpisodes = try await resolver.resolve(target, request.episode(ofTarget: index))
                let isOnly = resolvedEpisodes.count == 1 && request.targets.count == 1
                // The target may name a podcast.
                if playlist.awaitsWords, let first = resolvedEpisodes.first, first.libraryEntry != nil {
                    subject = first.title
                }
                try await playlist.findStart(in: resolvedEpisodes.first, isOnly: isOnly)
                let end = request.end(inTarget: index)
                if playlist.isFirst { expect(resolvedEpisodes, until: end) }
                guard await playlist.write(resolvedEpisodes, until: end) else {
                    return interrupt(request.targets[index...], of: playlist, requester)
                }
            } catch {
                if Task.isCancelled { return interrupt(request.targets[index...], of: playlist, requester) }
                if playlist.isFirst { expect([], until: nil) }
                let failure = report(error, about: subject, requester)
                first = first ?? failure
                // The words belong to the first item; another one must not play in its place.
                if playlist.awaitsWords { break }
            }
        }
        return first
    }

    /// Reports targets of a client that the player did not get before it stopped. Another player may continue with
    /// those of the first request. Without any item, the reply is the report.
    private func interrupt(
        _ targets: ArraySlice<String>, of playlist: PlaylistWriter, _ requester: Requester
    ) -> MediaFailure {
        if !playlist.isFirst, !playlist.items.isEmpty {
            for target in targets { _ = report(Self.stopped, about: TargetResolver.shown(target), requester) }
        }
        return Self.stopped
    }

    /// Writes the list of the library.
    private func writeList(
        of request: PlayRequest, to playlist: inout PlaylistWriter, _ requester: Requester
    ) async -> MediaFailure? {
        guard let library = session.targets else { return nil }
        do throws(LibraryError) {
            let list = request.list
            let found = try await DiskWork.run { () throws(LibraryError) in try library.upNext(in: list) }
            guard !found.isEmpty else { return try await reportEmpty(list, library, requester) }
            do throws(MediaFailure) {
                try await playlist.findStart(in: found.first, isOnly: found.count == 1)
            } catch {
                return report(error, about: found.first?.title ?? "the queue", requester)
            }
            if playlist.isFirst { expect(found, until: request.until, isFromList: true) }
            let isWhole = await playlist.write(found, until: request.until)
            if playlist.isFirst { note(playlist.items) }
            return isWhole ? nil : interrupt([Self.name(of: request.list)], of: playlist, requester)
        } catch {
            return report(MediaFailure(error), about: Self.name(of: request.list), requester)
        }
    }

    private func reportEmpty(
        _ list: LibraryTargets.List, _ library: LibraryTargets, _ requester: Requester
    ) async throws(LibraryError) -> MediaFailure {
        if case .smartQueue(let name) = list {
            return report(MediaFailure(.missing, "the smart queue is empty"), about: name, requester)
        }
        let hasPodcasts = try await DiskWork.run(library.hasPodcasts)
        if case .own = requester { parts.send.yield(.nothingToPlay(hasPodcasts: hasPodcasts)) }
        return MediaFailure(.missing, "nothing to play yet")
    }

    /// - Returns: the failure with its subject, for a reply.
    private func report(_ failure: MediaFailure, about subject: String, _ requester: Requester) -> MediaFailure {
        switch requester {
        case .own: parts.send.yield(.targetFailed(subject, failure))
        case .client(let ticket): parts.send.yield(.requestFailed(subject, failure, ticket))
        }
        return MediaFailure(
            failure.kind, failure.sentence(about: subject), choices: failure.choices,
            needsPassword: failure.needsPassword)
    }

    static func name(of list: LibraryTargets.List) -> String {
        switch list {
        case .queue: "the queue"
        case .smartQueue(let name): name
        }
    }
}
