// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import Synchronization

/// Reading along while another process downloads the same episode.
extension EpisodeDownload {
    /// What a download is for.
    public enum Purpose: Sendable {
        /// The file is wanted. A download fails while another process downloads the same episode.
        case keeping
        /// The sound is wanted. A download shows what another process stores, and takes over when that one stops.
        case playing
    }

    /// Shows what another process has stored by now.
    func follow(_ core: inout Core) -> DownloadStateMachine.Event {
        do throws(SystemError) {
            if let holding = try core.followed?.look() { return followed(holding, core) }
            // The other process has begun a file since then, or is about to give the one before its final name.
            guard var begun = try FollowedFile(location, url: url, calls: calls), let holding = try begun.look() else {
                return .followed(Holding(), at: stopwatch.elapsed)
            }
            core.followed = begun
            core.source = core.source.show(begun.file, total: holding.entity.total)
            return followed(holding, core)
        } catch {
            return .storageFailed(error.whileOpening)
        }
    }

    private func followed(_ holding: Holding, _ core: Core) -> DownloadStateMachine.Event {
        let time = stopwatch.elapsed
        let growth = holding.extents.count - core.machine.holding.extents.count
        if core.machine.condition == .receiving, growth > 0 { core.source.count(Int(growth), at: time) }
        return .followed(holding, at: time)
    }

    /// Where the file is that another process has finished. Once whole, it may have got the ending of its content, or
    /// the place of an older issue.
    func wholeLocation(_ core: Core) -> DownloadLocation? {
        if location.presence == .complete { return location }
        return core.followed.flatMap { location.settled(number: $0.file.fileNumber) }
    }

    /// Shows the file that another process has finished.
    func showWhole(_ location: DownloadLocation, _ core: inout Core) -> DownloadStateMachine.Event {
        do throws(SystemError) {
            let (file, holding) = try PartialFile.whole(
                location, url: url, after: core.followed?.file, calls: calls)
            core.followed = nil
            core.source = core.source.show(file, total: holding.entity.total)
            _ = try readPromise(of: file, &core)
            return .finishedElsewhere(holding)
        } catch {
            return .storageFailed(error.whileOpening)
        }
    }
}
