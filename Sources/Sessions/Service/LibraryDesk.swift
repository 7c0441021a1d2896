// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import EpisodeLibrary
import EpisodeSources
import Glibc
import Media
import Playback
import Subscriptions
import Synchronization
import TerminalInterface

/// The library as clients of the owner use it: edits of the queue, and the news that something has changed.
final class LibraryDesk: Sendable {
    /// The library of the player; `nil` without one.
    private let library: Library?
    private let send: AsyncStream<SessionEvent>.Continuation
    private let state = Mutex(State())

    private struct State {
        /// The version of the library at the last look; `nil` before the first one.
        var version: Int64?
        /// The queue at the last look.
        var queue: [Int64] = []
        /// A library that is kept open to look at it. Opening and closing write to its files, which would be noticed
        /// as another change.
        var kept: (library: Library, file: ino_t)?
    }

    /// - Parameter library: the open library; `nil` to open it when it is needed.
    init(_ library: Library?, send: AsyncStream<SessionEvent>.Continuation) {
        (self.library, self.send) = (library, send)
    }

    /// Reads the queue if the library has changed, and sends it.
    /// - Parameter isKnown: true if it has changed; otherwise, the library is asked.
    func look(isKnown: Bool) {
        Task { [self] in
            let queue = await DiskWork.run { [self] () throws(Never) in changedQueue(isKnown) }
            if let queue { send.yield(.libraryChanged(queue: queue)) }
        }
    }

    /// A library that cannot be read now is read at the next change.
    private func changedQueue(_ isKnown: Bool) -> [Int64]? {
        do throws(LibraryError) {
            let open: Library? = if let library { library } else { try keptLibrary() }
            guard let open else { return nil }
            let (version, queue) = (try open.foreignVersion(), try open.queuedEpisodes())
            return state.withLock { state in
                // The version does not count the player's own changes, which concern clients only if the queue differs.
                defer { (state.version, state.queue) = (version, queue) }
                return isKnown || version != state.version || queue != state.queue ? queue : nil
            }
        } catch {
            return nil
        }
    }

    /// Returns the open library; opens it again if its file was replaced.
    private func keptLibrary() throws(LibraryError) -> Library? {
        var status = stat()
        guard stat(CompositionRoot.libraryPath, &status) == 0 else { return nil }
        let file = status.st_ino
        let kept = state.withLock { $0.kept }
        if let kept, kept.file == file { return kept.library }
        let opened = try CompositionRoot.existingLibrary()
        state.withLock { state in
            state.kept = opened.map { ($0, file) }
            state.version = nil
        }
        try kept?.library.close()
        return opened
    }

    private func use<Value>(
        _ body: (Library) throws(LibraryError) -> Value?
    ) throws(LibraryError) -> Value? {
        if let library { return try body(library) }
        guard let opened = try CompositionRoot.existingLibrary() else { return nil }
        let result = Result { () throws(LibraryError) in try body(opened) }
        try opened.close()
        return try result.get()
    }

    // MARK: Requests

    /// The requests that change nothing.
    private static let readers: Set<MethodName> = [
        .queueList, .libraryPodcasts, .libraryEpisodes, .librarySearch,
    ]

    /// Executes a request about the queue or the library, and sends its answer.
    func perform(_ request: ControlRequest) {
        Task { [self] in
            let outcome = await DiskWork.run { [self] () throws(Never) in
                Result { () throws(LibraryError) in try answer(to: request) }
            }
            let result = outcome.mapError { ControlError(MediaFailure($0)) }
            send.yield(.libraryAnswered(request.ticket, result))
            if !Self.readers.contains(request.method) { look(isKnown: true) }
        }
    }

    private func answer(to request: ControlRequest) throws(LibraryError) -> JSONValue {
        switch request.method {
        case .libraryPodcasts, .libraryEpisodes, .librarySearch, .libraryMark:
            let answer = try use { library throws(LibraryError) in try LibraryRequests.answer(request, library) }
            guard let answer else { throw Self.noLibrary }
            return answer
        default: return try queue(after: request)
        }
    }

    static let noLibrary = LibraryError(.missing, "there is no library yet: earshot subscribe URL")

    private func queue(after request: ControlRequest) throws(LibraryError) -> JSONValue {
        let queue = try use { library throws(LibraryError) -> [EpisodeSummary] in
            try Self.change(library, request)
            return try library.queue()
        }
        guard queue != nil || request.method == .queueList else {
            throw Self.noLibrary
        }
        return .object([.init("queue", EpisodeListJSON.list(queue ?? []))])
    }

    private static func change(_ library: Library, _ request: ControlRequest) throws(LibraryError) {
        let parameters = request.parameters
        switch request.method {
        case .queueAdd:
            let episodes = try episodes(parameters.names, library)
            let known = Set(try library.queue().map(\.id))
            let first = parameters.bool("first") ?? false
            let new = first ? episodes : episodes.filter { !known.contains($0) }
            if !new.isEmpty { try library.enqueue(new, first: first) }
        case .queueRemove:
            let episodes = try episodes(parameters.names, library)
            let known = Set(try library.queue().map(\.id))
            guard episodes.contains(where: known.contains) else {
                throw LibraryError(.missing, "none of these episodes is in the queue")
            }
            try library.dequeue(episodes.filter(known.contains))
        case .queueMove:
            let episode = try library.episodeMatch(parameters.text("name") ?? "", in: nil).object
            try library.moveInQueue(episode.id, to: Int(clamping: (parameters.integer("to") ?? 1) - 1))
        case .queueClear: if try !library.queue().isEmpty { try library.clearQueue() }
        default: break
        }
    }

    /// Returns the episodes with these names.
    static func episodes(_ names: [String], _ library: Library) throws(LibraryError) -> [Int64] {
        var episodes: [Int64] = []
        for name in names {
            let id = try library.episodeMatch(name, in: nil).object.id
            if !episodes.contains(id) { episodes.append(id) }
        }
        return episodes
    }
}

extension ControlError {
    /// Creates the error of a failure.
    init(_ failure: MediaFailure) {
        self.init(
            ([failure.reason] + failure.choices).joined(separator: "; "), kind: failure.kind.name,
            status: Int64(ExitStatus(failure.kind).rawValue))
    }
}

extension ControlParameters {
    /// The names of episodes in a request.
    var names: [String] { texts("names") ?? [] }
}
