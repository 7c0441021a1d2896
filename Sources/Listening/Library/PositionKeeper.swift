// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
public import EpisodeLibrary
public import Logging
import Media
import Synchronization

/// Writes down what `PositionLog` says, on a queue of its own: neither playing nor the display waits for the disk.
///
/// What is to outlive a loss of power is written like the rest, and made durable on a second queue: a disk may take
/// seconds for that, and a kill meanwhile must not cost the positions that came after.
public final class PositionKeeper: Sendable {
    private let library: Library
    private let logger: Logger
    private let queue = DispatchQueue(label: "earshot.positions")
    private let durable = DispatchQueue(label: "earshot.positions.durable")
    /// What is waiting on the second queue covers all that was written before it begins.
    private let isSyncDue = Atomic<Bool>(false)
    /// Why the last attempt on each queue came to nothing; `nil` where it did not.
    private let failure = Mutex<LibraryError?>(nil)
    private let syncFailure = Mutex<LibraryError?>(nil)

    public init(_ library: Library, logger: Logger) {
        self.library = library
        self.logger = logger
        // While the first sound is fetched.
        queue.async { [self] in note(attempt { () throws(LibraryError) in try library.beginLog() }, in: failure) }
    }

    public func write(_ entries: [PositionLog.Entry]) {
        guard !entries.isEmpty else { return }
        queue.async { [self] in for entry in entries { write(entry) } }
    }

    /// Waits until everything is written.
    /// - Returns: why something could not be; `nil` where all was.
    public func finish() async -> LibraryError? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                durable.async { [self] in continuation.resume(returning: lastFailure) }
            }
        }
    }

    private var lastFailure: LibraryError? { failure.withLock { $0 } ?? syncFailure.withLock { $0 } }

    /// What cannot be written now is written with the next position, if that can.
    private func write(_ entry: PositionLog.Entry) {
        note(attempt { () throws(LibraryError) in try perform(entry) }, in: failure)
    }

    private func syncSoon() {
        guard !isSyncDue.exchange(true, ordering: .sequentiallyConsistent) else { return }
        durable.async { [self] in sync() }
    }

    private func sync() {
        isSyncDue.store(false, ordering: .sequentiallyConsistent)
        note(attempt { () throws(LibraryError) in try library.makeDurable() }, in: syncFailure)
    }

    private func attempt(_ work: () throws(LibraryError) -> Void) -> LibraryError? {
        do throws(LibraryError) { try work() } catch { return error }
        return nil
    }

    private func note(_ error: LibraryError?, in failure: borrowing Mutex<LibraryError?>) {
        let isNew = failure.withLock { failure in
            defer { failure = error }
            return failure != error
        }
        guard isNew, let error else { return }
        logger.warning("the position cannot be saved", metadata: ["error": "\(error)"])
    }

    private func perform(_ entry: PositionLog.Entry) throws(LibraryError) {
        switch entry {
        case .begin(let episode): try library.want(episode, by: .playing)
        case .save(let episode, let position, let durability):
            try library.save(position, of: episode, .tick)
            if durability == .act { syncSoon() }
        case .finish(let episode, let heard):
            try library.finish(episode, heard: heard)
            syncSoon()
        case .held(let episode, let arrival): try library.note(arrival, of: episode)
        }
    }
}

extension Library {
    /// How much of the episode's file is here.
    func note(_ arrival: Arrival, of episode: Int64) throws(LibraryError) {
        let extents = arrival.extents.ranges
        switch arrival.condition {
        case .complete where arrival.isKept:
            try noteDownload(episode, .complete, total: arrival.total, extents: extents)
        case .failed(let failure):
            try noteDownload(episode, .failed, total: arrival.total, extents: extents, failure: failure.reason)
        case .complete, .connecting, .receiving, .backingOff, .held:
            try noteDownload(
                episode, extents.isEmpty ? .wanted : .partial, total: arrival.total, extents: extents)
        }
    }
}
