// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles
import EpisodeLibrary
import Logging
public import Media
import Playback
import ProgressiveDownload

/// Opens what a listener has named as sound that can be read from any frame on: a file of any kind, or an episode,
/// which is downloaded meanwhile, and kept.
public struct SoundOpening: Sendable {
    private let resolver: TargetResolver
    private let sources: EnclosureSources
    private let recorder: DownloadRecorder?

    /// - Parameter recorder: is told of episodes that are in the library.
    public init(resolver: TargetResolver, sources: EnclosureSources, recorder: DownloadRecorder?) {
        (self.resolver, self.sources, self.recorder) = (resolver, sources, recorder)
    }

    /// - Parameter target: the path or URL of an audio file, or the name of an episode in the library; of a feed, the
    ///   latest episode, of a serial the first that was not played.
    public func resolve(_ target: String) async throws(MediaFailure) -> Playable {
        guard let first = try await resolver.resolve(target, nil).first else {
            throw MediaFailure(.missing, "there is no episode in it")
        }
        // Where nobody answers, the kept file is what there is.
        _ = await sources.prepare(first)
        return first
    }

    /// Waits for the disk and, where it is a download, for as much of it as is needed.
    /// - Parameters:
    ///   - format: what is to be read; `nil` is interleaved Float32 at the file's own rate.
    ///   - isWhole: whether all of a download is needed, and not its beginning alone.
    ///   - goesOn: looked at each second; when it is no more, it is `temporary`.
    public func reader(
        of playable: Playable, as format: AudioFormat? = nil, isWhole: Bool = false,
        while goesOn: () -> Bool = { true }
    ) throws(MediaFailure) -> AudioFileReader {
        switch playable.origin {
        case .file(let path):
            let source = try FileByteSource(path: path)
            do throws(AudioFileError) { return try AudioFileReader(source: source, path: path, format: format) } catch {
                throw MediaFailure(error)
            }
        case .remote(let enclosure):
            record { try $0.begin(playable, by: .playing) }
            let source = try sources.keptOrArriving(enclosure, playable.place?.episode, for: .playing)
            let arriving = Arriving(source: source, name: playable.location)
            return try arriving.reader(as: format, isWhole: isWhole, while: goesOn)
        }
    }

    /// It is read no more: what of it has come is noted.
    public func close(_ playable: Playable) async {
        await DiskWork.run { record { try $0.look(playable) } }
    }

    /// The file is the truth: what cannot be noted now is found on disk the next time that somebody looks.
    private func record(_ body: (DownloadRecorder) throws -> Void) {
        do {
            try recorder.map(body)
        } catch {
            sources.logger.notice("the library was not told of a download", metadata: ["error": "\(error)"])
        }
    }
}

/// A download that is to be read as soon as enough of it is there.
private struct Arriving {
    /// How long not a single byte may come.
    private static let patience = Duration.seconds(60)

    let source: any ByteSource
    let name: String

    func reader(
        as format: AudioFormat?, isWhole: Bool, while goesOn: () -> Bool
    ) throws(MediaFailure) -> AudioFileReader {
        let wake = WakeSignal()
        source.onChange { wake.signal() }
        defer { source.onChange(nil) }
        var (held, end) = (source.arrival.extents, ContinuousClock.now + Self.patience)
        while true {
            let arrival = source.arrival
            if !isWhole || arrival.isOver {
                do throws(AudioFileError) {
                    return try AudioFileReader(source: source, path: name, format: format)
                } catch {
                    guard case .notArrived = error, !arrival.isOver else { throw failure(error) }
                }
            }
            guard goesOn() else { throw MediaFailure(.temporary, "it was interrupted") }
            if arrival.extents != held { (held, end) = (arrival.extents, ContinuousClock.now + Self.patience) }
            guard ContinuousClock.now < end else { throw MediaFailure(.unavailable, "no more of it arrives") }
            wake.wait(atMost: .seconds(1))
        }
    }

    /// What the download says goes before what that means for the file.
    private func failure(_ error: AudioFileError) -> MediaFailure {
        if case .failed(let failure) = source.arrival.condition { failure } else { MediaFailure(error) }
    }
}

extension MediaFailure {
    public init(_ error: AudioFileError) {
        switch error {
        case .cannotOpen(_, let reason): self.init(.missing, reason)
        case .notArrived: self.init(.unavailable, "its beginning has not arrived in time")
        case .unsupported(_, let reason), .damaged(_, let reason): self.init(.badData, reason)
        case .cannotRead(_, let reason): self.init(.inputOutput, reason)
        case .cannotWrite(_, let reason): self.init(.inputOutput, reason)
        case .unsupportedFormat(let reason): self.init(.badData, reason)
        case .cancelled: self.init(.temporary, "it was cancelled")
        }
    }
}
