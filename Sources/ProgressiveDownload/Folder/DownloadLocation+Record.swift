// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import HTTPTransfer
public import Media

extension DownloadLocation {
    /// The stored part of an enclosure.
    public struct Record: Sendable, Equatable {
        /// The length in bytes; `nil` while unknown.
        public let total: Int64?
        public let extents: ByteRangeSet
    }

    /// Returns the stored bytes that the files beside the partial file record, up to date within some 10 KiB, even
    /// for a file that is being written or whose writer was killed. Unlike resuming, this does not verify the bytes.
    /// - Returns: `nil` if no record describes this file.
    public func partialRecord() throws(MediaFailure) -> Record? {
        do throws(SystemError) {
            return try readRecord(DiskCalls())
        } catch {
            throw error.whileTransferring
        }
    }

    private func readRecord(_ calls: DiskCalls) throws(SystemError) -> Record? {
        var status = stat()
        guard lstat(partialPath, &status) == 0, let manifest = try PartialFileManifest.load(from: manifestPath),
            manifest.fileNumber == UInt64(status.st_ino)
        else { return nil }
        let (total, subject) = (
            manifest.stored.entity.total, PartialFile.subject(manifest.fileNumber, manifest.stamp, calls)
        )
        var extents = manifest.stored.extents
        for range in try PartialFileJournal.load(from: journalPath, about: subject)?.extents.ranges ?? []
        where range.upperBound <= total ?? .max {
            extents.insert(range)
        }
        return Record(total: total, extents: extents)
    }

    /// Returns the number of stored bytes of the version that a download would resume: the length of a complete file,
    /// else the bytes that a manifest describes.
    func storedBytes() throws(MediaFailure) -> Int64 {
        if let length { return length }
        do throws(SystemError) {
            var stored = try readRecord(DiskCalls())?.extents
            // A copied file has another inode number than its manifest states.
            if stored == nil { stored = try Self.extents(manifestPath, of: partialPath) }
            let earlier = try Self.extents(earlierManifestPath, of: earlierPath)
            return max(stored?.count ?? 0, earlier?.count ?? 0)
        } catch {
            throw error.whileTransferring
        }
    }

    private static func extents(_ manifest: String, of file: String) throws(SystemError) -> ByteRangeSet? {
        exists(file) ? try PartialFileManifest.load(from: manifest)?.stored.extents : nil
    }

    /// Returns the first location with a complete file, also in the trash, else the one with the most stored bytes.
    static func fullest(of places: [DownloadLocation]) -> DownloadLocation? {
        guard places.count > 1 else { return places.first }
        let complete = places.first { $0.presence == .complete } ?? places.first { $0.inTrash.presence == .complete }
        if let complete { return complete }
        do throws(MediaFailure) {
            var fullest: (place: DownloadLocation, bytes: Int64)?
            for place in places {
                let bytes = max(try place.storedBytes(), try place.inTrash.storedBytes())
                if bytes > fullest?.bytes ?? -1 { fullest = (place, bytes) }
            }
            return fullest?.place
        } catch {
            // Opening the file reports the error.
            return places.first
        }
    }
}
