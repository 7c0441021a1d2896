// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Synchronization

/// Reading along while another process downloads the same episode.
extension EpisodeDownload {
    /// The purpose of a download.
    public enum Purpose: Sendable {
        /// The file is needed. The download fails while another process downloads the same episode.
        case keeping
        /// The audio is needed. The download shows the content that another process stores, and continues when that
        /// process stops.
        case playing
    }

    /// Shows the content that another process has stored so far.
    func follow(_ core: inout Core) -> DownloadStateMachine.Event {
        do throws(SystemError) {
            if let stored = try core.followed?.readNewBytes() { return followed(stored, core) }
            // The other process has begun another file since then, or is about to rename the previous one.
            guard var begun = try FollowedFile(location, url: url, calls: calls), let stored = try begun.readNewBytes()
            else {
                return .followed(StoredContent(), at: stopwatch.elapsed)
            }
            core.followed = begun
            core.source = core.source.show(begun.file, total: stored.entity.total)
            return followed(stored, core)
        } catch {
            return .storageFailed(error.whileOpening)
        }
    }

    private func followed(_ stored: StoredContent, _ core: Core) -> DownloadStateMachine.Event {
        let time = stopwatch.elapsed
        let growth = stored.extents.count - core.machine.stored.extents.count
        if core.machine.condition == .receiving, growth > 0 { core.source.count(Int(growth), at: time) }
        return .followed(stored, at: time)
    }

    /// Returns the location of the file that another process completed. A complete file may have been renamed to the
    /// extension of its content, or to the location of an older version.
    func wholeLocation(_ core: Core) -> DownloadLocation? {
        if location.presence == .complete { return location }
        return core.followed.flatMap { location.finalized(number: $0.file.fileNumber) }
    }

    /// Shows the file that another process completed.
    func showWhole(_ location: DownloadLocation, _ core: inout Core) -> DownloadStateMachine.Event {
        do throws(SystemError) {
            let (file, stored) = try PartialFile.whole(
                location, url: url, after: core.followed?.file, calls: calls)
            core.followed = nil
            core.source = core.source.show(file, total: stored.entity.total)
            _ = try readExpectedLength(of: file, &core)
            return .finishedElsewhere(stored)
        } catch {
            return .storageFailed(error.whileOpening)
        }
    }
}
