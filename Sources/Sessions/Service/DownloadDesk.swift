// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EpisodeLibrary
import EpisodeSources
import Media
import Subscriptions
import Synchronization
import TerminalInterface

/// The downloads that clients of the owner ask for. They run one after the other, like those of `earshot download`.
final class DownloadDesk: Sendable {
    private struct State {
        var wanted: [WantedDownload] = []
        /// The first of them, while it runs.
        var current: (episode: Int64, task: Task<Void, Never>)?
        var isRunning = false
        /// The last request. Each waits for the one before it: an addition during a removal would be removed with it.
        var lastRequest: Task<Void, Never>?
    }

    private let options: SessionOptions
    private let owner: PlaybackOwner
    /// Called when the last download has ended.
    private let ended: @Sendable () -> Void
    private let state = Mutex(State())

    init(_ options: SessionOptions, _ owner: PlaybackOwner, ended: @escaping @Sendable () -> Void) {
        (self.options, self.owner, self.ended) = (options, owner, ended)
    }

    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// The episodes that are or will be downloaded.
    var episodes: [Int64] { state.withLock { $0.wanted.map(\.episode) } }

    /// Stops the downloads, and returns when the received bytes are safe on disk.
    func stop() async { await stop { _ in true } }

    private func stop(_ isUnwanted: (Int64) -> Bool) async {
        let task = state.withLock { state -> Task<Void, Never>? in
            state.wanted.removeAll { isUnwanted($0.episode) }
            return state.current.flatMap { isUnwanted($0.episode) ? $0.task : nil }
        }
        task?.cancel()
        await task?.value
    }

    // MARK: Requests

    /// Executes a request about downloads after those before it, and replies.
    func perform(_ request: ControlRequest) {
        state.withLock { state in
            let former = state.lastRequest
            state.lastRequest = Task { [self] in
                await former?.value
                await execute(request)
            }
        }
    }

    private func execute(_ request: ControlRequest) async {
        do {
            owner.reply(.success(try await answer(to: request)), to: request.ticket)
        } catch {
            owner.reply(.failure(ControlError(MediaFailure(converting: error))), to: request.ticket)
        }
    }

    private func answer(to request: ControlRequest) async throws -> JSONValue {
        let shelf = try await DiskWork.run { [options] in try DownloadShelf(options) }
        let names = request.parameters.names
        switch request.method {
        case .downloadsAdd: start(try await DiskWork.run { try shelf.request(names) }, request.ticket)
        case .downloadsRemove:
            let episodes = try await DiskWork.run { try shelf.downloaded(names) }
            await stop(episodes.contains)
            try await DiskWork.run { try shelf.remove(episodes) }
        default: break
        }
        return try await DiskWork.run { try shelf.list() }
    }

    private func start(_ episodes: [Int64], _ ticket: ReplyTicket) {
        state.withLock { state in
            let known = Set(state.wanted.map(\.episode))
            state.wanted += episodes.filter { !known.contains($0) }.map { WantedDownload(episode: $0, ticket: ticket) }
            guard !state.isRunning, !state.wanted.isEmpty else { return }
            state.isRunning = true
            Task { await run() }
        }
    }

    // MARK: Running

    private func run() async {
        do throws(LibraryError) {
            let parts = try await SessionParts.open(options, for: [])
            while let task = next(parts) { await task.value }
            parts.close()
        } catch {
            let given = state.withLock { state in
                defer { (state.wanted, state.isRunning) = ([], false) }
                return state.wanted
            }
            for wanted in given { owner.publish(wanted.failed(MediaFailure(error))) }
        }
        ProcessMemory.trim()
        ended()
    }

    private func next(_ parts: SessionParts) -> Task<Void, Never>? {
        state.withLock { state in
            guard let wanted = state.wanted.first else {
                state.isRunning = false
                return nil
            }
            let task = Task { [self] in
                await wanted.fetch(parts, publish: owner.publish)
                self.state.withLock { state in
                    state.current = nil
                    state.wanted.removeAll { $0.episode == wanted.episode }
                }
            }
            state.current = (wanted.episode, task)
            return task
        }
    }
}
