// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
public import EpisodeLibrary
import Glibc
public import Logging
import Media
import Synchronization

/// Writes down what `PositionLog` says, on a queue of its own: neither playing nor the display waits for the disk.
///
/// While the library cannot be written, the latest position of each episode waits here; while another process holds the
/// library, it is also in a file beside it, so that no kill loses it.
///
/// What is to outlive a loss of power is written like the rest, and made durable on a second queue: a disk may take
/// seconds for that, and a kill meanwhile must not cost the positions that came after.
public final class PositionKeeper: Sendable {
    /// How the session ends for the positions.
    public enum Ending: Sendable, Equatable {
        case saved
        /// They are beside the library, and taken in when it is opened next.
        case setAside(LibraryError)
        /// - isKnown: whether `takeTrouble` says why.
        case lost(LibraryError, isKnown: Bool)
    }

    private struct State {
        var pending = PendingNotes()
        /// A run of `drain` is on its way.
        var isDue = false
        /// Why the last attempt failed; `nil` where it did not.
        var failure: LibraryError?
        /// Why the library cannot be written at all, and whether nobody was told.
        var trouble: LibraryError?
        var isUntold = false
        var isAside = false
        /// Why the last attempt to make it durable failed.
        var syncFailure: LibraryError?

        mutating func note(_ error: LibraryError) {
            // That another process is writing is no trouble: it passes.
            guard error.kind != .busy else { return }
            if trouble?.kind != error.kind { isUntold = true }
            trouble = error
        }
    }

    /// Seconds that an attempt waits for another process: while playing, and at the end.
    private static let patience = (playing: 0.25, ending: 1.0)
    private static let retryInterval = DispatchTimeInterval.seconds(1)

    private let library: Library
    private let logger: Logger
    private let queue = DispatchQueue(label: "earshot.positions")
    private let durable = DispatchQueue(label: "earshot.positions.durable")
    /// What is waiting on the second queue covers all that was written before it begins.
    private let isSyncDue = Atomic<Bool>(false)
    private let state = Mutex(State())
    private let name = "\(getpid())-\(UInt32.random(in: 0 ... .max))"

    public init(_ library: Library, logger: Logger) {
        self.library = library
        self.logger = logger
        // While the first sound is fetched.
        queue.async { [self] in prepare() }
    }

    public func write(_ entries: [PositionLog.Entry]) {
        guard !entries.isEmpty else { return }
        let now = library.currentTime
        let isBlocked = state.withLock { state in
            for entry in entries { state.pending.add(entry, at: now) }
            return state.failure != nil
        }
        // What cannot be written is tried again once a second.
        if !isBlocked { drainSoon() }
    }

    /// - Returns: why positions cannot be saved; once, until they can be saved again.
    public func takeTrouble() -> LibraryError? {
        state.withLock { state in
            defer { state.isUntold = false }
            return state.isUntold ? state.trouble : nil
        }
    }

    /// Tries for a second to write the rest.
    public func finish() async -> Ending {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                drain(waiting: 0)
                drain(waiting: Self.patience.ending)
                // Before another attempt begins.
                let failure = failure
                durable.async { [self] in continuation.resume(returning: failure ?? durableEnding) }
            }
        }
    }

    private var failure: Ending? {
        state.withLock { state in
            guard let failure = state.failure, !state.pending.isEmpty else { return nil }
            return state.isAside ? .setAside(failure) : .lost(failure, isKnown: state.trouble != nil)
        }
    }

    private var durableEnding: Ending {
        state.withLock { $0.syncFailure.map { .lost($0, isKnown: false) } ?? .saved }
    }

    private func prepare() {
        do throws(LibraryError) {
            try library.beginLog()
        } catch {
            state.withLock { $0.note(error) }
        }
    }

    private func drainSoon() {
        let isFirst = state.withLock { state in
            defer { state.isDue = true }
            return !state.isDue
        }
        if isFirst { queue.async { [self] in drain(waiting: Self.patience.playing) } }
    }

    private func drain(waiting patience: Double) {
        let taken = state.withLock { state in
            defer { state.pending = PendingNotes() }
            state.isDue = false
            return state.pending
        }
        guard !taken.isEmpty else { return }
        do throws(LibraryError) {
            try library.note(taken.notes, waiting: patience)
            for (episode, arrival) in taken.arrivals { try library.note(arrival, of: episode, waiting: patience) }
            succeed()
            if taken.isDurable { syncSoon() }
        } catch {
            putBack(taken)
            if error.kind == .busy { setAside() }
            fail(error)
            queue.asyncAfter(deadline: .now() + Self.retryInterval) { [self] in drainSoon() }
        }
    }

    private func putBack(_ taken: PendingNotes) {
        state.withLock { state in
            var pending = taken
            pending.append(state.pending)
            state.pending = pending
        }
    }

    private func setAside() {
        let notes = state.withLock { $0.pending.notes }
        do throws(LibraryError) {
            try library.setAside(notes, as: name)
            state.withLock { $0.isAside = true }
        } catch {
            state.withLock { $0.isAside = false }
            logger.warning("positions cannot be set aside", metadata: ["error": "\(error)"])
        }
    }

    private func succeed() {
        let wasAside = state.withLock { state in
            defer { (state.failure, state.trouble, state.isUntold, state.isAside) = (nil, nil, false, false) }
            return state.isAside
        }
        if wasAside { library.dropAside(name) }
    }

    private func fail(_ error: LibraryError) {
        state.withLock { state in
            state.failure = error
            state.note(error)
        }
    }

    private func syncSoon() {
        guard !isSyncDue.exchange(true, ordering: .sequentiallyConsistent) else { return }
        durable.async { [self] in sync() }
    }

    private func sync() {
        isSyncDue.store(false, ordering: .sequentiallyConsistent)
        var failure: LibraryError?
        do throws(LibraryError) { try library.makeDurable() } catch { failure = error }
        state.withLock { $0.syncFailure = failure }
    }
}

extension Library {
    /// How much of the episode's file is here.
    func note(_ arrival: Arrival, of episode: Int64, waiting patience: Double? = nil) throws(LibraryError) {
        let extents = arrival.extents.ranges
        let (state, failure): (Download.State, String?) =
            switch arrival.condition {
            case .complete where arrival.isKept && arrival.unverified == nil: (.complete, nil)
            case .failed(let failure): (.failed, failure.reason)
            case .complete, .connecting, .receiving, .backingOff, .held: (extents.isEmpty ? .wanted : .partial, nil)
            }
        // Of an end that nobody vouches for, the length is not known.
        let total = if let unverified = arrival.unverified { unverified.promised } else { arrival.total }
        try noteDownload(
            episode, state, total: total, extents: extents, failure: failure, waiting: patience)
    }
}
