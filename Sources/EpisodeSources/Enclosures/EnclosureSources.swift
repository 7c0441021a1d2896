// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import EpisodeLibrary
import Feeds
public import HTTPTransfer
public import Logging
import MPEGAudio
public import Media
import Playback
public import ProgressiveDownload
import Subscriptions
import Synchronization
import TrackReading

/// The source of the bytes of playlist items: the complete file on disk, else a download into the keep directory.
public final class EnclosureSources: Sendable {
    private let transport: any HTTPTransport
    private let enclosureFolders: EnclosureFolders
    let logger: Logger
    private let recorder: DownloadRecorder?
    private let renewal: EnclosureRenewal?
    /// The chapters of the library's episodes.
    private let chapters: LibraryChapters?
    /// Writes index files off the caller's thread, because a write may wait for the device.
    private let disk = DispatchQueue(label: "earshot.index")
    /// The downloads that have readers, by the path of their file. Each file has one writer, even if the playlist
    /// contains an enclosure several times.
    let downloads = Mutex<[String: SharedByteSource]>([:])
    /// Episodes of the library whose download was started here by playback.
    private let begun = Mutex<[Int64: ResolvedEpisode]>([:])

    /// - Parameters:
    ///   - recorder: records the downloads of the library's episodes in the library.
    ///   - renewal: fetches fresh addresses for the library's episodes.
    ///   - chapters: the chapters of the library's episodes.
    public init(
        transport: any HTTPTransport, keeping folders: KeepFolders, recorder: DownloadRecorder? = nil,
        renewal: EnclosureRenewal? = nil, chapters: LibraryChapters? = nil, logger: Logger
    ) {
        self.transport = transport
        self.recorder = recorder
        self.renewal = renewal
        self.chapters = chapters
        self.logger = logger
        enclosureFolders = EnclosureFolders(folders, transport: transport)
    }

    /// Creates sources that keep all downloads in one directory.
    public convenience init(transport: any HTTPTransport, keeping directory: KeepDirectory, logger: Logger) {
        self.init(transport: transport, keeping: KeepFolders(standard: directory), logger: logger)
    }

    /// Asks the server for a newer issue if the kept file may be outdated. If the server does not answer soon, the
    /// kept file is played.
    /// - Returns: the error if the feed has a newer issue that cannot be fetched.
    public func prepare(_ resolved: ResolvedEpisode) async -> MediaFailure? {
        guard case .remote(let enclosure) = resolved.origin else { return nil }
        switch await enclosureFolders.check(enclosure) {
        case .settled: return nil
        case .unreachable(let failure): return failure
        case .confirmed:
            if let recorder { await record { try recorder.noteFetched(resolved) } }
            return nil
        }
    }

    /// Returns a byte source for the episode: its file on disk if it is complete, else a download.
    func source(of resolved: ResolvedEpisode) throws(MediaFailure) -> any ByteSource {
        if let episode = resolved.libraryEntry?.episode { chapters?.load(episode) }
        switch resolved.origin {
        case .file(let path): return try FileByteSource(path: path)
        case .remote(let enclosure):
            let source = try storedOrDownloading(enclosure, resolved.libraryEntry?.episode, for: .playing)
            if !(source is FileByteSource) { begin(resolved) }
            return source
        }
    }

    func storageLocation(of enclosure: RemoteEnclosure) -> DownloadLocation {
        enclosureFolders.storageLocation(of: enclosure)
    }

    /// Reads the lists of chapters before playback, so that they are known from the first frame on.
    public func loadChapters(of resolved: ResolvedEpisode) async {
        guard let chapters, let episode = resolved.libraryEntry?.episode else { return }
        await DiskWork.run { () throws(Never) in chapters.read(episode) }
    }

    /// Returns the lists of chapters outside the file that are known so far.
    func chapterLists(of resolved: ResolvedEpisode) -> [ChapterList] {
        resolved.libraryEntry.flatMap { chapters?.lists(of: $0.episode) } ?? resolved.chapterLists
    }

