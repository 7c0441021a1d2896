// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import AudioProcessing
import Media
import TrackReading

extension PlaybackLoop {
    /// Updates the status: at each change of activity, and every `statusInterval`.
    func publish() {
        let obstacle = output.outage?.reason ?? output.suspension.reason
        let activity = PlayerStatus.Activity(machine, outage: obstacle, loss: loss)
        let update = published.update(activity, at: now, every: options.statusInterval)
        guard update != .notDue || executed > 0 else { return }
        mailbox.status = status(activity)
        publishHeardTimes()
        if update == .change { emit(.activityChanged(activity)) }
        guard executed > 0 else { return }
        mailbox.playlist = queue
        mailbox.show(executed)
        commandExecuted()
    }

    /// Updates the status before an item or a position is announced, so that the status is not older than the event.
    func publishPosition() { mailbox.status = status(published.activity) }

    /// Announces that a command of the listener has no effect.
    func announceNoEffect(of command: PlayerCommand) { emit(.noEffect(command, status(published.activity))) }

    private func status(_ activity: PlayerStatus.Activity) -> PlayerStatus {
        let item = displayed
        let reader = item.flatMap { audio.reader(of: $0.id) }
        let track = reader?.timeline
        var downloadProgress = reader?.source.downloadProgress
        if let next = item.flatMap({ audio.item(of: $0.id) })?.crossing?.source.downloadProgress {
            // The new version arrives, but the lengths are those of the version that plays.
            downloadProgress?.condition = next.condition
            downloadProgress?.bytesPerSecond = next.bytesPerSecond
        }
        let last = lastStatus
        var status = PlayerStatus(
            activity: activity, item: item, itemNumber: item.flatMap { queue.position(of: $0.id) }.map { $0 + 1 } ?? 0,
            itemCount: queue.count, position: position, positionIsEstimated: positionIsEstimated,
            isSeeking: seeks.pending != nil, duration: last?.duration ?? duration(of: item, reader),
            buffered: last?.buffered ?? downloadProgress.flatMap { track?.buffered($0.extents) } ?? [],
            downloadProgress: downloadProgress ?? last?.downloadProgress,
            wait: stalls.shown, stallRisk: stallRisk, volume: output.volume, repeatMode: queue.repeatMode,
            sound: soundSettings, loudnessGain: audio.writer?.loudnessGain, sleep: sleep.countdown?.left,
            chapters: displayedChapters)
        status.skipped = skippedSpans
        status.anchor = positionAnchor
        status.awaitedSeeks = seeks.awaited(in: item?.id)
        status.seekOrigin = seeks.pending?.origin
        status.fadedItem = sleep.countdown?.fadedItem
        status.fadeReturns = fadeReturns
        status.soundChanges = audio.soundChanges
        status.isPaused = machine.intent == .pause
        status.standsStill = output.suspension.isSuspended
        if status.rate > 0 { status.forecast = forecast }
        return status
    }

    /// The positions of the frames that are read ahead; `nil` if the output does not play in real time.
    private var forecast: PositionForecast? {
        guard sink.isPaced, seeks.pending == nil, let current, let format = audio.ring?.format else { return nil }
        let (heard, made) = (sink.playedFrames, ContinuousClock.now)
        guard output.timeline.position(at: heard)?.generation == current.generation else { return nil }
        let next = output.timeline.lastPosition.flatMap { audio.writer?.runs(following: $0) } ?? []
        let points = output.timeline.waypoints(
            from: heard, frames: format.frames(in: Self.ringTime * 2), followedBy: next)
        return PositionForecast(points, format, openCurrent?.shownTimes ?? ShownTimes(), heard: heard, made: made)
    }

    /// Returns the best known duration: counted frames, then tags, then averages, then the expected duration.
    private func duration(of item: PlaybackItem?, _ reader: ItemReader?) -> MediaDuration {
        if let duration = reader?.duration, duration != .unknown { return duration }
        return item?.expectedDuration.map { .estimated($0) } ?? .unknown
    }
}
