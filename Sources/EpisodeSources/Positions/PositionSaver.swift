// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
public import EpisodeLibrary
import Glibc
public import Logging
import Media
import ProgressiveDownload
import Synchronization

/// A writer that stores the entries of `PositionLog` in the library on a separate queue: neither playback nor the
/// display waits for the disk.
///
/// While the library cannot be written, the latest position of each episode is kept in memory; while another process
/// holds the library locked, or the disk is full or read-only, it is also kept in a file, so that it survives a kill.
///
/// Entries that must survive a power failure are written like all others and synced on a second queue: a sync may
/// take seconds, and a kill in the meantime must not lose the positions that followed.
public final class PositionSaver: Sendable {
    /// The result of saving the positions at the end of the session.
    public enum Ending: Sendable, Equatable {
        case saved
        /// The positions are in a file in this folder; the next process that opens the library merges them.
        case savedToFallback(LibraryError, folder: String)
        /// - Parameter isKnown: true if `removeError` reports the reason.
        case lost(LibraryError, isKnown: Bool)
    }

    private struct State {
        var pending = PendingPositions()
        /// True while a run of `drain` is scheduled.
        var isDue = false
        /// The error of the last attempt; `nil` if it succeeded.
        var failure: LibraryError?
        /// The reason why the library cannot be written; `isUntold` is true until it has been reported.
        var writeError: LibraryError?
        var isUnreported = false
        /// The folder of the file that has positions; `nil` if there is none.
        var fallbackFolder: String?
        /// The same folder if the file has all pending positions. After an error of another kind it has earlier ones.
        var completeFallback: String? { failure?.isSetAside == true ? fallbackFolder : nil }
        /// The error of the last sync, or of an earlier one after which bytes are lost.
        var syncFailure: LibraryError?

        mutating func note(_ error: LibraryError) {
            // A lock held by another process is not reported: it is temporary.
            guard error.kind != .busy else { return }
            if writeError?.kind != error.kind { isUnreported = true }
            writeError = error
        }
    }

    /// The time in seconds that an attempt waits for another process: during playback, and at the end.
    private static let lockTimeout = (playing: 0.25, ending: 1.0)
    private static let retryInterval = DispatchTimeInterval.seconds(1)

    private let library: Library
    private let logger: Logger
    private let queue = DispatchQueue(label: "earshot.positions")
    private let durable = DispatchQueue(label: "earshot.positions.durable")
    /// True while a sync waits on the second queue; it covers all writes before it begins.
    private let isSyncDue = Atomic<Bool>(false)
    private let state = Mutex(State())
    private let name = "\(getpid())-\(UInt32.random(in: 0 ... .max))"

    public init(_ library: Library, logger: Logger) {
        self.library = library
        self.logger = logger
        // Prepares the log while the first audio is being fetched.
        queue.async { [self] in prepare() }
    }

    /// Schedules the entries for writing.
    public func write(_ entries: [PositionLog.Entry]) {
        guard !entries.isEmpty else { return }
        let now = library.currentTime
        let isBlocked = state.withLock { state in
            for entry in entries { state.pending.add(entry, at: now) }
            return state.failure != nil
        }
        // After a failure, a timer retries once a second.
        if !isBlocked { drainSoon() }
    }

    /// Takes the error to report.
    /// - Returns: the reason why positions cannot be saved, once per failure; `nil` if it has already been reported.
    public func removeError() -> LibraryError? {
        state.withLock { state in
            defer { state.isUnreported = false }
            return state.isUnreported ? state.writeError : nil
        }
    }

    /// The folder of the file that has the positions which the library cannot store; `nil` if there is none.
    public var fallbackFolder: String? { state.withLock { $0.completeFallback } }

