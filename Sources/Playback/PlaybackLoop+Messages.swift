// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Media

extension PlaybackLoop {
    /// How far into an item `previous` still means the item before.
    private static let previousLimit = Duration.seconds(3)

    func take(_ message: PlayerMessage) {
        switch message {
        case .append(let item): queue.append(item)
        case .closePlaylist: queue.close()
        case .play: perform(machine.handle(.played))
        case .pause: perform(machine.handle(.paused))
        case .togglePause: perform(machine.handle(machine.intent == .play ? .paused : .played))
        case .seek(let target): seek(to: target)
        case .next: next()
        case .previous: previous()
        case .volume(let value): setVolume(value)
        case .volumeStep(let step): setVolume(volume + step)
        case .sink(let event): take(event)
        case .stop: hasStopped = true
        }
    }

    private func take(_ event: AudioSinkEvent) {
        switch event {
        case .pulled: break
        case .starved: sinkIsShort = true
        case .drained: perform(machine.handle(.drained))
        case .lost(let error): loseOutput(error, .inputOutput)
        }
    }

    func loseOutput(_ error: AudioOutputError, _ kind: MediaFailure.Kind) {
        guard machine.phase != .outputLost else { return }
        perform(machine.handle(.outputLost))
        emit(.outputLost(error.mediaFailure(kind)))
    }

    private func setVolume(_ value: Double) {
        guard value.isFinite else { return }
        volume = max(0, min(1.5, value))
        output?.gain = volume
    }

    // MARK: Going elsewhere

    private func seek(to target: SeekTarget) {
        followDevice()
        guard let item = displayed, machine.phase != .outputLost else { return }
        let place = absolute(target)
        // An item heard to its end is closed: it begins once more.
        let isUnderWay = audio.reader(of: item.id) != nil
        if !isUnderWay { reopen(item) }
        guard audio.reader(of: item.id) != nil else { return }
        audio.seek(in: item.id, to: place, isAnnounced: isUnderWay && heard?.id == item.id)
        lastOpened = item.id
        landing = Landing(place: place, ordered: .now)
        perform(machine.handle(.sought))
    }

    private func absolute(_ target: SeekTarget) -> TimeTarget {
        switch target {
        case .absolute(let place): return place
        case .relative(let distance):
            let from = position ?? .zero
            return .time(max(.zero, from + distance))
        }
    }

    private func next() {
        guard let item = displayed, case .item(let next) = queue.successor(of: item.id) else { return }
        jump(to: next)
    }

    private func previous() {
        guard let item = displayed else { return }
        guard (position ?? .zero) <= Self.previousLimit, let before = queue.predecessor(of: item.id) else {
            return seek(to: .absolute(.time(.zero)))
        }
        jump(to: before)
    }

    private func jump(to item: PlaybackItem) {
        audio.closeAll()
        landing = nil
        heard = nil
        perform(machine.handle(.jumped))
        reopen(item)
    }

    private func reopen(_ item: PlaybackItem) {
        lastOpened = item.id
        open(item)
    }
}
