// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
public import Media
import Synchronization

/// The bytes of an episode while they are downloaded.
///
/// A source shows one version. If the server has a different version and bytes of the first one were read already,
/// the source stays with the first: its downloaded bytes stay readable, reads past them fail, and a successor shows
/// the new version. Bytes of two versions are never mixed. If no byte was read yet, the source shows the new version
/// itself, or the first one again if the new one is discarded unread.
public final class DownloadedByteSource: ByteSource {
    private struct Shown {
        var file: PartialFile?
        /// The file of the first version if another one replaced it and neither was read.
        var replaced: PartialFile?
        var condition = DownloadProgress.Condition.connecting
        /// The time of the next retry.
        var retryTime: Duration?
        var total: Int64?
        var unverified: DownloadProgress.Unverified?
        var inOrderCause: DownloadProgress.InOrderCause?
        var meter = ThroughputMeter()
        var wasRead = false
        /// True if the source no longer follows the download: it was closed, or the download has another version.
        var isDetached = false
        var successor: DownloadedByteSource?
        var handler: (@Sendable () -> Void)?
    }

    /// The download's interface for its reader; set once the download exists.
    struct Service: Sendable {
        /// Stops the download.
        var stop: @Sendable () -> Void
        /// Receives the reader's position in this source, and the measured `SkipDistance`.
        var steer: @Sendable (DownloadedByteSource, Int64, Int64?) -> Void
        /// Retries the download.
        var retry: @Sendable () -> Void
        /// Waits until a complete file has its final name.
        var waitForFile: @Sendable () -> Void
    }

    private let shown = Mutex(Shown())
    private let stopwatch: Stopwatch
    private let service = Mutex<Service?>(nil)

    init(stopwatch: Stopwatch) { self.stopwatch = stopwatch }

    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        guard offset >= 0 else { return .failed(MediaFailure(.inputOutput, "the offset is negative")) }
        // The condition is read before the bytes: "complete" must not be older than the extents.
        let (file, condition, total) = shown.withLock { ($0.file, $0.condition, $0.total) }
        if let file, !buffer.isEmpty {
            do throws(SystemError) {
                let count = try file.read(at: offset, into: buffer)
                if count > 0 { return delivered(count, from: file) }
            } catch {
                return .failed(error.whileTransferring)
            }
        }
        if let total, offset >= total {
            // Every byte is stored, but the length is not confirmed until the server ends the body.
            let isCompared = condition == .receiving && file?.extents.contains(0..<total) == true
            return isCompared ? .notYetAvailable : .end
        }
        if case .failed(let failure) = condition { return .failed(failure) }
        return .notYetAvailable
    }

    public var downloadProgress: DownloadProgress {
        let time = stopwatch.elapsed
        let (file, shown) = shown.withLock { ($0.file, $0) }
        var condition = shown.condition
        if case .backingOff(var backoff) = condition {
            backoff.retryIn = shown.retryTime.map { max(.zero, $0 - time) }
            condition = .backingOff(backoff)
        }
        return DownloadProgress(
            condition: condition, total: shown.total, extents: file?.extents ?? ByteRangeSet(),
            bytesPerSecond: shown.meter.bytesPerSecond(at: time), throughput: shown.meter.throughput(at: time),
            answer: shown.meter.answer, unverified: shown.unverified, inOrderCause: shown.inOrderCause,
            unsavedReason: file?.unsavedReason)
    }

    public func setReadPosition(from offset: Int64) {
        let time = stopwatch.elapsed
        let (isOver, limit) = shown.withLock { shown in
            (shown.isDetached || shown.condition == .complete, shown.meter.skipDistance(at: time))
        }
        if !isOver { service.withLock { $0 }?.steer(self, offset, limit) }
    }

    public func onChange(_ handler: (@Sendable () -> Void)?) { shown.withLock { $0.handler = handler } }

    public func claimSuccessor() -> (any ByteSource)? { shown.withLock { $0.successor.take() } }

    public func retry() { service.withLock { $0 }?.retry() }

    public func waitForFile() { service.withLock { $0 }?.waitForFile() }

    /// Stops the download as `EpisodeDownload.cancel` does, unless the download has moved to another version whose
    /// source was already taken. All later reads fail.
    public func close() {
        let successor = shown.withLock { shown in
            defer { shown = Shown(condition: .failed(Self.closed), isDetached: true) }
            return shown.successor
        }
        service.withLock { $0.take() }?.stop()
        successor?.close()
    }

    /// Counts a read, unless the file was replaced during it.
    private func delivered(_ count: Int, from file: PartialFile) -> ByteRead {
        shown.withLock { shown in
            if shown.file === file {
                (shown.wasRead, shown.replaced) = (true, nil)
                return .data(count: count)
            }
            if case .failed(let failure) = shown.condition { return .failed(failure) }
            return .notYetAvailable
        }
    }

    private static let closed = MediaFailure(.temporary, "the download was closed")
    private static let changed = MediaFailure(.badData, "the episode changed on the server")
}

