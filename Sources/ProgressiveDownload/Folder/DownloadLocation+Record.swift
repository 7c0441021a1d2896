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
}
