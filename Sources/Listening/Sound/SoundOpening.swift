// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles
public import Media
import Playback

/// Opens what a listener has named as sound that can be read from any frame on: a file of any kind, or an episode,
/// which is downloaded meanwhile, and kept.
public struct SoundOpening: Sendable {
    /// How long the beginning of a download is waited for.
    private static let patience = Duration.seconds(60)

    private let resolver: TargetResolver
    private let sources: EnclosureSources

    public init(resolver: TargetResolver, sources: EnclosureSources) {
        (self.resolver, self.sources) = (resolver, sources)
    }

    /// - Parameter target: the path or URL of an audio file, or the name of an episode in the library; of a feed, the
    ///   latest episode.
    public func resolve(_ target: String) async throws(MediaFailure) -> Playable {
        guard let first = try await resolver.resolve(target, .latest).first else {
            throw MediaFailure(.missing, "there is no episode in it")
        }
        return first
    }

    /// Waits for the disk, and for the beginning of a download.
    /// - Parameters:
    ///   - format: what is to be read; `nil` is interleaved Float32 at the file's own rate.
    ///   - isWhole: whether all of a download is waited for, however long that takes, and not its beginning alone.
    public func reader(
        of playable: Playable, as format: AudioFormat? = nil, isWhole: Bool = false
    ) throws(MediaFailure) -> AudioFileReader {
        do throws(AudioFileError) {
            switch playable.origin {
            case .file(let path): return try AudioFileReader(path: path, format: format)
            case .remote(let enclosure):
                let source: any ByteSource
                do throws(MediaFailure) { source = try sources.keptOrArriving(enclosure) } catch {
                    throw .cannotOpen(path: playable.location, reason: error.reason)
                }
                return try arriving(source, playable.location, as: format, isWhole: isWhole)
            }
        } catch {
            throw MediaFailure(error)
        }
    }

    private func arriving(
        _ source: any ByteSource, _ name: String, as format: AudioFormat?, isWhole: Bool
    ) throws(AudioFileError) -> AudioFileReader {
        let wake = WakeSignal()
        source.onChange { wake.signal() }
        defer { source.onChange(nil) }
        while isWhole && !source.arrival.isOver { wake.wait(atMost: .seconds(1)) }
        let end = ContinuousClock.now + Self.patience
        while true {
            do throws(AudioFileError) {
                return try AudioFileReader(source: source, path: name, format: format)
            } catch .notArrived where !source.arrival.isOver && ContinuousClock.now < end {
                wake.wait(atMost: .seconds(1))
            } catch {
                if case .failed(let failure) = source.arrival.condition {
                    throw .cannotRead(path: name, reason: failure.reason)
                }
                throw error
            }
        }
    }
}

extension MediaFailure {
    public init(_ error: AudioFileError) {
        switch error {
        case .cannotOpen(_, let reason): self.init(.missing, reason)
        case .notArrived: self.init(.unavailable, "its beginning has not arrived in time")
        case .unsupported(_, let reason): self.init(.badData, reason)
        case .cannotRead(_, let reason): self.init(.inputOutput, reason)
        case .cannotWrite(_, let reason): self.init(.inputOutput, reason)
        case .unsupportedFormat(let reason): self.init(.badData, reason)
        case .cancelled: self.init(.temporary, "it was cancelled")
        }
    }
}