// MARK: Updates from the download
extension DownloadedByteSource {
    func serve(_ service: Service) { self.service.withLock { $0 = service } }

    /// Shows this file, which may hold another version.
    /// - Returns: The source that shows the file: this one, or its successor if bytes of another version were read.
    func show(_ file: PartialFile, total: Int64? = nil) -> DownloadedByteSource {
        shown.withLock { shown in
            guard !shown.isDetached else { return self }
            let isOther = shown.file?.stamp != file.stamp
            guard shown.wasRead, isOther else {
                if isOther { shown.replaced = shown.replaced ?? shown.file }
                (shown.file, shown.total) = (file, total)
                return self
            }
            return detach(&shown, before: file)
        }
    }

    /// Shows the stored content of an earlier version first, unless a file is already shown.
    /// - Returns: The source that shows the version being downloaded.
    func show(_ earlier: PartialFile, _ version: StoredContent, before file: PartialFile) -> DownloadedByteSource {
        let successor = shown.withLock { shown -> DownloadedByteSource? in
            guard !shown.isDetached, shown.file == nil else { return nil }
            (shown.file, shown.total) = (earlier, version.entity.total)
            return detach(&shown, before: file)
        }
        return successor ?? show(file)
    }

    private func detach(_ shown: inout Shown, before file: PartialFile) -> DownloadedByteSource {
        let successor = DownloadedByteSource(stopwatch: stopwatch)
        successor.shown.withLock { $0.file = file }
        // The service has only one reader at a time.
        if let service = service.withLock({ $0.take() }) { successor.serve(service) }
        (shown.isDetached, shown.condition, shown.successor) = (true, .failed(Self.changed), successor)
        shown.meter.end()
        return successor
    }

    /// Shows the version before the discarded one if neither was read, else no file.
    func removeFile() { shown.withLock { if !$0.isDetached { ($0.file, $0.replaced) = ($0.replaced, nil) } } }

    /// Applies the machine's state to the reader's view.
    func show(_ machine: DownloadStateMachine) {
        let condition = machine.condition
        let time = stopwatch.elapsed
        shown.withLock { shown in
            guard !shown.isDetached else { return }
            if condition != .receiving { shown.meter.end() }
            if condition == .connecting { shown.meter.request(machine.generation, at: time) }
            if condition == .receiving, shown.condition != .receiving { shown.meter.begin(at: time) }
            if condition == .complete { shown.replaced = nil }
            // The throughput after a pause is unrelated to the throughput before it.
            if condition.isInactive { shown.meter = ThroughputMeter() }
            (shown.condition, shown.retryTime, shown.unverified) = (condition, machine.retryTime, machine.unverified)
            (shown.total, shown.inOrderCause) = (machine.total, machine.inOrderCause)
        }
    }

    func count(_ bytes: Int, at time: Duration) {
        shown.withLock { if !$0.isDetached { $0.meter.add(bytes, at: time) } }
    }

    /// Calls the change handler.
    func wake() { shown.withLock { $0.handler }?() }
}

extension DownloadProgress.Condition {
    /// True if no request is active.
    fileprivate var isInactive: Bool {
        switch self {
        case .held, .failed: true
        case .connecting, .receiving, .backingOff, .complete: false
        }
    }
}
