// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import EpisodeLibrary
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
    private let places: KeptPlaces
    let logger: Logger
    private let recorder: DownloadRecorder?
    private let renewal: EnclosureRenewal?
    /// Writes indexes, which may wait for the device.
    private let disk = DispatchQueue(label: "earshot.index")
    private let origins = Mutex<[PlaybackItem.ID: Playable]>([:])
    /// Downloads that somebody reads, by the path of their file: it has one writer, however often an enclosure is on
    /// the playlist.
    private let downloads = Mutex<[String: SharedByteSource]>([:])
    /// Episodes of the library whose download began here by playing them.
    private let begun = Mutex<[Int64: Playable]>([:])

    /// - Parameters:
    ///   - recorder: notes what is downloaded of the library's episodes.
    ///   - renewal: finds fresh addresses for them.
    public init(
        transport: any HTTPTransport, keeping folders: KeepFolders, recorder: DownloadRecorder? = nil,
        renewal: EnclosureRenewal? = nil, logger: Logger
    ) {
        self.transport = transport
        self.recorder = recorder
        self.renewal = renewal
        self.logger = logger
        places = KeptPlaces(folders, transport: transport)
    }

    public convenience init(transport: any HTTPTransport, keeping directory: KeepDirectory, logger: Logger) {
        self.init(transport: transport, keeping: KeepFolders(standard: directory), logger: logger)
    }

    /// Asks the server for a newer issue, where the kept file may not be the one that is wanted. It is what is played
    /// where nobody answers soon.
    /// - Returns: why a newer issue that the feed has cannot be fetched.
    public func prepare(_ playable: Playable) async -> MediaFailure? {
        guard case .remote(let enclosure) = playable.origin else { return nil }
        switch await places.check(enclosure) {
        case .settled: return nil
        case .unreachable(let failure): return failure
        case .confirmed:
            if let recorder { await record { try recorder.noteFetched(playable) } }
            return nil
        }
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
        case .remote(let enclosure):
            let source = try keptOrArriving(enclosure, playable.place?.episode, for: .playing)
            if !(source is FileByteSource) { begin(playable) }
            return source
        }
    }

    func place(of enclosure: RemoteEnclosure) -> DownloadLocation { places.place(of: enclosure) }

    /// - Parameter episode: its number in the library, where it is in it.
    func keptOrArriving(
        _ enclosure: RemoteEnclosure, _ episode: Int64?, for purpose: EpisodeDownload.Purpose
    ) throws(MediaFailure) -> any ByteSource {
        let location = place(of: enclosure)
        if location.presence == .complete {
            location.removeLeftovers()
            return try FileByteSource(path: location.path)
        }
        if let shared = downloads.withLock({ $0[location.path] })?.handle() { return shared }
        try KeepDirectory(path: location.directory).create()
        let fresh = episode.flatMap { renewal?.renewal(of: $0, instead: enclosure.url) }
        let download = EpisodeDownload(
            enclosure.request, file: location, transport: transport, claimedLength: enclosure.claimedLength,
            promise: { StreamInfo.of(beginning: $0)?.promisedLength }, check: Self.fault, for: purpose,
            renewal: fresh, logger: logger)
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
        return place(of: enclosure)
    }
}

// MARK: What the library knows of it
extension EnclosureSources {
    /// Its file belongs to the episode from its first byte on, also where nothing is ever heard of it.
    private func begin(_ playable: Playable) {
        guard let recorder, let episode = playable.place?.episode else { return }
        guard begun.withLock({ $0.updateValue(playable, forKey: episode) }) == nil else { return }
        disk.async { [self] in note { try recorder.begin(playable, by: .playing) } }
    }

    /// Returns once the library knows what is on disk of what was played. While another process keeps the library to
    /// itself that is not waited for: it is found on disk at the next look.
    public func settle(atMost patience: Duration = .seconds(1)) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            await settleAll()
            end.finish()
        }
        Task {
            do { try await Task.sleep(for: patience) } catch {}
            end.finish()
        }
        for await _ in ends {}
    }

    private func settleAll() async {
        let begun = begun.withLock { begun in
            defer { begun = [:] }
            return begun.values
        }
        guard let recorder, !begun.isEmpty else { return }
        await withCheckedContinuation { continuation in
            disk.async { continuation.resume() }
        }
        for playable in begun { await record { try recorder.end(playable) } }
    }

    private func record(_ body: @escaping @Sendable () throws -> Void) async {
        await DiskWork.run { [self] in note(body) }
    }

    /// The file is the truth: what cannot be noted now is found on disk at the next look.
    private func note(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            logger.notice("the library was not told of a download", metadata: ["error": "\(error)"])
        }
    }
}