    func onNewChapters(of resolved: ResolvedEpisode, _ changed: @escaping @Sendable () -> Void) {
        if let episode = resolved.libraryEntry?.episode { chapters?.onChange(of: episode, changed) }
    }

    /// - Parameter episode: the episode's number in the library, if it is in the library.
    func storedOrDownloading(
        _ enclosure: RemoteEnclosure, _ episode: Int64?, for purpose: EpisodeDownload.Purpose
    ) throws(MediaFailure) -> any ByteSource {
        // The row of a removed episode follows when playback is recorded.
        let location = storageLocation(of: enclosure).restored()
        if location.presence == .complete {
            try enclosureFolders.checkChosen()
            location.removeLeftovers()
            return try FileByteSource(path: location.path)
        }
        if let shared = runningDownload(at: location.path) { return shared }
        _ = try KeepDirectory(path: location.directory).create(for: purpose)
        let fresh = episode.flatMap { renewal?.renewal(of: $0, instead: enclosure.url) }
        let download = EpisodeDownload(
            enclosure.request, file: location, transport: transport, claimedLength: enclosure.claimedLength,
            rules: .episode, for: purpose, renewal: fresh, logger: logger)
        let shared = SharedByteSource(download.source)
        // Another reader may find the download and close it again before this one has read a byte.
        let handle = shared.handle()
        downloads.withLock { downloads in
            downloads = downloads.filter { !$0.value.isOver }
            downloads[location.path] = shared
        }
        download.start()
        return handle ?? download.source
    }
}

// MARK: Alternate enclosures
extension EnclosureSources {
    /// Returns the audio of the episode in another format. Its file does not belong to the episode in the library.
    func alternative(to resolved: ResolvedEpisode) -> ResolvedEpisode? {
        guard case .remote(let enclosure) = resolved.origin,
            let other = enclosure.alternative ?? listedAlternative(to: enclosure, of: resolved)
        else { return nil }
        return ResolvedEpisode(
            title: resolved.title, podcast: resolved.podcast, location: RedactedURL(other.url).description,
            claimedDuration: resolved.claimedDuration, origin: .remote(enclosure.replaced(by: other)))
    }

    private func listedAlternative(to enclosure: RemoteEnclosure, of resolved: ResolvedEpisode) -> ParsedEnclosure? {
        do {
            return try recorder?.alternateAudio(of: resolved, besides: enclosure.url)
        } catch {
            logger.info("cannot read the alternate enclosures of an episode", metadata: ["error": "\(error)"])
            return nil
        }
    }
}

// MARK: Indexes of kept episodes
extension EnclosureSources {
    /// Returns the format of the episode's audio, from its kept index or its complete file; `nil` if it is not known
    /// yet.
    func knownFormat(of resolved: ResolvedEpisode, isSoundDue: Bool) -> AudioFormat? {
        if let kept = keptIndex(of: resolved)?.index.runs { return kept.maximumFormat }
        guard let path = wholeFile(of: resolved) else { return nil }
        do throws(MediaFailure) {
            let file = try FileByteSource(path: path)
            defer { file.close() }
            guard case .audio(let format) = TrackContent(of: file, isSoundDue: isSoundDue) else { return nil }
            return format
        } catch {
            // The error is reported when the item is played.
            return nil
        }
    }

    private func wholeFile(of resolved: ResolvedEpisode) -> String? {
        guard case .file(let path) = resolved.origin else {
            return location(of: resolved).flatMap { $0.presence == .complete ? $0.path : nil }
        }
        return path
    }

    /// Returns the kept frame index of a completely stored episode; `nil` if none can be read.
    func keptIndex(of resolved: ResolvedEpisode) -> KeptFrameIndex? {
        guard let location = location(of: resolved), location.presence == .complete else { return nil }
        do throws(MediaFailure) {
            return try FrameIndexFile(beside: location).read().flatMap(KeptFrameIndex.init(encoded:))
        } catch {
            logger.info("cannot read a frame index", metadata: location.logged(error))
            return nil
        }
    }

