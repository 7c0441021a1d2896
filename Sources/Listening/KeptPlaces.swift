// SPDX-License-Identifier: GPL-3.0-or-later
import HTTPTransfer
import Media
import ProgressiveDownload
import Synchronization

/// Where enclosures are kept, and for which of them a newer issue is being fetched.
final class KeptPlaces: Sendable {
    private let folders: KeepFolders
    private let transport: any HTTPTransport
    /// Paths of kept files that a newer issue replaces.
    private let outdated = Mutex<Set<String>>([])

    /// A listener waits for sound, and the stored file is there.
    private static let patience = Duration.seconds(2)
    /// The feed has said that the stored file is not what is wanted.
    private static let longPatience = Duration.seconds(10)

    init(_ folders: KeepFolders, transport: any HTTPTransport) {
        self.folders = folders
        self.transport = transport
    }

    /// Where the bytes of the issue are that is wanted now.
    func place(of enclosure: RemoteEnclosure) -> DownloadLocation {
        let kept = folders.location(forEnclosure: enclosure.keptAs, type: enclosure.type, in: enclosure.folder)
        let isReplaced = kept.replacement.presence == .complete
        let settled = kept.settled()
        let isOutdated = outdated.withLock { outdated in
            if settled != kept || isReplaced { outdated.remove(kept.path) }
            return outdated.contains(settled.path)
        }
        return isOutdated ? settled.replacement : settled
    }

    /// What asking the server for a newer issue has shown.
    enum Finding: Equatable {
        /// The kept file is the one that is wanted, as the server says.
        case confirmed
        /// It was not asked, or a newer issue is fetched.
        case settled
        /// The feed has a newer issue, which cannot be fetched.
        case unreachable(MediaFailure)
    }

    /// Asks the server for a newer issue, where the kept file may not be the one that is wanted.
    func check(_ enclosure: RemoteEnclosure) async -> Finding {
        guard enclosure.freshness != .known else { return .settled }
        let place = await DiskWork.run { () throws(Never) -> DownloadLocation in self.place(of: enclosure) }
        guard place.presence != .absent, place == place.final else { return .settled }
        if place.presence == .partial {
            if enclosure.freshness == .outdated { replace(place) }
            return .settled
        }
        let patience = enclosure.freshness == .outdated ? Self.longPatience : Self.patience
        let check = KeptFileCheck(transport: transport, patience: patience)
        switch await check.ask(enclosure.request, about: place) {
        case .unchanged:
            await DiskWork.run { () throws(Never) -> Void in Self.discard(place.replacement) }
            return .confirmed
        case .changed: replace(place)
        case .unknown(let failure): if enclosure.freshness == .outdated { return .unreachable(failure) }
        }
        return .settled
    }

    /// A part of another issue that stays costs room and nothing else.
    private static func discard(_ place: DownloadLocation) {
        guard place.presence != .absent else { return }
        do throws(MediaFailure) { try place.erase() } catch {}
    }

    private func replace(_ place: DownloadLocation) { outdated.withLock { _ = $0.insert(place.path) } }
}
