// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import TerminalInterface

extension PlayerCommand {
    /// Returns the reason why the command would have no effect; `nil` if it has one, as far as that is known before it
    /// is executed.
    /// - Parameters:
    ///   - awaited: the items of the last request to play. Until the playlist has the first one, the status is that of
    ///     the item before.
    ///   - isOlder: true if the player has not executed all earlier commands: one of them may give this one an effect.
    func problem(
        _ status: PlayerStatus, _ playlist: PlaybackQueue, awaiting awaited: [PlaybackItem.ID] = [],
        isOlder: Bool = false
    ) -> String? {
        let isAwaiting = awaited.first.map { playlist.item($0) == nil } ?? false
        return switch self {
        case .next where isAwaiting && awaited.count > 1: nil
        case .chapter where status.hasNotStarted && status.chapters == nil,
            .next where status.hasNotStarted && !status.canNext && !isOlder,
            .mark where status.item != nil && status.position == nil:
            "playback has not started yet"
        case _ where isAwaiting || isOlder: nil
        case .chapter: ChapterText.problem(self, status)
        case .next where !status.canNext: "there is no next item"
        case .previous where status.item == nil: "nothing is playing"
        case .playNow where status.wait == nil: "playback is not waiting"
        case .seek(let target): Self.problem(ofSeekTo: target, status)
        // Of all items, those of the library keep their places.
        case .mark where status.item?.keepsPlace == false: BookmarkWriter.onlyEpisodes
        case .remove(let item) where !playlist.contains(item), .move(let item, _) where !playlist.contains(item):
            "the playlist has no item\(item.number.map { " #\($0)" } ?? " of this number")"
        default: nil
        }
    }

    private static func problem(ofSeekTo target: SeekTarget, _ status: PlayerStatus) -> String? {
        guard case .exact(let end) = status.duration else { return nil }
        let time: Duration? =
            switch target {
            case .absolute(.time(let time)), .absolute(.estimated(let time, _)): time
            case .absolute(.fraction(let fraction)): end * fraction
            case .relative(let distance): status.position.map { $0.moved(by: distance, without: status.skipped) }
            }
        guard let time, time >= end else { return nil }
        return MediaFailure(beyond: time, status.duration, .stayed).reason
    }

    /// The reason why the player refused the command.
    var refusal: String {
        switch self {
        case .chime: "cannot play a chime now: nothing is playing, or too many chimes are playing"
        case .mark: "cannot bookmark now: nothing is playing"
        default: "playback has ended"
        }
    }
}

extension ItemChoice {
    /// The position on the playlist, from 1.
    fileprivate var number: Int? { if case .position(let place) = self { place + 1 } else { nil } }
}

extension PlayerStatus {
    /// True before the first sound, when neither the next item nor the chapters need be known yet.
    fileprivate var hasNotStarted: Bool {
        switch activity {
        case .idle, .loading: position == nil
        case .buffering, .seeking, .playing, .paused, .ended, .connectionLost, .noDevice: false
        }
    }
}
