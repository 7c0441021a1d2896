// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import Synchronization

/// The bytes of an episode while they arrive.
///
/// It shows one version. Where the server turns out to have another one and bytes of the first have been read
/// already, it stays with the first, readable as far as it came, and fails behind that: bytes of two versions never
/// meet. Where nothing was read yet, it shows the new version and nobody notices.
public final class DownloadedByteSource: ByteSource {
    private struct Shown {
        var file: PartialFile?
        var condition = Arrival.Condition.connecting
        var total: Int64?
        var canSkipAhead = true
        var meter = ThroughputMeter()
        var wasRead = false
        /// What the download does no longer matters here: closed, or another version.
        var isDetached = false
        var handler: (@Sendable () -> Void)?
    }

    private let shown = Mutex(Shown())
    private let stopwatch: Stopwatch
    /// Stops the download; set once it exists.
    private let stop = Mutex<(@Sendable () -> Void)?>(nil)
    private let steer = Mutex<(@Sendable (Int64, Double?) -> Void)?>(nil)

    init(stopwatch: Stopwatch) { self.stopwatch = stopwatch }

    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        guard offset >= 0 else { return .failed(MediaFailure(.inputOutput, "there is no byte before the first")) }
        // The condition is taken before the bytes are looked at: "complete" must not be older than the extents.
        let (file, condition, total) = shown.withLock { ($0.file, $0.condition, $0.total) }
        if let file, !buffer.isEmpty {
            do throws(SystemError) {
                let count = try file.read(at: offset, into: buffer)
                if count > 0 { return delivered(count, from: file) }
            } catch {
                return .failed(error.whileTransferring)
            }
        }
        if let total, offset >= total { return .end }
        if case .failed(let failure) = condition { return .failed(failure) }
        return .edge
    }

    public var arrival: Arrival {
        let time = stopwatch.elapsed
        let (file, shown) = shown.withLock { ($0.file, $0) }
        return Arrival(
            condition: shown.condition, total: shown.total, extents: file?.extents ?? ByteRangeSet(),
            bytesPerSecond: shown.meter.bytesPerSecond(at: time), canSkipAhead: shown.canSkipAhead)
    }

    public func need(from offset: Int64) {
        let time = stopwatch.elapsed
        let (isOver, rate) = shown.withLock { shown in
            (shown.isDetached || shown.condition == .complete, shown.meter.bytesPerSecond(at: time))
        }
        if !isOver { steer.withLock { $0 }?(offset, rate) }
    }

    public func onChange(_ handler: (@Sendable () -> Void)?) { shown.withLock { $0.handler = handler } }

    /// Stops the download as `EpisodeDownload.cancel` does. No read succeeds afterwards.
    public func close() {
        shown.withLock { shown in
            shown = Shown(condition: .failed(Self.closed), isDetached: true)
        }
        steer.withLock { $0 = nil }
        let stop = stop.withLock { stop in
            defer { stop = nil }
            return stop
        }
        stop?()
    }

    /// The file may have been replaced while it was read; then what was read must not count.
    private func delivered(_ count: Int, from file: PartialFile) -> ByteRead {
        shown.withLock { shown in
            if shown.file === file {
                shown.wasRead = true
                return .data(count: count)
            }
            if case .failed(let failure) = shown.condition { return .failed(failure) }
            return .edge
        }
    }

    private static let closed = MediaFailure(.temporary, "the download was closed")
    private static let changed = MediaFailure(.badData, "the episode changed on the server")
}

// MARK: What the download tells
extension DownloadedByteSource {
    func onClose(_ stop: @escaping @Sendable () -> Void) { self.stop.withLock { $0 = stop } }

    /// - Parameter steer: is told where the reader stands, and the measured throughput.
    func onNeed(_ steer: @escaping @Sendable (Int64, Double?) -> Void) { self.steer.withLock { $0 = steer } }

    /// The file of the version shown, or of the first.
    func show(_ file: PartialFile) { shown.withLock { if !$0.isDetached { $0.file = file } } }

    func showNewVersion(_ file: PartialFile) {
        shown.withLock { shown in
            guard !shown.isDetached else { return }
            guard shown.wasRead else { return shown.file = file }
            (shown.isDetached, shown.condition) = (true, .failed(Self.changed))
            shown.meter.end()
        }
    }

    /// Nothing is kept of what came.
    func showNothing() { shown.withLock { if !$0.isDetached { $0.file = nil } } }

    func show(_ condition: Arrival.Condition, total: Int64?, canSkipAhead: Bool) {
        let time = stopwatch.elapsed
        shown.withLock { shown in
            guard !shown.isDetached else { return }
            if condition != .receiving { shown.meter.end() }
            if condition == .receiving, shown.condition != .receiving { shown.meter.begin(at: time) }
            (shown.condition, shown.total, shown.canSkipAhead) = (condition, total, canSkipAhead)
        }
    }

    func count(_ bytes: Int, at time: Duration) {
        shown.withLock { if !$0.isDetached { $0.meter.add(bytes, at: time) } }
    }

    /// Calls the change handler.
    func wake() { shown.withLock { $0.handler }?() }
}