    /// Waits until the entries so far have been written, or an attempt has failed.
    public func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Tries for up to a second to write the remaining entries.
    public func finish() async -> Ending {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                drain(waiting: 0)
                drain(waiting: Self.lockTimeout.ending)
                // Reads the result before the next attempt begins.
                let failure = failure
                durable.async { [self] in continuation.resume(returning: failure ?? durableEnding) }
            }
        }
    }

    private var failure: Ending? {
        state.withLock { state in
            guard let failure = state.failure, state.pending.hasPlayback else { return nil }
            if let folder = state.completeFallback { return .savedToFallback(failure, folder: folder) }
            return .lost(failure, isKnown: state.writeError != nil)
        }
    }

    private var durableEnding: Ending {
        state.withLock { $0.syncFailure.map { .lost($0, isKnown: false) } ?? .saved }
    }

    private func prepare() {
        do throws(LibraryError) {
            try library.beginLog()
        } catch {
            // The first positions may be stored in a file, whose folder the report then names.
            if !error.isSetAside { state.withLock { $0.note(error) } }
        }
    }

    private func drainSoon() {
        let isFirst = state.withLock { state in
            defer { state.isDue = true }
            return !state.isDue
        }
        if isFirst { queue.async { [self] in drain(waiting: Self.lockTimeout.playing) } }
    }

    private func drain(waiting patience: Double) {
        var taken = state.withLock { state in
            defer { state.pending = PendingPositions() }
            state.isDue = false
            return state.pending
        }
        guard !taken.isEmpty else { return }
        do throws(LibraryError) {
            try library.savePlayback(taken.notes, listened: taken.listened, waiting: patience)
            taken.removeWritten()
            for (episode, downloadProgress) in taken.arrivals {
                try library.note(downloadProgress, of: episode, waiting: patience)
            }
            succeed()
            if taken.isDurable { syncSoon() }
        } catch {
            putBack(taken)
            if error.isSetAside { saveToFallback() }
            fail(error)
            queue.asyncAfter(deadline: .now() + Self.retryInterval) { [self] in drainSoon() }
        }
    }

    private func putBack(_ taken: PendingPositions) {
        state.withLock { state in
            var pending = taken
            pending.append(state.pending)
            state.pending = pending
        }
    }

    private func saveToFallback() {
        let notes = state.withLock { $0.pending.notes }
        do throws(LibraryError) {
            let folder = try library.storeFallback(notes, as: name)
            state.withLock { $0.fallbackFolder = folder }
        } catch {
            state.withLock { $0.fallbackFolder = nil }
            logger.warning("cannot store positions in a separate file", metadata: ["error": "\(error)"])
        }
    }

    private func succeed() {
        let wasAside = state.withLock { state in
            defer {
                (state.failure, state.writeError, state.isUnreported, state.fallbackFolder) = (nil, nil, false, nil)
            }
            return state.fallbackFolder != nil
        }
        if wasAside { library.deleteFallback(name) }
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
        state.withLock { state in
            // The kernel reports a failed write only once: the next sync succeeds without these bytes. After any other
            // error it syncs them.
            if state.syncFailure?.kind != .inputOutput { state.syncFailure = failure }
        }
    }
}

extension LibraryError {
    /// True if a file keeps the positions. After other errors the library may be replaced by one that numbers its
    /// episodes differently.
    fileprivate var isSetAside: Bool { [.busy, .full, .notWritable].contains(kind) }
}

extension Library {
    /// Records the download progress of an episode's file, unless another process downloads it and records its own.
    func note(_ downloadProgress: DownloadProgress, of episode: Int64, waiting patience: Double? = nil)
        throws(LibraryError)
    {
        guard downloadProgress.condition != .failed(DownloadLocation.busy) else { return }
        let extents = downloadProgress.extents.ranges
        let (state, failure): (Download.State, String?) =
            switch downloadProgress.condition {
            case .complete where downloadProgress.isKept && downloadProgress.unverified == nil: (.complete, nil)
            case .failed(let failure): (.failed, failure.reason)
            case .complete, .connecting, .receiving, .backingOff, .held: (extents.isEmpty ? .wanted : .partial, nil)
            }
        // An unverified end does not determine the length.
        let total =
            if let unverified = downloadProgress.unverified { unverified.declaredLength } else {
                downloadProgress.total
            }
        try noteDownload(
            episode, state, total: total, extents: extents, failure: failure, waiting: patience)
    }
}