    /// Stores the frame index of an episode beside its file. Runs asynchronously; errors are logged.
    func keep(_ index: KeptFrameIndex, of resolved: ResolvedEpisode) {
        // A download whose bytes have all arrived may be about to get its final name.
        guard let location = location(of: resolved), location.presence != .absent else { return }
        disk.async { [logger] in
            do throws(MediaFailure) {
                try FrameIndexFile(beside: location).write(index.encoded())
            } catch {
                logger.info("cannot save a frame index", metadata: location.logged(error))
            }
        }
    }

    /// Returns the location at which the episode is kept; `nil` for a local file, which is read in place.
    private func location(of resolved: ResolvedEpisode) -> DownloadLocation? {
        guard case .remote(let enclosure) = resolved.origin else { return nil }
        return storageLocation(of: enclosure)
    }
}

// MARK: Loudness of episodes
extension EnclosureSources {
    /// Returns the stored loudness of the episode, and that of the newest episodes of its podcast.
    func knownLoudness(of resolved: ResolvedEpisode) -> KnownLoudness {
        guard let recorder else { return KnownLoudness() }
        do {
            return try recorder.knownLoudness(of: resolved)
        } catch {
            logger.info("cannot read the loudness of an episode", metadata: ["error": "\(error)"])
            return KnownLoudness()
        }
    }

    /// Stores the loudness of the episode in the library. Runs asynchronously; errors are logged.
    func keep(_ loudness: KeptLoudness, of resolved: ResolvedEpisode) {
        guard let recorder else { return }
        disk.async { [logger] in
            do {
                try recorder.keep(loudness, of: resolved)
            } catch {
                logger.info("cannot save the loudness of an episode", metadata: ["error": "\(error)"])
            }
        }
    }
}

// MARK: Records in the library
extension EnclosureSources {
    /// Records that the download belongs to the episode as soon as it starts, even if no sound is ever played.
    private func begin(_ resolved: ResolvedEpisode) {
        guard let recorder, let episode = resolved.libraryEntry?.episode else { return }
        guard begun.withLock({ $0.updateValue(resolved, forKey: episode) }) == nil else { return }
        disk.async { [self] in recordBeginning(of: resolved, episode, recorder) }
    }

    /// Tries again each second while another process holds the library locked, until playback has ended.
    private func recordBeginning(of resolved: ResolvedEpisode, _ episode: Int64, _ recorder: DownloadRecorder) {
        note {
            do {
                try recorder.begin(resolved, by: .playing)
            } catch let error as LibraryError where error.kind == .busy {
                disk.asyncAfter(deadline: .now() + 1) { [weak self] in
                    guard let self, begun.withLock({ $0[episode] != nil }) else { return }
                    recordBeginning(of: resolved, episode, recorder)
                }
            }
        }
    }

    /// Waits until the library has recorded the stored bytes of the played episodes, but no longer than `patience`:
    /// if another process holds the library locked, the next survey finds the files on disk.
    public func recordDownloads(atMost patience: Duration) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        Task {
            await recordAllDownloads()
            end.finish()
        }
        Task {
            do { try await Task.sleep(for: patience) } catch {}
            end.finish()
        }
        for await _ in ends {}
    }

    private func recordAllDownloads() async {
        let begun = begun.withLock { begun in
            defer { begun = [:] }
            return begun.values
        }
        // Indexes of played files are written there as well.
        await withCheckedContinuation { continuation in
            disk.async { continuation.resume() }
        }
        guard let recorder else { return }
        for resolved in begun { await record { try recorder.end(resolved) } }
        // Last, because it reads whole files.
        for resolved in begun { await record { try recorder.correctBookmarks(of: resolved) } }
    }

    private func record(_ body: @escaping @Sendable () throws -> Void) async {
        await DiskWork.run { [self] in note(body) }
    }

    /// Logs an error instead of throwing it: the file is authoritative, and the next survey finds it on disk.
    private func note(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            logger.notice("cannot record the download in the library", metadata: ["error": "\(error)"])
        }
    }
}
