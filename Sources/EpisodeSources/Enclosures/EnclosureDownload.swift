// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
public import Media
public import ProgressiveDownload
import Subscriptions
import Synchronization
import TrackReading

/// A download of one enclosure to disk without playback.
public final class EnclosureDownload: Sendable {
    public let resolved: ResolvedEpisode
    /// True if the whole file was on disk before the download began.
    public let wasKept: Bool
    /// The download progress: the initial state, each change of its condition, and about a hundred updates during the
    /// transfer. The stream ends with `complete` or `failed`.
    public let changes: AsyncStream<DownloadProgress>

    private let locate: @Sendable () -> DownloadLocation
    /// The source of the version that is being downloaded.
    private let source: Mutex<(shown: any ByteSource, isStopped: Bool)>
    private let last = Mutex<DownloadProgress?>(nil)
    private let send: AsyncStream<DownloadProgress>.Continuation

    /// - Parameter locate: returns the location of the file. A file that replaces an older issue moves when it is
    ///   complete.
    init(
        _ resolved: ResolvedEpisode, from source: any ByteSource,
        locate: @escaping @Sendable () -> DownloadLocation
    ) {
        self.resolved = resolved
        self.locate = locate
        self.source = Mutex((source, false))
        // Checks the type, not the progress: a fast transfer may be complete by now.
        wasKept = source is FileByteSource
        (changes, send) = AsyncStream.makeStream()
        follow(source)
    }

    private func follow(_ source: any ByteSource) {
        source.onChange { [weak self] in self?.reportProgress() }
        reportProgress()
    }

    /// The current progress, or the final one after the download has ended.
    public var downloadProgress: DownloadProgress {
        last.withLock { $0.flatMap { $0.isOver ? $0 : nil } } ?? source.withLock { $0.shown }.downloadProgress
    }

    /// Sends the progress only if it changed enough: bytes arrive about a hundred times as often as an update is
    /// useful.
    private func reportProgress() {
        let source = source.withLock { $0.shown }
        let downloadProgress = source.downloadProgress
        // The failed source no longer grows, but its successor does.
        if case .failed = downloadProgress.condition, let successor = source.claimSuccessor() {
            let isStopped = self.source.withLock { current in
                current.shown = successor
                return current.isStopped
            }
            source.close()
            return isStopped ? successor.close() : follow(successor)
        }
        last.withLock { last in
            guard last?.isOver != true, last.map(downloadProgress.isNews) ?? true else { return }
            last = downloadProgress
            send.yield(downloadProgress)
            if downloadProgress.isOver { send.finish() }
        }
    }

    /// Stops the download and returns after the received bytes are safe on disk.
    public func stop() async {
        await DiskWork.run { [self] in
            let source = source.withLock { current in
                current.isStopped = true
                return current.shown
            }
            source.close()
        }
    }

    /// Checks the length of a file that was complete before.
    /// - Throws: `badData` if the file is shorter than its tag or its container states: it was truncated since, or on
    ///   the server.
    func checkKeptFile() async throws(MediaFailure) {
        let locate = locate
        try await DiskWork.run { () throws(MediaFailure) in
            guard let shortfall = try Self.shortfall(of: locate().path) else { return }
            throw MediaFailure(
                shortfall.kind, shortfall.reason + "; to fetch it again: earshot remove, then earshot download")
        }
    }

    /// Waits until the complete file has its final name, which `stop` interrupts.
    /// - Parameter delivery: a second location that the file is delivered to.
    /// - Returns: the path of the delivered file if there is a delivery, else the path of the kept file.
    public func finish(_ delivery: FileDelivery?) async throws(MediaFailure) -> String {
        await DiskWork.run { [self] in source.withLock { $0.shown }.waitForFile() }
        await stop()
        let locate = locate
        let location = await DiskWork.run { () throws(Never) -> DownloadLocation in locate() }
        guard location.presence == .complete else { throw incompletion }
        guard let delivery else { return location.path }
        return try await DiskWork.run { () throws(MediaFailure) in try delivery.deliver(location) }
    }

    /// The reason why a file whose bytes have all arrived did not get its final name.
    private var incompletion: MediaFailure {
        guard downloadProgress.unverified == nil else {
            let doubt = "the server gave no length, so the download may be incomplete"
            return MediaFailure(.unavailable, "\(doubt); keeping the partial file")
        }
        return MediaFailure(
            .inputOutput, "the file cannot be completed, or stored bytes are damaged: run the command again")
    }
}

extension DownloadProgress {
    private static let leastStep: Int64 = 256 << 10
    private static let stepOfUnknown: Int64 = 1 << 20

    /// True if this progress differs enough from the last reported one to be reported.
    fileprivate func isNews(after last: DownloadProgress) -> Bool {
        let step = total.map { max(Self.leastStep, $0 / 100) } ?? Self.stepOfUnknown
        return condition != last.condition || extents.count - last.extents.count >= step
    }
}

extension EnclosureDownload {
    private static let beginning = 64 << 10

    /// Returns the reason why `play` cannot decode the file at `path`; `nil` if it can, or if the format is unknown.
    static func unplayableContent(of path: String) throws(MediaFailure) -> MediaFailure? {
        let file = try FileByteSource(path: path)
        defer { file.close() }
        guard case .unplayable(let failure) = TrackContent(of: file) else { return nil }
        return failure
    }

    /// Returns an error if the complete file is shorter than the length in its own tag, because the server stores a
    /// truncated copy.
    /// - Parameter path: the path of the complete file.
    public static func shortfall(of path: String) throws(MediaFailure) -> MediaFailure? {
        let file = try FileByteSource(path: path)
        defer { file.close() }
        if let shortfall = TrackFormat.shortfall(of: file) { return shortfall }
        let info = withUnsafeTemporaryAllocation(byteCount: beginning, alignment: 1) { buffer -> StreamInfo? in
            guard case .data(let count) = file.read(at: 0, into: buffer) else { return nil }
            return StreamInfo.of(beginning: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        guard let info, let promised = info.declaredFileLength, info.isLonger(than: file.total) else { return nil }
        return MediaFailure(
            .badData, "the file is shorter than its tag declares: \(file.total) of \(promised) bytes")
    }
}

extension EnclosureSources {
    /// Starts or resumes the download of an enclosure, with the same bytes and under the same lock as playback uses.
    /// - Parameter delivery: a second location for the finished file; checked before anything is fetched.
    public func download(
        _ resolved: ResolvedEpisode, to delivery: FileDelivery? = nil
    ) throws(MediaFailure) -> EnclosureDownload {
        guard case .remote(let enclosure) = resolved.origin else {
            throw MediaFailure(.missing, "a local file: nothing to download")
        }
        try delivery?.check(for: storageLocation(of: enclosure))
        let source = try storedOrDownloading(enclosure, resolved.libraryEntry?.episode, for: .keeping)
        return EnclosureDownload(resolved, from: source) { self.storageLocation(of: enclosure) }
    }
}
