// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import HTTPTransfer
public import Media

extension DownloadLocation {
    /// How much of an enclosure is here.
    public struct Record: Sendable, Equatable {
        /// Bytes; `nil` while unknown.
        public let total: Int64?
        public let extents: ByteRangeSet
    }

    /// What stands beside the partial file, as of the last few 10 KiB: also of one that is being written, or whose
    /// writer was killed. The bytes are not compared with it, as going on with them does.
    /// - Returns: `nil` where nothing speaks of this very file.
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
            manifest.holding.entity.total, PartialFile.subject(manifest.fileNumber, manifest.stamp, calls)
        )
        var extents = manifest.holding.extents
        for range in try PartialFileJournal.load(from: journalPath, about: subject)?.extents.ranges ?? []
        where range.upperBound <= total ?? .max {
            extents.insert(range)
        }
        return Record(total: total, extents: extents)
    }
}
