// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
public import HTTPTransfer
public import Logging
public import MPEGAudio
public import Media
public import Playback
public import ProgressiveDownload
import Synchronization

/// Opens the bytes of playlist items: from the file that is whole on disk, else by a download into the keep directory.
public final class EnclosureSources: SourceProvider {
    private let transport: any HTTPTransport
    let directory: KeepDirectory
    let logger: Logger
    /// Writes indexes, which may wait for the device.
    private let disk = DispatchQueue(label: "earshot.index")
    private let origins = Mutex<[PlaybackItem.ID: Playable]>([:])
    /// Downloads that somebody reads, by the path of their file: it has one writer, however often an enclosure is on
    /// the playlist.
    private let downloads = Mutex<[String: SharedByteSource]>([:])

    public init(transport: any HTTPTransport, keeping directory: KeepDirectory, logger: Logger) {
        self.transport = transport
        self.directory = directory
        self.logger = logger
    }

    /// Says what the item `id` is made of, before the item is given to a player.
    public func register(_ playable: Playable, as id: PlaybackItem.ID) {
        origins.withLock { $0[id] = playable }
    }

    public func source(for item: PlaybackItem) throws(MediaFailure) -> any ByteSource {
        guard let playable = origins.withLock({ $0[item.id] }) else {
            throw MediaFailure(.missing, "nobody said where it is")
        }
        switch playable.origin {
        case .file(let path): return try FileByteSource(path: path)
        case .remote(let enclosure): return try keptOrArriving(enclosure, for: .playing)
        }
    }

    func keptOrArriving(
        _ enclosure: RemoteEnclosure, for purpose: EpisodeDownload.Purpose
    ) throws(MediaFailure) -> any ByteSource {
        let location = directory.location(forEnclosure: enclosure.keptAs)
        if location.presence == .complete {
            location.removeLeftovers()
            return try FileByteSource(path: location.path)
        }
        if let shared = downloads.withLock({ $0[location.path] })?.handle() { return shared }
        try directory.create()
        let download = EpisodeDownload(
            enclosure.request, file: location, transport: transport, claimedLength: enclosure.claimedLength,
            promise: { StreamInfo.of(beginning: $0)?.promisedLength }, check: Self.fault, for: purpose, logger: logger)
        let shared = SharedByteSource(download.source)
        downloads.withLock { downloads in
            downloads = downloads.filter { !$0.value.isOver }
            downloads[location.path] = shared
        }
        download.start()
        return shared.handle() ?? download.source
    }
}

extension EnclosureSources {
    /// Why the whole file cannot be played: it holds no MP3 audio, and nothing else that is known.
    @Sendable private static func fault(in file: any ByteSource) -> MediaFailure? {
        guard case .none = PacketCursor.firstPacket(in: file), file.foreignAudio == nil else { return nil }
        return MediaFailure(.badData, "the server sent no audio")
    }
}

// MARK: Indexes of kept episodes
extension EnclosureSources {
    public func knownFormat(of item: PlaybackItem) -> AudioFormat? {
        if let kept = keptIndex(for: item)?.index.runs { return kept.widest }
        guard let path = wholeFile(of: item) else { return nil }
        do throws(MediaFailure) {
            let file = try FileByteSource(path: path)
            defer { file.close() }
            return PacketCursor.firstFormat(in: file)
        } catch {
            // Why it cannot be read is said when it is played.
            return nil
        }
    }

    private func wholeFile(of item: PlaybackItem) -> String? {
        guard let playable = origins.withLock({ $0[item.id] }) else { return nil }
        guard case .file(let path) = playable.origin else {
            return location(of: item).flatMap { $0.presence == .complete ? $0.path : nil }
        }
        return path
    }

    public func keptIndex(for item: PlaybackItem) -> KeptFrameIndex? {
        guard let location = location(of: item), location.presence == .complete else { return nil }
        do throws(MediaFailure) {
            return try FrameIndexFile(beside: location).read().flatMap(KeptFrameIndex.init(encoded:))
        } catch {
            logger.info("an index cannot be read", metadata: ["file": "\(location.name)", "error": "\(error)"])
            return nil
        }
    }

    public func keep(_ index: KeptFrameIndex, for item: PlaybackItem) {
        // A download all of which has arrived may be about to get its final name.
        guard let location = location(of: item), location.presence != .absent else { return }
        disk.async { [logger] in
            do throws(MediaFailure) {
                try FrameIndexFile(beside: location).write(index.encoded())
            } catch {
                logger.info("an index cannot be kept", metadata: ["file": "\(location.name)", "error": "\(error)"])
            }
        }
    }

    /// Where the item is kept; `nil` for a file that is read where it is.
    private func location(of item: PlaybackItem) -> DownloadLocation? {
        guard let playable = origins.withLock({ $0[item.id] }), case .remote(let enclosure) = playable.origin
        else { return nil }
        return directory.location(forEnclosure: enclosure.keptAs)
    }
}
