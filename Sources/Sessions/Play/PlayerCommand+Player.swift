// SPDX-License-Identifier: GPL-3.0-or-later
import Playback
import TerminalInterface

extension PlayerCommand {
    /// Applies the command to the player; a chime sounds over the playing item.
    func execute(on player: Player, _ chimes: Chimes) {
        switch self {
        case .play: player.play()
        case .pause: player.pause()
        case .togglePause: player.togglePause()
        case .seek(let target): player.seek(to: target)
        case .next: player.next()
        case .previous: player.previous()
        case .retry: player.retry()
        case .setVolume(let volume): player.setVolume(volume)
        case .changeVolume(let step): player.changeVolume(by: step)
        case .remove(let index): player.removeItem(at: index)
        case .move(let index, let other): player.moveItem(at: index, to: other)
        case .setRepeat(let mode): player.setRepeat(mode)
        case .playNow: player.playNow()
        case .chime: chimes.ring()
        case .cycleRepeat: player.cycleRepeat()
        case .quit: player.stop()
        }
    }
}
