// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Playback

// MARK: Without a player
extension SessionControl {
    /// Shows a player from now on.
    mutating func attach(_ player: Player) { (self.player, awaited) = (player, []) }

    /// Shows that nothing plays, or that the item waits for another player.
    /// - Parameter activity: `nil` if no other player has the item.
    mutating func detach(awaiting activity: PlayerStatus.Activity?) {
        guard player != nil else { return }
        // The player may not have got the item of the one before yet.
        let status = playerStatus
        (player, lastStarted, chosenVolume) = (nil, nil, activity == nil ? nil : status.volume)
        namedItems = []
        if let activity, status.item != nil {
            resting = status
            resting.activity = activity
        } else {
            rest(status)
        }
    }

    private mutating func rest(_ status: PlayerStatus) {
        resting = PlayerStatus(volume: status.volume, repeatMode: status.repeatMode)
        (episodes, authors, covers) = ([:], [:], [:])
    }

    var restingRepeatMode: RepeatMode { resting.repeatMode }

    /// Executes a command that needs no player, and replies.
    mutating func change(_ order: Order) {
        switch order.command {
        case .setVolume(let volume): setVolume(volume)
        case .changeVolume(let change): setVolume(resting.volume + change)
        case .setRepeat(let mode): resting.repeatMode = mode
        case .cycleRepeat: resting.repeatMode = resting.repeatMode.next
        default: return refuse(order)
        }
        finish(order, nil)
        update()
    }

    mutating func setVolume(_ volume: Double) {
        resting.volume = min(max(0, volume), 1.5)
        chosenVolume = resting.volume
    }

    /// Publishes that nothing plays.
    mutating func publishRest() {
        rest(resting)
        chosenVolume = nil
        publish(.activityChanged(.idle))
    }

    /// Forgets the resting status when the player has an item. Before, takes over the choices of the listener.
    mutating func updateResting() {
        guard let player else { return }
        let (isUpToDate, status) = (player.isUpToDate, player.status)
        if status.item != nil {
            resting = PlayerStatus()
        } else if isUpToDate, let item = resting.item {
            // A player that is not up to date may lack the choices that it begins with.
            (resting.sound, resting.sleep) = (status.soundChanges.applied(to: item.sound), status.sleep)
        }
    }

    /// Shows an item that the player may not have got yet, instead of none.
    mutating func showSoon(_ item: PlaybackItem) {
        guard let player, !player.isUpToDate, resting.item == nil else { return }
        let status = player.status
        guard status.item == nil else { return }
        resting = status
        (resting.item, resting.sound) = (item, status.soundChanges.applied(to: item.sound))
    }

    var playerStatus: PlayerStatus {
        guard let status = player?.status else { return resting }
        guard status.item == nil, resting.item != nil else { return status }
        var waiting = resting
        (waiting.volume, waiting.repeatMode) = (status.volume, status.repeatMode)
        (waiting.isPaused, waiting.activity) = (status.isPaused, .awaitingItem(isPaused: status.isPaused))
        return waiting
    }
}

extension PlayerStatus.Activity {
    /// Returns the activity to show until another player has the item.
    static func awaitingItem(isPaused: Bool) -> Self { isPaused ? .paused(waiting: true) : .loading }
}
