// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import AudioProcessing
import Media

/// The commands of the listener and the messages of the output.
extension PlaybackLoop {
    func handle(_ message: PlayerMessage) {
        switch message {
        case .command(let command): execute(command)
        case .sink(let event): handle(event)
        case .noOutput(let error): output.preparationError = error
        case .outputAttempted(let number, let error): outputAttempted(number, error)
        }
    }

    private func execute(_ command: PlayerCommand) {
        executed += 1
        if command.isOfListener { extendSleep(for: command) }
        switch command {
        case .play: play()
        case .pause: pause()
        case .togglePause: if machine.intent == .play { pause() } else { play() }
        case .seek(let target): seek(to: target)
        case .next: next()
        case .previous: previous()
        case .chapter(let choice): seek(toChapter: choice)
        case .retry: for source in audio.items.flatMap(\.sources) { source.retry() }
        case .playNow: stalls.playNow()
        case .setVolume(let value): changeGain { $0.setVolume(value) }
        case .changeVolume(let step): changeGain { $0.setVolume($0.volume + step) }
        case .setSpeed(let speed): setSpeed(speed)
        case .changeSpeed(let step): setSpeed(soundSettings.speed + step)
        case .changeSound(let changes): changeSound { $0.formUnion(changes) }
        case .changeSettings(let settings): change(settings)
        case .setSleep(let timer): setSleep(timer)
        case .cycleSleep: setSleep(.next(after: sleep.countdown?.timer, hasChapters: displayedChapters != nil))
        case .mark(let note): mark(note)
        case .chime: break  // `Player.send` starts it.
        case .stop: hasStopped = true
        case .append(let item): append(item)
        case .insert(let item, let place): insert(item, after: place)
        case .interrupt(let item): interrupt(with: item)
        case .closePlaylist: edit { queue, _ in queue.close() }
        case .remove(let choice): edit { queue, _ in queue.remove(choice) }
        case .move(let choice, let place): edit { queue, _ in queue.move(choice, to: place) }
        case .arrange(let items): edit { queue, _ in queue.arrange(items) }
        case .removeUpNext: edit { queue, displayed in queue.removeAll(after: displayed) }
        case .setRepeat(let mode): edit { queue, _ in queue.repeatMode = mode }
        case .cycleRepeat: edit { queue, _ in queue.repeatMode = queue.repeatMode.next }
        }
    }

    private func play() {
        if output.outage != nil {
            output.outage?.wantSound(at: now)
            sink.acceptAnyDevice()
        }
        rewindAfterPause()
        perform(machine.handle(.played))
    }

    func pause() {
        if machine.intent == .play { lastPause = displayed.map { (item: $0.id, at: now) } }
        perform(machine.handle(.paused))
    }

    /// Goes back as far as the item asks for, unless the listener has chosen another place since the pause.
    private func rewindAfterPause() {
        guard let pause = lastPause.take(), seeks.deferred.isEmpty, let item = displayed, item.id == pause.item,
            let position, openCurrent != nil,
            // The sleep timer would count the end of the chapter before again.
            sleep.countdown?.chaptersLeft == nil
        else { return }
        let distance = item.rewind.distance(after: now - pause.at)
        guard min(distance, position) > .zero else { return }
        let skipped = skippedSpans
        // After the hidden chapter that plays, its time counts like that of others.
        let spans = hiddenSpans.filter { $0.contains(position) || skipped.contains($0) }
        seek(to: .absolute(TimeTarget(position.rewound(by: distance, without: spans), from: positionAnchor)))
    }

    /// The time between a word and the mark of a listener who heard it.
    static let reaction = Duration.seconds(3)

    private func mark(_ note: String?) {
        followDevice()
        let before = heardBeforeSeek
        guard let item = displayed, let last = before ?? place, let end = last.position(within: displayedDuration)
        else { return }
        let isEstimated = last.anchor != nil || before == nil && positionIsEstimated
        // Nothing was heard after the target of a seek that waits.
        let start = seeks.pending != nil && before == nil ? end : max(.zero, end - timeOfReaction)
        emit(.marked(item, at: start, isEstimated: isEstimated, from: last.anchor, note: note))
    }

    /// The position that was heard before a seek that waits. In a pause, the listener marks the target, unless it is an
    /// estimate without a packet from which it counts.
    private var heardBeforeSeek: TimeTarget? {
        guard let seek = seeks.pending else { return nil }
        let isKnown = seek.target.anchor != nil || !seek.target.isEstimated(within: displayedDuration)
        return machine.intent == .pause && isKnown ? nil : seek.heard
    }

    /// The time of the item that was heard in the time of a reaction. It ends where the last seek landed.
    private var timeOfReaction: Duration {
        guard let format = audio.ring?.format else { return .zero }
        return format.duration(ofFrames: output.timeline.distance(ofLast: format.frames(in: Self.reaction)))
    }

    private func handle(_ event: AudioSinkEvent) {
        switch event {
        case .pulled: break
        case .starved: output.isStarved = true
        case .drained:
            // If frames were written meanwhile, the device ran short of those too.
            output.isStarved = true
            perform(machine.handle(.drained))
        case .unplugged where output.outage?.isSoundWanted == true: break
        case .unplugged: pauseAutomatically("the sound device was unplugged")
        case .lost(let error): loseOutput(error, .inputOutput)
        }
    }
}
