// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Media
import TrackReading

/// The opening of the next items, and the changes of the playlist.
extension PlaybackLoop {
    // MARK: Opening

    /// Opens the next items as early as `GaplessHandover` requires.
    func openNext() {
        while needsNext, case .item(let item) = plan.successor(in: queue) {
            // A repeated item is opened again only after some of it was decoded.
            guard !audio.isUntried(item.id) else { return }
            open(plan.contains(item.id) ? item.startingOver : item)
        }
    }

    /// True if the item being read can spare the bandwidth that another one takes.
    private var isSafe: Bool { StallRisk.isSafe(bufferLevel, stalls: stalls.count) }

    private var needsNext: Bool {
        // After the end, playback restarts only at the listener's request.
        guard machine.phase != .ended, machine.phase != .outputLost, !sleepsBeforeNext else { return false }
        guard let item = audio.readingItem else { return true }
        // If it fails, the item before it follows.
        if plan.isBackward, !item.frames.hasBegun { return false }
        return GaplessHandover.opensNext(
            current: item.reader.source.downloadProgress, isSafe: isSafe,
            remaining: remaining(of: item), ahead: audio.openedAhead.map { length(of: $0) })
    }

    /// Returns the time from the next frame for the device to the end of the item being read, if it is known.
    private func remaining(of item: OpenItem) -> Duration? {
        guard let length = length(of: item) else { return nil }
        guard let format = audio.ring?.format, let next = item.frames.next else { return length }
        let place = format.duration(ofFrames: next) + item.reader.correction.time
        let read = place - time(of: item.reader.start, in: item, or: .zero)
        return audio.bufferedTime + max(.zero, length - read)
    }

    /// Returns the playing time of an item: that of its bytes, else the expected one.
    private func length(of item: OpenItem) -> Duration? {
        guard let whole = item.reader.timeline?.duration.value ?? item.item.expectedDuration else { return nil }
        let start = time(of: item.reader.start, in: item, or: .zero)
        return max(.zero, min(whole, time(of: item.item.end, in: item, or: whole)) - start)
    }

    private func time(of target: TimeTarget?, in item: OpenItem, or other: Duration) -> Duration {
        target.flatMap { item.reader.timeline?.time(of: $0) } ?? other
    }

    /// Opens an item.
    /// - Returns: the generation of its frames; `nil` if it cannot be opened, which is reported as an event.
    @discardableResult
    func open(_ item: PlaybackItem) -> UInt32? {
        do throws(MediaFailure) {
            let source = try source(of: item)
            let reader = ItemReader(item: item, source: source) { item.source?.keptIndex() }
            let generation = audio.open(reader)
            plan.opened(item.id, generation: generation)
            perform(machine.handle(.opened))
            return generation
        } catch {
            plan.failedToOpen(item.id)
            starts.failed()
            if displayed == nil { seeks.removeDeferred() }
            emit(.itemFailed(item, error))
            return nil
        }
    }

    /// Returns the source of an item. A repeated item is read twice from one source.
    private func source(of item: PlaybackItem) throws(MediaFailure) -> any ByteSource {
        if let reader = audio.reader(of: item.id) { return reader.source }
        let source = try item.open()
        source.onChange { [weak mailbox] in mailbox?.wakeForBytes() }
        // A paused player looks for chapters for a few seconds only.
        item.source?.onNewChapters { [weak mailbox] in mailbox?.wake() }
        return source
    }

    // MARK: Changing

    func append(_ item: PlaybackItem) {
        edit { queue, _ in queue.append(item) }
        if machine.phase == .ended { jump(to: item, isChosen: false) }
    }

    func insert(_ item: PlaybackItem, after place: PlaybackItem.ID?) {
        edit { queue, displayed in queue.insert(item, after: place ?? displayed) }
        if machine.phase == .ended { jump(to: item) }
    }

    /// Plays an item before the displayed one, which follows it from its place unless it was played to its end or is
    /// replaced.
    func interrupt(with item: PlaybackItem) {
        followDevice()
        let follows = openDisplayed != nil && !replacesDisplayed(item)
        let (left, place) = (follows ? displayed?.id : nil, self.place)
        edit { queue, displayed in
            guard let left else { return queue.insert(item, after: displayed) }
            queue.insert(item, interrupting: left, at: place)
        }
        jump(to: item)
    }

    /// Returns true if an item is the displayed audio, and does not fail because it begins beyond the end.
    private func replacesDisplayed(_ item: PlaybackItem) -> Bool {
        guard let displayed, displayed.location == item.location, displayed.title == item.title else { return false }
        let duration = audio.reader(of: displayed.id)?.timeline?.duration
        switch duration {
        case .exact(let end), .declared(let end): return item.startPosition(within: duration).map { $0 < end } ?? true
        case .estimated, .unknown, nil: return true
        }
    }

    /// Changes the playlist, and discards frames that were read in the old order.
    /// - Parameter change: receives the displayed item.
    func edit(_ change: (inout PlaybackQueue, PlaybackItem.ID?) -> Void) {
        followDevice()
        let displayed = displayed?.id
        change(&queue, displayed)
        guard machine.phase != .ended, machine.phase != .outputLost else { return }
        if let displayed, !queue.contains(displayed) { return continuePlaylist(after: displayed) }
        plan.forget(before: current?.generation ?? audio.items.first?.generation)
        guard let wrong = plan.follow(queue) else { return }
        plan.drop(from: audio.splice(from: wrong))
        recallIfNeeded()
    }

    /// Leaves the current item for its successor on the playlist, if it has one.
    private func continuePlaylist(after id: PlaybackItem.ID) {
        if case .item(let item) = queue.successor(of: id) { return jump(to: item, isChosen: false) }
        audio.closeAll()
        plan.restart(at: id, generation: nil)
        leave()
    }

    // MARK: Recalling frames

    /// Handles the case that the device accepted frames that were spliced away later: discards those not yet played,
    /// and continues reading at the position being played.
    func recallIfNeeded() {
        guard output.timeline.holdsFrames(of: audio.generations.splicedAway) else { return }
        // Playback stops while the position is determined.
        sink.cork()
        followDevice()
        guard let current else { return recallFirst() }
        let place = output.timeline.position(at: sink.playedFrames)
        let wanted = self.place
        let isGivenUp = audio.generations.splicedAway.contains(current.generation)
        let isWanted = isGivenUp && queue.contains(current.item.id)
        let open = isWanted ? self.open(current.item) : openCurrent?.generation
        guard let open, let place, let format = audio.ring?.format, place.generation == current.generation else {
            return continuePlaylist(after: current.item.id)
        }
        if isGivenUp { self.current?.generation = open }
        let target = wanted ?? .time(format.duration(ofFrames: place.sourceFrame))
        startPlayback(in: current.item, open, .init(target: target))
    }

    /// Restarts the first item, of which the device has not yet played any frame.
    private func recallFirst() {
        guard let first = audio.items.first else { return leave() }
        if let seek = seeks.pending { return startPlayback(in: first.item, first.generation, seek) }
        plan.restart(at: first.item.id, generation: audio.restart(first.generation, as: first.item))
        leave()
    }

    /// Clears the current item if it is over and the next one is not available; the next one is shown from now on.
    func awaitItem() {
        followDevice()
        if openCurrent == nil { current = nil }
    }
}
