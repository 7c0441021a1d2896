// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Logging
import Media

extension PlaybackLoop {
    /// Performs the actions of the state machine in order.
    func perform(_ actions: [PlayerStateMachine.Action]) {
        hasActed = hasActed || !actions.isEmpty
        for action in actions {
            logger.trace("player", metadata: ["phase": "\(machine.phase)", "action": "\(action)"])
            switch action {
            case .openOutput: openOutput()
            case .cork: sink.cork()
            case .uncork: sink.uncork()
            case .flush: flush()
            case .drain: sink.drain()
            case .beginStall: beginStall()
            case .endStall: endStall()
            case .announceLoss: announceLoss()
            case .announceEnd:
                followDevice()
                emit(.ended)
            case .awaitItem: awaitItem()
            }
        }
    }

    private func openOutput() {
        guard audio.ring == nil, let wanted = outputFormat else { return }
        let format = AudioFormat(sampleRate: wanted.sampleRate, channels: options.outputChannels ?? wanted.channels)
        let ring = PCMRing(format: format, capacity: Int(format.frames(in: Self.ringTime)))
        let output = VolumeControl(ring, format: format, gain: volume)
        do throws(AudioOutputError) {
            let played = options.chimes?.overlay(on: output, format) ?? output
            try sink.open(format, pulling: played, events: Self.listener(mailbox, ring))
            audio.attach(ring)
            self.output = output
        } catch {
            loseOutput(error, .cannotCreate)
        }
    }

    /// Discards the frames that were not played yet, in the device and in the timeline.
    private func flush() {
        sink.flush()
        sinkIsShort = false
        followDevice()
        timeline.discard(before: audio.generations.oldest, from: sink.playedFrames)
        // An item that is read again fails again.
        failures = [:]
    }

    // MARK: Playback position

    /// Updates the timeline with the frames that the device accepted, and announces those played since.
    func followDevice() {
        // A mark without frames of a spliced item belongs to nothing that is played.
        while let run = audio.ring?.nextRendered() {
            if run.run.frames > 0 || !audio.generations.splicedAway.contains(run.run.generation) {
                timeline.append(run)
            }
        }
        let heardFrames = sink.playedFrames
        for announcement in timeline.advance(toHeard: heardFrames) { announce(announcement) }
        if let item = currentItem, let place = timeline.place(at: heardFrames),
            place.generation >= audio.generations.oldest
        {
            announceSeekResult(in: item)
        }
    }

    /// Reports that the target of the last seek is played, or that the item ended before it.
    func announceSeekResult(in item: PlaybackItem) {
        guard let order = landing else { return }
        landing = nil
        guard let ordered = order.ordered else { return }
        let place = position ?? time(of: order.place) ?? .zero
        publishPlace()
        emit(.seekLanded(item, at: place, isEstimated: positionIsEstimated, waited: now - ordered))
    }

    private func announce(_ announcement: RenderedTimeline.Announcement) {
        switch announcement {
        case .firstHeard(let id, let generation):
            guard let item = queue.item(id) else { return }
            if item.id != currentItem?.id { stalls = 0 }
            (currentItem, currentGeneration) = (item, generation)
            plan.forget(before: generation)
            publishPlace()
            emit(.itemStarted(item))
        case .lastHeard(let id, let generation):
            guard let item = queue.item(id) else { return }
            if generation >= audio.generations.oldest { announceSeekResult(in: item) }
            emit(failure(of: generation).map { .itemFailed(item, $0) } ?? .itemEnded(item))
            audio.release(generation)
        }
    }

    /// Returns the reason why an item was not played completely.
    private func failure(of generation: UInt32) -> MediaFailure? {
        if let failure = failures.removeValue(forKey: generation) { return failure }
        guard let reader = audio.item(generation: generation)?.reader, reader.item.end == nil else { return nil }
        return reader.timeline?.shortfall ?? reader.possibleTruncation
    }

    /// The position being played, or the target of a seek that has not landed; `nil` if neither is known.
    var position: Duration? {
        if let landing { return time(of: landing.place) }
        guard let format = audio.ring?.format, let place = timeline.place(at: sink.playedFrames),
            place.item == currentItem?.id, place.generation >= audio.generations.oldest
        else { return nil }
        let time = format.duration(ofFrames: place.sourceFrame + place.framesBeyond)
        guard let reader = audio.item(generation: place.generation)?.reader else { return time }
        return max(.zero, time + reader.correction.time)
    }

    /// True if the sound being played follows bytes that are not yet available, so that its position is an estimate.
    var positionIsEstimated: Bool {
        currentGeneration.flatMap(audio.item(generation:))?.reader.correction.isUnknown ?? false
    }

    private func time(of target: TimeTarget) -> Duration? {
        let duration = displayed.flatMap { audio.reader(of: $0.id)?.timeline?.duration }
        switch (target, duration) {
        // A time beyond the end becomes the end, unless the end is only an estimate.
        case (.time(let time), .exact(let end)), (.time(let time), .declared(let end)): return min(time, end)
        case (.time(let time), _): return time
        case (.fraction(let part), _): return duration?.value.map { $0 * max(0, min(1, part)) }
        }
    }

    /// The item that a display shows and commands apply to: the current one, or the first one opened.
    var displayed: PlaybackItem? { currentItem ?? audio.readers.first?.item }

    // MARK: Stalls

    private func beginStall() {
        clock.tick(.rebuffer, stalls: stalls, isPaused: machine.intent == .pause, at: now)
        guard let item = currentItem, let position else { return }
        stall = (item, now)
        emit(.stallBegan(item, at: position))
    }

    private func announceLoss() {
        guard let loss, let item = displayed else { return }
        emit(.connectionLost(item, at: position, loss))
    }

    private func endStall() {
        guard let (item, began) = stall else { return }
        stall = nil
        emit(.stallEnded(item, lasted: now - began))
    }
}
