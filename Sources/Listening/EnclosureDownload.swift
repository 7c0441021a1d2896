// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
public import Media
public import ProgressiveDownload
import Synchronization

/// One enclosure on its way to disk, with nobody listening.
public final class EnclosureDownload: Sendable {
    public let playable: Playable
    /// Whether the whole file was on disk before the download began.
    public let wasKept: Bool
    /// How it stands at first, each time its condition changes, and a hundred times on the way; ends with `complete`
    /// or `failed`.
    public let changes: AsyncStream<Arrival>

    private let locate: @Sendable () -> DownloadLocation
    /// Of the version that is downloaded.
    private let source: Mutex<(shown: any ByteSource, isStopped: Bool)>
    private let last = Mutex<Arrival?>(nil)
    private let send: AsyncStream<Arrival>.Continuation

    /// - Parameter locate: finds the file, which moves once it is whole where it replaces an older issue.
    init(
        _ playable: Playable, from source: any ByteSource,
        locate: @escaping @Sendable () -> DownloadLocation
    ) {
        self.playable = playable
        self.locate = locate
        self.source = Mutex((source, false))
        // A fast transfer may be complete by now.
        wasKept = source is FileByteSource
        (changes, send) = AsyncStream.makeStream()
        follow(source)
    }

    private func follow(_ source: any ByteSource) {
        source.onChange { [weak self] in self?.look() }
        look()
    }

    /// How it stands; once it has ended, how it ended.
    public var arrival: Arrival {
        last.withLock { $0.flatMap { $0.isOver ? $0 : nil } } ?? source.withLock { $0.shown }.arrival
    }

    /// Bytes come a hundred times as often as anything that is worth telling.
    private func look() {
        let source = source.withLock { $0.shown }
        let arrival = source.arrival
        // What this one shows will not grow, but what took its place does.
        if case .failed = arrival.condition, let successor = source.takeSuccessor() {
            let isStopped = self.source.withLock { current in
                current.shown = successor
                return current.isStopped
            }
            source.close()
            return isStopped ? successor.close() : follow(successor)
        }
        last.withLock { last in
            guard last?.isOver != true, last.map(arrival.isNews) ?? true else { return }
            last = arrival
            send.yield(arrival)
            if arrival.isOver { send.finish() }
        }
    }

    /// Stops, and returns once what has arrived is safe on disk.
    public func stop() async {
        await DiskWork.run { [self] in
            let source = source.withLock { current in
                current.isStopped = true
                return current.shown
            }
            source.close()
        }
    }

    /// Waits until the file has its final name.
    /// - Parameter delivery: where it is wanted as well.
    /// - Returns: the path it can be found at: that of the delivery, where one is wanted.
    public func finish(_ delivery: FileDelivery?) async throws(MediaFailure) -> String {
        await stop()
        let locate = locate
        let location = await DiskWork.run { () throws(Never) -> DownloadLocation in locate() }
        guard location.presence == .complete else {
            throw MediaFailure(.unavailable, "nothing says whether it came whole: what came is kept, to be compared")
        }
        guard let delivery else { return location.path }
        return try await DiskWork.run { () throws(MediaFailure) in try delivery.deliver(location) }
    }
}

extension Arrival {
    private static let leastStep: Int64 = 256 << 10
    private static let stepOfUnknown: Int64 = 1 << 20

    /// Whether it says more worth noting than the one before.
    fileprivate func isNews(after last: Arrival) -> Bool {
        let step = total.map { max(Self.leastStep, $0 / 100) } ?? Self.stepOfUnknown
        return condition != last.condition || extents.count - last.extents.count >= step
    }
}

extension EnclosureDownload {
    private static let beginning = 64 << 10

    /// The format of the file at `path`, where it is none that `play` decodes.
    static func foreignFormat(of path: String) throws(MediaFailure) -> String? {
        let file = try FileByteSource(path: path)
        defer { file.close() }
        guard case .none = PacketCursor.firstPacket(in: file) else { return nil }
        return file.foreignAudio
    }

    /// What is wrong with the whole: less came than the file's own tag promises, for the server keeps a stump of it.
    /// - Parameter path: where it is.
    public static func shortfall(of path: String) throws(MediaFailure) -> MediaFailure? {
        let file = try FileByteSource(path: path)
        defer { file.close() }
        let info = withUnsafeTemporaryAllocation(byteCount: beginning, alignment: 1) { buffer -> StreamInfo? in
            guard case .data(let count) = file.read(at: 0, into: buffer) else { return nil }
            return StreamInfo.of(beginning: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
        guard let info, let promised = info.promisedLength, info.isLonger(than: file.total) else { return nil }
        return MediaFailure(
            .badData, "it is shorter than its own tag promises: \(file.total) of \(promised) bytes")
    }
}

extension EnclosureSources {
    /// Begins to download, or to go on with, what playing it would: the same bytes under the same lock.
    /// - Parameter delivery: where it will be wanted as well; looked at before anything is fetched.
    public func download(
        _ playable: Playable, to delivery: FileDelivery? = nil
    ) throws(MediaFailure) -> EnclosureDownload {
        guard case .remote(let enclosure) = playable.origin else {
            throw MediaFailure(.missing, "it is a file on this machine: there is nothing to download")
        }
        try delivery?.check(for: place(of: enclosure))
        let source = try keptOrArriving(enclosure, playable.place?.episode, for: .keeping)
        return EnclosureDownload(playable, from: source) { self.place(of: enclosure) }
    }
}
