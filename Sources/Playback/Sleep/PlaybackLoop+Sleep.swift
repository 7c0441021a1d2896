// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Media

/// The sleep timer of the player.
extension PlaybackLoop {
    /// The time after the end of a timer in which `play` arms it again.
    private static let rearming = Duration.seconds(600)

    /// Arms or disarms the timer.
    func setSleep(_ timer: SleepTimer?) {
        sleep = SleepState(timer.map(SleepCountdown.init), after: sink.playedFrames)
        if current != nil, seeks.pending == nil, let ends = chapterEnds { sleep.countdown?.armed(at: ends) }
        dropItemsAfterSleep()
        changeGain { $0.fade = 1 }
        publishPosition()
    }

    /// Gives a fading timer its whole time again: the listener is still awake. An ended one is armed again.
    func extendSleep(for command: PlayerCommand) {
        if let countdown = sleep.countdown, countdown.isFading { return setSleep(countdown.timer) }
        guard command == .play || command == .togglePause, let last = sleep.ended, now - last.at < Self.rearming
        else { return }
        setSleep(last.timer)
    }

    /// Counts the sound that was played since the last round, and pauses when the time is over.
    func countSleep() {
        guard sleep.countdown != nil else { return }
        countChapters()
        guard let item = current?.item, let format = audio.ring?.format else { return }
        let place = placeInVersion
        let time = sleep.countFrames(upTo: sink.playedFrames, format)
        let faded = sleep.countdown?.fadedItem
        let isOver = sleep.countdown?.played(time, in: item.id, at: place) ?? false
        // The status tells of the fade before the end of the item.
        if sleep.countdown?.fadedItem != faded { publishPosition() }
        output.fade = sleep.countdown?.gain ?? 1
        if isOver { fallAsleep() }
    }

    /// The position in the version that is read; the device may still play the one before it.
    private var placeInVersion: TimeTarget? {
        guard seeks.pending == nil, let open = openCurrent,
            let heard = output.timeline.position(at: sink.playedFrames), heard.generation == open.generation
        else { return place }
        return place.map { open.moved($0, by: open.frames.changes(since: heard.version)) }
    }

    /// Stops the frames for an output without a pace at the next change of the fade, so that the sound is the same each
    /// time however fast the output takes the frames.
    func limitFramesForSleep() {
        guard let writer = audio.writer else { return }
        guard !sink.isPaced, let step = sleep.countdown?.timeToNextStep else { return writer.allowance = nil }
        // The ring first: a frame that is pulled in between counts twice, and the next round corrects that.
        let buffered = Int64(writer.ring.bufferedFrames)
        let end = sleep.countedFrames + max(1, writer.ring.format.frames(in: step))
        writer.allowance = Int(max(0, end - buffered - sink.playedFrames))
    }

    /// Counts the chapters that were played to their ends.
    private func countChapters() {
        guard current != nil, seeks.pending == nil, sleep.countdown?.chaptersLeft != nil, let ends = chapterEnds else {
            return
        }
        if sleep.countdown?.played(ends) == true { return fallAsleep() }
        let limit = sleep.countdown?.items(ends)
        guard limit != sleep.itemLimit else { return }
        sleep.itemLimit = limit
        dropItemsAfterSleep()
    }

    /// Counts an item that was played to its end.
    /// - Parameter chapters: the number of its chapters that were not counted, without the last one.
    func countItemForSleep(_ chapters: Int) {
        if sleep.countdown?.itemEnded(chapters) == true { fallAsleep() }
    }

    /// True if the sleep timer ends before the item that would be opened next. The items that were played to their ends
    /// or have failed are closed, and count no more.
    var sleepsBeforeNext: Bool { itemsBeforeSleep.map { audio.items.count >= $0 } ?? false }

    private var itemsBeforeSleep: Int? { sleep.countdown?.items(chapterEnds) }

    /// Removes the items that were opened ahead although the timer ends before them.
    private func dropItemsAfterSleep() {
        guard let left = itemsBeforeSleep, let wrong = audio.items.dropFirst(left).first?.generation else { return }
        plan.drop(from: audio.splice(from: wrong))
        recallIfNeeded()
    }

    private func fallAsleep() {
        guard let countdown = sleep.countdown else { return }
        perform(machine.handle(.paused))
        if let start = countdown.fadeStart { resume(in: start.item, at: start.place) }
        sleep = SleepState(nil, after: sink.playedFrames, ended: (countdown.timer, now))
        output.fade = 1
        publishPosition()
        emit(.sleepTimerEnded(displayed))
    }

    /// Returns to the place where the fade began. An item that has ended since is opened again; if it cannot be, all of
    /// the current one was faded.
    private func resume(in id: PlaybackItem.ID, at place: TimeTarget) {
        guard let current else { return }
        let open = openCurrent
        fadeReturns += 1
        for item in sleep.faded { queue.restore(item) }
        if let open, current.item.id == id {
            startPlayback(in: current.item, open.generation, .init(target: place))
        } else if queue.contains(id), let item = queue.item(id), let generation = self.open(item) {
            if let open { queue.returned(from: open.item, begunAt: open.moved(open.reader.start)) }
            self.current = nil
            startPlayback(in: item, generation, .init(target: place))
        } else if let open {
            startPlayback(in: current.item, open.generation, .init(target: open.moved(open.reader.start)))
        }
    }
}

/// The sleep timer, and the last one that ended.
struct SleepState {
    var countdown: SleepCountdown?
    /// The number of frames that were played before the timer was armed.
    private let firstFrame: Int64
    /// The number of frames that were played before or counted.
    private(set) var countedFrames: Int64
    var ended: (timer: SleepTimer, at: Duration)?
    /// The number of items before the timer's end at the last count of chapters.
    var itemLimit: Int?
    /// The items that ended during the fade.
    var faded: [PlaybackItem] = []

    init(_ countdown: SleepCountdown? = nil, after firstFrame: Int64 = 0, ended: (SleepTimer, Duration)? = nil) {
        (self.countdown, self.firstFrame, countedFrames) = (countdown, firstFrame, firstFrame)
        self.ended = ended.map { ($0.0, $0.1) }
    }

    /// Counts played frames.
    /// - Returns: their duration; the sum of all results is that of all frames, however they are divided.
    mutating func countFrames(upTo played: Int64, _ format: AudioFormat) -> Duration {
        let before = format.duration(ofFrames: countedFrames - firstFrame)
        countedFrames = max(countedFrames, played)
        return format.duration(ofFrames: countedFrames - firstFrame) - before
    }
}
