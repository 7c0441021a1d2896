// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import ProgressiveDownload
import Subscriptions
import Synchronization

/// The locations at which enclosures are kept, with a record of the files for which a newer issue is being fetched.
final class EnclosureFolders: Sendable {
    private let folders: KeepFolders
    private let transport: any HTTPTransport
    /// The paths of kept files that a newer issue replaces.
    private let outdated = Mutex<Set<String>>([])

    /// The timeout if the kept file is probably right: a listener is waiting and the file can be played.
    private static let checkTimeout = Duration.seconds(2)
    /// The timeout if the feed indicates that the kept file is outdated.
    private static let longCheckTimeout = Duration.seconds(10)

    init(_ folders: KeepFolders, transport: any HTTPTransport) {
        self.folders = folders
        self.transport = transport
    }

    /// Checks that the chosen folder can be one, although nothing is stored there now.
    func checkChosen() throws(MediaFailure) { try folders.chosen?.checkKind() }

    /// Returns the location of the issue that is wanted now.
    func storageLocation(of enclosure: RemoteEnclosure) -> DownloadLocation {
        let kept = folders.location(forEnclosure: enclosure.keptAs, type: enclosure.type, in: enclosure.folder)
        let isReplaced = kept.replacement.presence == .complete
        let settled = kept.finalized()
        let isOutdated = outdated.withLock { outdated in
            if settled != kept || isReplaced { outdated.remove(kept.path) }
            return outdated.contains(settled.path)
        }
        return isOutdated ? settled.replacement : settled
    }

    /// The result of asking the server for a newer issue.
    enum FreshnessCheck: Equatable {
        /// The server confirmed that the kept file is current.
        case confirmed
        /// The server was not asked, or a newer issue is being fetched.
        case settled
        /// The feed has a newer issue, which cannot be fetched.
        case unreachable(MediaFailure)
    }

    /// Asks the server for a newer issue if the kept file may be outdated.
    func check(_ enclosure: RemoteEnclosure) async -> FreshnessCheck {
        guard enclosure.freshness != .known else { return .settled }
        let place = await DiskWork.run { () throws(Never) -> DownloadLocation in self.storageLocation(of: enclosure) }
        // A file in the trash is played as well.
        let kept = place.presence == .absent ? place.inTrash : place
        guard kept.presence != .absent, place == place.final else { return .settled }
        if kept.presence == .partial {
            if enclosure.freshness == .outdated { replace(place) }
            return .settled
        }
        let timeout = enclosure.freshness == .outdated ? Self.longCheckTimeout : Self.checkTimeout
        let check = KeptFileCheck(transport: transport, timeout: timeout)
        switch await check.check(enclosure.request, about: kept) {
        case .unchanged:
            await DiskWork.run { () throws(Never) -> Void in Self.discard(place.replacement) }
            return .confirmed
        case .changed: replace(place)
        case .unknown(let failure): if enclosure.freshness == .outdated { return .unreachable(failure) }
        }
        return .settled
    }

    /// Deletes a partial download of another issue, unless a process continues it or has completed it meanwhile. Errors
    /// are ignored: a leftover only costs disk space.
    private static func discard(_ place: DownloadLocation) {
        do throws(MediaFailure) {
            // In this order: a process completes the file while it has the lock.
            guard try !place.isBusy(), place.presence == .partial else { return }
            try place.erase()
        } catch {}
    }

    private func replace(_ place: DownloadLocation) { outdated.withLock { _ = $0.insert(place.path) } }
}
