// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Logging
import Media

extension PlaybackLoop {
    /// Does what the machine says, in its order.
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

    /// The device forgets what was not heard; so do we.
    private func flush() {
        sink.flush()
        sinkIsShort = false
        followDevice()
        timeline.discard(before: audio.oldestGeneration, from: sink.heardFrames)
        // What is read again fails again.
        failures = [:]
    }

    // MARK: What is heard

    /// Follows the device: what it has taken, and what of that was heard by now.
    func followDevice() {
        // A mark alone of what was spliced away marks nothing that is heard.
        while let run = audio.ring?.nextRendered() {
            if run.run.frames > 0 || !audio.splicedAway.contains(run.run.generation) { timeline.append(run) }
        }
        let heardFrames = sink.heardFrames
        for announcement in timeline.advance(toHeard: heardFrames) { announce(announcement) }
        if let item = heard, let place = timeline.place(at: heardFrames), place.generation >= audio.oldestGeneration {
            tellLanding(in: item)
        }
    }

    /// What the last seek went for is heard, or the item ended before it.
    func tellLanding(in item: PlaybackItem) {
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
            if item.id != heard?.id { stalls = 0 }
            (heard, heardGeneration) = (item, generation)
            plan.forget(before: generation)
            publishPlace()
            emit(.itemStarted(item))
        case .lastHeard(let id, let generation):
            guard let item = queue.item(id) else { return }
            if generation >= audio.oldestGeneration { tellLanding(in: item) }
            emit(failure(of: generation).map { .itemFailed(item, $0) } ?? .itemEnded(item))
            audio.release(generation)
        }
    }

    /// Why what was heard of an item was not all of it.
    private func failure(of generation: UInt32) -> MediaFailure? {
        if let failure = failures.removeValue(forKey: generation) { return failure }
        guard let reader = audio.item(generation: generation)?.reader, reader.item.end == nil else { return nil }
        return reader.timeline?.shortfall ?? reader.doubt
    }

    /// The time heard, or about to be heard where a seek has not landed; `nil` where neither can be told.
    var position: Duration? {
        if let landing { return time(of: landing.place) }
        guard let format = audio.ring?.format, let place = timeline.place(at: sink.heardFrames),
            place.item == heard?.id, place.generation >= audio.oldestGeneration
        else { return nil }
        let time = format.duration(ofFrames: place.sourceFrame + place.framesBeyond)
        guard let reader = audio.item(generation: place.generation)?.reader else { return time }
        return max(.zero, time + reader.correction.time)
    }

    /// What is played lies behind bytes that have not arrived: how far in it is can only be estimated.
    var positionIsEstimated: Bool {
        heardGeneration.flatMap(audio.item(generation:))?.reader.correction.isUnknown ?? false
    }

    private func time(of target: TimeTarget) -> Duration? {
        let duration = displayed.flatMap { audio.reader(of: $0.id)?.timeline?.duration }
        switch (target, duration) {
        // Beyond the end is the end, where that is no mere estimate.
        case (.time(let time), .exact(let end)), (.time(let time), .declared(let end)): return min(time, end)
        case (.time(let time), _): return time
        case (.fraction(let part), _): return duration?.value.map { $0 * max(0, min(1, part)) }
        }
    }

    /// The item a display shows, and a listener means: the one heard, else the first one opened.
    var displayed: PlaybackItem? { heard ?? audio.readers.first?.item }

    // MARK: Stalls

    private func beginStall() {
        clock.tick(.rebuffer, stalls: stalls, isPaused: machine.intent == .pause, at: now)
        guard let item = heard, let position else { return }
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
