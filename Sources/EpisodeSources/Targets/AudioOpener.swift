// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles
import EpisodeLibrary
import Logging
public import Media
import Playback
import ProgressiveDownload
import Subscriptions

/// An opener of the listener's target for reading from any frame: a file of any supported format, or an episode,
/// which is downloaded and kept while it is read.
public struct AudioOpener: Sendable {
    private let resolver: TargetResolver
    private let sources: EnclosureSources
    private let recorder: DownloadRecorder?

    /// - Parameter recorder: records the downloads of episodes that are in the library.
    public init(resolver: TargetResolver, sources: EnclosureSources, recorder: DownloadRecorder?) {
        (self.resolver, self.sources, self.recorder) = (resolver, sources, recorder)
    }

    /// Resolves a target to one episode or file.
    /// - Parameter target: the path or URL of an audio file, or the name of an episode in the library. For a feed,
    ///   the latest episode is used; for a serial, the first that has not been played.
    public func resolve(_ target: String) async throws(MediaFailure) -> ResolvedEpisode {
        guard let first = try await resolver.resolve(target, nil).first else {
            throw MediaFailure(.missing, "the feed has no episodes")
        }
        // If the server cannot be reached, the kept file is used.
        _ = await sources.prepare(first)
        return first
    }

    /// Opens a reader. Blocks on disk access and, for a download, until enough bytes have arrived.
    /// - Parameters:
    ///   - format: the format of the samples to read; `nil` is interleaved Float32 at the file's own rate.
    ///   - isWhole: true if the whole download is needed, false if its beginning is enough.
    ///   - goesOn: called each second; if it returns false, `temporary` is thrown.
    public func reader(
        of resolved: ResolvedEpisode, as format: AudioFormat? = nil, isWhole: Bool = false,
        while goesOn: () -> Bool = { true }
    ) throws(MediaFailure) -> AudioFileReader {
        switch resolved.origin {
        case .file(let path):
            let source = try FileByteSource(path: path)
            do throws(AudioFileError) { return try AudioFileReader(source: source, path: path, format: format) } catch {
                throw MediaFailure(error)
            }
        case .remote(let enclosure):
            record { try $0.begin(resolved, by: .playing) }
            let source = try sources.storedOrDownloading(enclosure, resolved.libraryEntry?.episode, for: .playing)
            let arriving = Arriving(source: source, name: resolved.location)
            return try arriving.reader(as: format, isWhole: isWhole, while: goesOn)
        }
    }

    /// Records the stored bytes after the reader was closed.
    public func close(_ resolved: ResolvedEpisode) async {
        await DiskWork.run { record { try $0.recordStored(resolved) } }
    }

    /// Logs an error instead of throwing it: the file is authoritative, and the next survey finds it on disk.
    private func record(_ body: (DownloadRecorder) throws -> Void) {
        do {
            try recorder.map(body)
        } catch {
            sources.logger.notice("cannot record the download in the library", metadata: ["error": "\(error)"])
        }
    }
}

/// A download that is read as soon as enough of it has arrived.
private struct Arriving {
    /// The timeout without any received byte.
    private static let stallTimeout = Duration.seconds(60)

    let source: any ByteSource
    let name: String

    func reader(
        as format: AudioFormat?, isWhole: Bool, while goesOn: () -> Bool
    ) throws(MediaFailure) -> AudioFileReader {
        let wake = WakeSignal()
        source.onChange { wake.signal() }
        defer { source.onChange(nil) }
        var (held, end) = (source.downloadProgress.extents, ContinuousClock.now + Self.stallTimeout)
        while true {
            let downloadProgress = source.downloadProgress
            if !isWhole || downloadProgress.isOver {
                do throws(AudioFileError) {
                    return try AudioFileReader(source: source, path: name, format: format)
                } catch {
                    guard case .notArrived = error, !downloadProgress.isOver else { throw failure(error) }
                }
            }
            guard goesOn() else { throw MediaFailure(.temporary, "interrupted") }
            if downloadProgress.extents != held {
                (held, end) = (downloadProgress.extents, ContinuousClock.now + Self.stallTimeout)
            }
            guard ContinuousClock.now < end else { throw MediaFailure(.unavailable, "the server sends no more data") }
            wake.wait(atMost: .seconds(1))
        }
    }

    /// Returns the failure of the download if there is one, because it explains the error of the file.
    private func failure(_ error: AudioFileError) -> MediaFailure {
        if case .failed(let failure) = source.downloadProgress.condition { failure } else { MediaFailure(error) }
    }
}

extension MediaFailure {
    /// Converts an error of reading an audio file.
    public init(_ error: AudioFileError) {
        switch error {
        case .cannotOpen(_, let reason): self.init(.missing, reason)
        case .notArrived: self.init(.unavailable, "timeout while waiting for the beginning of the file")
        case .unsupported(_, let reason), .damaged(_, let reason): self.init(.badData, reason)
        case .cannotRead(_, let reason): self.init(.inputOutput, reason)
        case .cannotWrite(_, let reason): self.init(.inputOutput, reason)
        case .unsupportedFormat(let reason): self.init(.badData, reason)
        case .cancelled: self.init(.temporary, "cancelled")
        }
    }
}
