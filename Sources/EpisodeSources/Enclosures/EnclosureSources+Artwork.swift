// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import ProgressiveDownload
import Synchronization
import TrackReading

extension EnclosureSources {
    /// Returns the picture in the tags of an audio file, if it is on disk or has arrived. Blocks on disk access.
    public func artwork(in origin: ResolvedEpisode.Origin) -> AudioMetadata.Artwork? {
        readStored(origin) { TrackMetadata.read($0).artwork }
    }

    /// Returns a picture inside an audio file, if it is on disk or has arrived. Blocks on disk access.
    public func picture(_ picture: StoredPicture, in origin: ResolvedEpisode.Origin) -> AudioMetadata.Artwork? {
        let count = picture.range.count
        guard count <= Self.longestPicture else { return nil }
        return readStored(origin) { source in
            let bytes = source.bytes(at: picture.range.lowerBound, count: count)
            return bytes.count == count ? picture.artwork(from: bytes) : nil
        }
    }

    private static let longestPicture = 8 << 20

    /// Reads the stored bytes of a file; returns `nil` if there are none.
    private func readStored(
        _ origin: ResolvedEpisode.Origin, _ body: (any ByteSource) -> AudioMetadata.Artwork?
    ) -> AudioMetadata.Artwork? {
        do throws(MediaFailure) {
            guard let source = try storedBytes(of: origin) else { return nil }
            defer { source.close() }
            return body(source)
        } catch {
            // The player reports a file that cannot be read.
            return nil
        }
    }

    /// Returns a handle of the download to a file; `nil` if no download with readers writes it.
    func runningDownload(at path: String) -> (any ByteSource)? { downloads.withLock { $0[path] }?.handle() }

    private func storedBytes(of origin: ResolvedEpisode.Origin) throws(MediaFailure) -> (any ByteSource)? {
        switch origin {
        case .file(let path): return try FileByteSource(path: path)
        case .remote(let enclosure):
            let location = storageLocation(of: enclosure)
            guard location.presence != .complete else { return try FileByteSource(path: location.path) }
            return runningDownload(at: location.path)
        }
    }
}
