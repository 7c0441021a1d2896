// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Logging
import Media
import TrackReading

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
            case .discard: discardFrames()
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
        let control = VolumeControl(ring, format: format, gain: output.volume)
        do throws(AudioOutputError) {
            let played = options.chimes?.overlay(on: control, format) ?? control
            try sink.open(format, pulling: played, events: Self.listener(mailbox, ring))
            audio.attach(ring)
            output.open(control, pulling: played)
            output.timeline = RenderedTimeline(remembering: format.frames(in: Self.reaction))
        } catch {
            loseOutput(error, .cannotCreate)
        }
    }

    /// Discards the frames that were not played yet, in the device and in the timeline.
    private func discardFrames() {
        let next = sink.discard(fadingIn: audio.items.first?.leadIn?.fade ?? .zero)
        output.isStarved = false
        followDevice()
        output.timeline.discard(before: audio.generations.oldest, from: next)
        // An item that is read again fails again.
        failures = [:]
    }

    // MARK: Playback position

    /// Updates the timeline with the frames that the device accepted, and announces those played since.
    func followDevice() {
        takeRenderedRuns()
        let heardFrames = sink.playedFrames
        for announcement in output.timeline.advance(toHeard: heardFrames) { announce(announcement) }
        guard let place = output.timeline.position(at: heardFrames), place.generation >= audio.generations.oldest
        else { return }
        audio.writer?.forget(before: place)
        if let item = current?.item { announceSeekResult(in: item) }
    }

    /// The time until an item begins or ends or a seek lands, so that it is announced when it is heard; `nil` if the
    /// output stands still or does not play in real time, or nothing of that is near.
    var timeToBoundary: Duration? {
        guard sink.isPaced, machine.intent != .pause, let format = audio.ring?.format else { return nil }
        let shortest = Duration.milliseconds(10)
        switch machine.phase {
        case .rendering, .trailing, .finishing, .draining: break
        case .empty, .opening, .priming, .ended, .connectionLost, .outputLost: return nil
        }
        // The output has not taken the first frames yet.
        guard seeks.pending == nil, let last = output.timeline.lastPosition else { return shortest }
        let next = audio.writer?.runs(following: last) ?? []
        let frames = output.timeline.framesToBoundary(from: sink.playedFrames, followedBy: next)
        return frames.map { max(shortest, format.duration(ofFrames: $0)) }
    }

    /// Adds the frames that the device accepted to the timeline.
    func takeRenderedRuns() {
        // A mark without frames of a spliced item belongs to nothing that is played.
        while let run = audio.ring?.nextRendered() {
            if run.run.frames > 0 || !audio.generations.splicedAway.contains(run.run.generation) {
                output.timeline.append(run)
            }
        }
    }

    private func announce(_ announcement: RenderedTimeline.Announcement) {
        switch announcement {
        case .firstHeard(let id, let generation):
            guard let listed = queue.item(id) else { return }
            // Settings that changed since its first frames were read apply to the listed one.
            let item = audio.item(generation: generation)?.item ?? listed
            if item.id != current?.item.id { stalls.beginItem() }
            current = CurrentItem(item: item, generation: generation)
            queue.started(id)
            plan.isBackward = false
            plan.forget(before: generation)
            publishPosition()
            emit(.itemStarted(item))
        case .lastHeard(let id, let generation):
            guard let item = queue.item(id) else { return }
            if generation >= audio.generations.oldest { announceSeekResult(in: item) }
            // The item is closed now; its last status keeps the counted duration.
            if item.id == current?.item.id { publishPosition() }
            let failure = failure(of: generation)
            if sleep.countdown?.isFading == true { sleep.faded.append(item) }
            if failure == nil { queue.finished(id) }
            emit(failure.map { .itemFailed(item, $0) } ?? .itemEnded(item))
            let chapters = chapterEndsLeft(of: generation)
            audio.release(generation)
            countItemForSleep(chapters)
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
        if let seek = seeks.pending { return seek.target.position(within: displayedDuration) }
        if let position = lastStatus?.position { return position }
        guard let format = audio.ring?.format, let place = output.timeline.position(at: sink.playedFrames),
            place.item == current?.item.id, place.generation >= audio.generations.oldest
        else { return nil }
        let time = format.duration(ofFrames: place.sourceFrame)
        return (audio.item(generation: place.generation)?.shownTimes ?? ShownTimes()).position(at: time)
    }

    /// True if the sound being played follows bytes that are not yet available, so that its position is an estimate.
    var positionIsEstimated: Bool {
        if let seek = seeks.pending { return seek.target.isEstimated(within: displayedDuration) }
        return lastStatus?.positionIsEstimated ?? openCurrent?.reader.correction.isUnknown ?? false
    }

    /// The position as a target to return to.
    var place: TimeTarget? { position.map { TimeTarget($0, from: positionAnchor) } }

    /// The packet from which `position` counts, if it is an estimate.
    var positionAnchor: TimeAnchor? {
        if let seek = seeks.pending { return seek.target.anchor }
        return lastStatus.map(\.anchor) ?? openCurrent?.reader.anchor
    }

    /// The last status of the displayed item if it was played completely: its reader, which corrects times, is closed.
    var lastStatus: PlayerStatus? {
        guard let item = displayed, audio.reader(of: item.id) == nil, mailbox.status.item?.id == item.id
        else { return nil }
        return mailbox.status
    }

    /// The item that a display shows and commands apply to: the current one, or the first one opened.
    var displayed: PlaybackItem? { current?.item ?? audio.readers.first?.item }

    /// The duration of the displayed item as known from its bytes; `nil` before its first packet.
    var displayedDuration: MediaDuration? { displayed.flatMap { audio.reader(of: $0.id)?.timeline?.duration } }

    /// The current item, unless it was played to its end.
    var openCurrent: OpenItem? { current.flatMap { audio.item(generation: $0.generation) } }

    private func announceLoss() {
        guard let loss, let item = displayed else { return }
        emit(.connectionLost(item, at: position, loss))
    }
}
