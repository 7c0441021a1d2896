// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import TerminalInterface

/// The ticks of a session: the moments at which it looks at the status.
extension PlaySession {
    /// Two looks are at least this far apart, also if the position is late for the start of a cue.
    private static let shortestInterval = Duration.milliseconds(10)

    /// Requests the tick that follows an event.
    func requestTick(after event: SessionEvent) {
        if needsTick {
            let cue = display.timeToNextCue(player.status).map { max(Self.shortestInterval, $0) }
            clock.tickSoon(after: min(tickInterval, cue ?? tickInterval))
        } else if case .person(.tick) = event {
            // At rest nothing changes without an event.
        } else {
            clock.tickOnce()
        }
    }

    /// Longer if nothing shows the status between two events: each tick costs about 0.2 ms of the processor.
    private var tickInterval: Duration {
        let isShown = !options.session.quiet || options.shown != nil || control?.ticks != nil
        return isShown ? SessionClock.interval : .milliseconds(500)
    }

    /// True if the status changes without an event: while sound plays, and while bytes arrive.
    private var needsTick: Bool {
        let status = player.status
        return switch status.activity {
        case .playing, .loading, .buffering, .seeking: true
        case .idle, .paused, .ended, .connectionLost, .noDevice:
            status.downloadProgress?.isOver == false || (outputTimeout.isWaiting && !isAttended)
        }
    }
}
