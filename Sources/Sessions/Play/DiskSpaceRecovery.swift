// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Media
import Subscriptions
import Synchronization
import TerminalInterface

/// Empties the trash when a download needs disk space; the download checks the disk again after two seconds.
final class DiskSpaceRecovery: Sendable {
    private let downloads: LibraryDownloads
    private let remarks = Mutex<[String]>([])

    init(_ downloads: LibraryDownloads) { self.downloads = downloads }

    /// Starts to free space and returns immediately; `removeRemarks` returns the result later.
    func make(for downloadProgress: DownloadProgress) {
        let missing = max(0, (downloadProgress.total ?? 0) - Int64(downloadProgress.extents.count))
        Task { [self] in
            let remark = await DiskWork.run { [self] () throws(Never) in emptied(for: missing) }
            if let remark { remarks.withLock { $0.append(remark) } }
        }
    }

    /// Returns the results since the last call, as sentences without a full stop.
    func removeRemarks() -> [String] {
        remarks.withLock { remarks in
            defer { remarks = [] }
            return remarks
        }
    }

    private func emptied(for missing: Int64) -> String? {
        do {
            let freed = try downloads.freeSpace(for: missing)
            return freed > 0 ? LibraryRemark.deletedForSpace(freed) : nil
        } catch {
            return "cannot empty the trash: \(MediaFailure(converting: error).reason)"
        }
    }
}
