// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
public import EpisodeLibrary
public import Logging
import Media
import Synchronization

/// Writes down what `PositionLog` says, on a queue of its own: neither playing nor the display waits for the disk.
public final class PositionKeeper: Sendable {
    private let library: Library
    private let logger: Logger
    private let queue = DispatchQueue(label: "earshot.positions")
    private let failure = Mutex<LibraryError?>(nil)

    public init(_ library: Library, logger: Logger) {
        self.library = library
        self.logger = logger
    }

    public func write(_ entries: [PositionLog.Entry]) {
        guard !entries.isEmpty else { return }
        queue.async { [self] in for entry in entries { write(entry) } }
    }

    /// Waits until everything is written.
    /// - Returns: why something could not be; `nil` where all was.
    public func finish() async -> LibraryError? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: failure.withLock { $0 }) }
        }
    }

    /// What cannot be written now is written with the next position, if that can.
    private func write(_ entry: PositionLog.Entry) {
        do throws(LibraryError) {
            try perform(entry)
            failure.withLock { $0 = nil }
        } catch {
            let isNew = failure.withLock { failure in
                defer { failure = error }
                return failure != error
            }
            if isNew { logger.warning("the position cannot be saved", metadata: ["error": "\(error)"]) }
        }
    }

    private func perform(_ entry: PositionLog.Entry) throws(LibraryError) {
        switch entry {
        case .begin(let episode): try library.want(episode, by: .playing)
        case .save(let episode, let position, let durability):
            try library.save(position, of: episode, durability)
        case .finish(let episode, let heard): try library.finish(episode, heard: heard)
        case .held(let episode, let arrival): try library.note(arrival, of: episode)
        }
    }
}

extension Library {
    /// How much of the episode's file is here.
    func note(_ arrival: Arrival, of episode: Int64) throws(LibraryError) {
        let extents = arrival.extents.ranges
        switch arrival.condition {
        case .complete: try noteDownload(episode, .complete, total: arrival.total, extents: extents)
        case .failed(let failure):
            try noteDownload(episode, .failed, total: arrival.total, extents: extents, failure: failure.reason)
        case .connecting, .receiving, .backingOff, .held:
            try noteDownload(
                episode, extents.isEmpty ? .wanted : .partial, total: arrival.total, extents: extents)
        }
    }
}
