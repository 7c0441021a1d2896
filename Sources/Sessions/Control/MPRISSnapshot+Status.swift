// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import DesktopBus
import Media
import Playback
import TerminalInterface

extension MPRISSnapshot {
    /// Creates the state that the desktop shows.
    /// - Parameters:
    ///   - jumps: the number of completed seeks and repetitions.
    ///   - now: the monotonic time of the status.
    ///   - resumes: true if playback can start without an item.
    init(_ status: PlayerStatus, jumps: Int, at now: Duration, resumes: Bool) {
        self.init()
        item = status.item.map { MPRISItem($0, status.duration) }
        self.status = Status(status.activity)
        position = MPRISPosition(status.positionOrStart ?? .zero, at: now, rate: status.rate)
        isSettled = status.isSettled
        (self.jumps, speed, volume) = (jumps, status.sound.speed, status.volume)
        loop =
            switch status.repeatMode {
            case .off: .off
            case .one: .one
            case .all: .all
            }
        (canNext, canPrevious, canPlay) = (status.canNext, item != nil, item != nil || resumes)
    }
}

extension MPRISSnapshot.Status {
    fileprivate init(_ activity: PlayerStatus.Activity) {
        self =
            switch activity {
            case .playing, .loading, .buffering, .seeking: .playing
            case .paused, .connectionLost, .noDevice: .paused
            case .idle, .ended: .stopped
            }
    }
}

extension MPRISItem {
    fileprivate init(_ item: PlaybackItem, _ duration: MediaDuration) {
        self.init(player: 1, number: item.id + 1, title: PrintableText(item.title).text)
        podcast = item.podcast.map { PrintableText($0).text }
        address = item.location.hasPrefix("http") || item.location.hasPrefix("/") ? item.location : nil
        self.duration = duration.value
        if case .estimated = duration { isDurationEstimated = true }
    }
}

extension PlayerStatus {
    /// True if the position is audible, or will be as soon as playback resumes.
    fileprivate var isSettled: Bool {
        guard position != nil, !isSeeking else { return false }
        return switch activity {
        case .playing, .paused, .connectionLost, .noDevice, .ended: true
        case .idle, .loading, .buffering, .seeking: false
        }
    }
}
