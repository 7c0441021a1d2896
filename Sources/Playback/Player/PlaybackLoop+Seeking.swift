// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import Media
import TrackReading

/// Seeks within an item and jumps to another one.
extension PlaybackLoop {
    /// The maximum position at which `previous` goes to the previous item.
    private static let previousLimit = Duration.seconds(3)

    // MARK: Seeks

    func seek(to target: SeekTarget) {
        followDevice()
        startSeek(to: target)
    }

    private func startSeek(to target: SeekTarget) {
        guard displayed != nil || machine.phase != .ended else { return }
        // After a loss of the output, another player may execute it.
        guard machine.phase != .outputLost, let item = displayed, !seeks.mustWait(target), let place = absolute(target)
        else { return seeks.defer(target, in: displayed?.id) }
        seeks.removeDeferred()
        guard let open = openDisplayed else {
            // A completely played item is closed, so it is opened again.
            if let open = open(item) { startPlayback(in: item, open, .init(target: place, requested: now)) }
            return
        }
        guard let isRefused = refuses(place, in: item, open) else {
            hasActed = true
            return seeks.defer(.absolute(place), in: item.id)
        }
        guard !isRefused else { return }
        // Before the first sound, a target beyond the end leads back to the start.
        let origin = seeks.origin(from: positionOrStart.map { TimeTarget($0, from: startAnchor) })
        startPlayback(in: item, open, .init(target: place, requested: now, origin: origin))
    }

    /// The generation of the displayed item, unless it was played to its end.
    var openDisplayed: UInt32? {
        current == nil ? audio.items.first?.generation : openCurrent?.generation
    }

    /// Continues in the open item `generation` at the target of `seek`, and closes all other items.
    func startPlayback(in item: PlaybackItem, _ generation: UInt32, _ seek: SeekTracker.Seek) {
        let (isAnnounced, heard) = (generation == current?.generation, place)
        // A start from silence is exact from its first sample, but another seek may have made the silence.
        let isFading = seeks.pending != nil && audio.item(generation: generation)?.leadIn != nil
        let fade = machine.playsDevice || isFading ? sink.longestFadeIn : .zero
        let new = audio.seek(in: generation, to: seek.target, fadingIn: fade, isAnnounced: isAnnounced)
        if isAnnounced { current?.generation = new }
        plan.restart(at: item.id, generation: new)
        seeks.begin(seek, after: heard)
        lastPause = nil
        stalls.cancelWait()
        perform(machine.handle(.sought))
    }

    /// Executes the seeks that came before their position, or the end of the item, was known.
    func seekDeferred() {
        guard !seeks.deferred.isEmpty else { return }
        followDevice()
        guard let item = displayed else { return }
        for target in seeks.removeDeferred(of: item.id) { startSeek(to: target) }
    }

    private func absolute(_ target: SeekTarget) -> TimeTarget? {
        switch target {
        case .absolute(let place): place
        case .relative(let distance):
            positionOrStart.map { TimeTarget(moved(by: distance, from: $0), from: startAnchor) }
        }
    }

    /// Returns the position in the displayed item at a distance from another one. Only the time that is played counts,
    /// and a distance does not lead into a span that is left out up to the end of the item.
    private func moved(by distance: Duration, from position: Duration) -> Duration {
        let spans = skippedSpans
        let place = position.moved(by: distance, without: spans)
        // A place beyond the end is refused.
        guard place < displayedDuration?.unlessEstimated ?? ItemChapters.never else { return place }
        let last = spans.first { $0.contains(place) }.map { $0.lowerBound - .milliseconds(1) }
        return max(.zero, last ?? place)
    }

    /// The position of the displayed item, or where its sound will start; `nil` if that depends on an unknown duration.
    var positionOrStart: Duration? {
        if let position { return position }
        return seeks.pending == nil ? displayed?.startPosition(within: displayedDuration) : nil
    }

    /// The packet from which `positionOrStart` counts, if it is an estimate.
    private var startAnchor: TimeAnchor? { position == nil ? displayed?.start?.anchor : positionAnchor }

    // MARK: Jumps

