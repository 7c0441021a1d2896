// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Media

extension PlaybackLoop {
    /// The maximum position at which `previous` goes to the previous item.
    private static let previousLimit = Duration.seconds(3)

    func handle(_ message: PlayerMessage) {
        switch message {
        case .edit(let edit): apply(edit)
        case .play: perform(machine.handle(.played))
        case .pause: perform(machine.handle(.paused))
        case .togglePause: perform(machine.handle(machine.intent == .play ? .paused : .played))
        case .seek(let target): seek(to: target)
        case .next: next()
        case .previous: previous()
        case .retry: for source in audio.items.flatMap(\.sources) { source.retry() }
        case .playNow: clock.playNow()
        case .volume(let value): setVolume(value)
        case .volumeStep(let step): setVolume(volume + step)
        case .sink(let event): handle(event)
        // The output may have been opened in the meantime.
        case .noOutput(let error): if output == nil { loseOutput(error, .cannotCreate) }
        case .outputAttempted(let number, let error): handleOutputAttempt(number, error)
        case .stop: hasStopped = true
        }
    }

    private func handle(_ event: AudioSinkEvent) {
        switch event {
        case .pulled: break
        case .starved: sinkIsShort = true
        case .drained:
            // If frames were written meanwhile, the device ran short of those too.
            sinkIsShort = true
            perform(machine.handle(.drained))
        case .unplugged: pauseAutomatically("the sound device was unplugged")
        case .lost(let error): loseOutput(error, .inputOutput)
        }
    }

    private func setVolume(_ value: Double) {
        guard value.isFinite else { return }
        volume = max(0, min(1.5, value))
        output?.gain = volume
    }

    // MARK: Seeks and jumps

    private func seek(to target: SeekTarget) {
        followDevice()
        guard let item = displayed, machine.phase != .outputLost else { return }
        let place = absolute(target)
        guard let open = openDisplayed else {
            // A completely played item is closed, so it is opened again.
            if let open = open(item) { startPlayback(in: item, open, at: place, ordered: now) }
            return
        }
        guard !refuses(place, in: item, open) else { return }
        startPlayback(in: item, open, at: place, ordered: now, origin: landing.map(\.origin) ?? position)
    }

    /// The generation of the displayed item, unless it was played to its end.
    private var openDisplayed: UInt32? {
        guard currentItem != nil else { return audio.items.first?.generation }
        return currentGeneration.flatMap(audio.item(generation:))?.generation
    }

    /// Continues in the open item `generation` at `place`, and closes all other items.
    /// - Parameters:
    ///   - ordered: the time of the listener's request; `nil` for a seek that the player made.
    ///   - origin: the position to return to if the target lies beyond the end.
    func startPlayback(
        in item: PlaybackItem, _ generation: UInt32, at place: TimeTarget, ordered: Duration? = nil,
        origin: Duration? = nil
    ) {
        let isAnnounced = currentItem != nil && generation == currentGeneration
        let new = audio.seek(in: generation, to: place, isAnnounced: isAnnounced)
        if isAnnounced { currentGeneration = new }
        plan.restart(at: item.id, generation: new)
        landing = Landing(place: place, ordered: ordered, origin: origin)
        clock.reset()
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
        guard let item = displayed, case .item(let next) = queue.next(after: item.id) else { return }
        jump(to: next)
    }

    private func previous() {
        guard let item = displayed else { return }
        guard (position ?? .zero) <= Self.previousLimit, let before = queue.predecessor(of: item.id) else {
            return seek(to: .absolute(.time(.zero)))
        }
        jump(to: before)
    }

    /// Plays `item` from its start.
    func jump(to item: PlaybackItem) {
        // An item that was opened ahead keeps its download.
        let open = audio.item(of: item.id)
        if let open {
            let new = audio.seek(in: open.generation, to: item.start ?? .time(.zero), isAnnounced: false)
            plan.restart(at: item.id, generation: new)
        } else {
            audio.closeAll()
            plan.clear()
        }
        leave()
        if open == nil { self.open(item) }
    }

    /// Leaves the current item for another one.
    func leave() {
        landing = nil
        clock.reset()
        perform(machine.handle(.jumped))
        (currentItem, currentGeneration) = (nil, nil)
    }
}