    func next() {
        guard let item = displayed, case .item(let next) = queue.next(after: item.id) else {
            return announceNoEffect(of: .next)
        }
        // A repeated item begins again, as it does at its end.
        jump(to: next.id == item.id ? next.startingOver : next)
    }

    func previous() {
        guard let item = displayed else { return }
        guard (position ?? .zero) <= Self.previousLimit, let before = queue.predecessor(of: item.id) else {
            return seek(to: .absolute(.time(.zero)))
        }
        jump(to: before)
        plan.isBackward = true
    }

    /// Plays `item` from its start.
    /// - Parameter isChosen: true if the listener chose the item.
    func jump(to item: PlaybackItem, isChosen: Bool = true) {
        // An item that was played to its end has no place to return to.
        if let left = displayed, left.id != item.id, openDisplayed != nil, let place {
            queue.left(left.id, at: place)
        }
        if displayed != nil { seeks.removeDeferred() }
        // An item that was opened ahead keeps its download.
        let open = audio.item(of: item.id)
        if let open {
            let new = audio.restart(open.generation, as: item)
            plan.restart(at: item.id, generation: new)
        } else {
            audio.closeAll()
            plan.clear()
        }
        leave()
        if isChosen { starts.choose() }
        if open == nil { self.open(item) }
    }

    /// Leaves the current item for another one.
    func leave() {
        seeks.end()
        lastPause = nil
        stalls.cancelWait()
        perform(machine.handle(.jumped))
        current = nil
    }

    // MARK: Results

    /// Reports that the target of the last seek is played, or that the item ended before it.
    func announceSeekResult(in item: PlaybackItem) {
        guard let seek = seeks.end(), let requested = seek.requested else { return }
        let place = position ?? seek.target.position(within: displayedDuration) ?? .zero
        publishPosition()
        emit(.seekLanded(item, at: place, isEstimated: positionIsEstimated, waited: now - requested))
    }
}

/// Targets beyond the end of an item: a seek to one does not mark the item as played.
extension PlaybackLoop {
    /// Rejects a target beyond the known end of an open item.
    /// - Returns: true if the item ends before the target; playback then stays where it is. `nil` if the next round
    ///   must search on.
    func refuses(_ place: TimeTarget, in item: PlaybackItem, _ generation: UInt32) -> Bool? {
        guard let reader = audio.item(generation: generation)?.reader else { return false }
        guard let isBeyondEnd = reader.ends(before: place) else { return nil }
        guard isBeyondEnd, let timeline = reader.timeline, let time = timeline.time(of: place) else { return false }
        report(.stayed, at: time, in: item, timeline)
        return true
    }

    /// Reports a target beyond the end of an item. Of a truncated one, the missing part is the reason.
    private func report(
        _ outcome: PlayerEvent.SeekPastEnd, at time: Duration, in item: PlaybackItem, _ timeline: (any TrackTimeline)?
    ) {
        switch (outcome, timeline?.shortfall(at: time)) {
        case (.stayed, let shortfall?): emit(.seekFailed(item, shortfall))
        case (.refused, let shortfall?): emit(.itemFailed(item, shortfall))
        case (.startedOver, _), (_, nil): emit(.beyondEnd(item, at: time, end: timeline?.duration ?? .unknown, outcome))
        }
    }

    /// Handles an item that turned out to end before the target.
    func returnFromSeekPastEnd(in item: PlaybackItem, _ generation: UInt32) {
        guard let open = audio.item(generation: generation) else { return }
        let (time, timeline) = (open.reader.requestedTime, open.reader.timeline)
        if open.isStartChosen, let origin = seeks.pending?.origin {
            report(.stayed, at: time, in: item, timeline)
            return startPlayback(in: item, generation, .init(target: origin))
        }
        // The saved position is kept if the sound there is missing.
        if !open.isStartChosen, item.isResumed, timeline?.shortfall(at: time) == nil {
            report(.startedOver, at: time, in: item, timeline)
            return open.seek(to: .time(.zero), as: generation, isAnnounced: false)
        }
        if open.isStartChosen { plan.succeeded() } else { plan.failed(generation) }
        audio.dropReading()
        seeks.end()
        report(open.isStartChosen ? .stayed : .refused, at: time, in: item, timeline)
    }
}
