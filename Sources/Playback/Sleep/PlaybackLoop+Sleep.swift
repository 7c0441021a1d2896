// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The sleep timer of the player.
extension PlaybackLoop {
    /// The time after the end of a timer in which `play` arms it again.
    private static let rearming = Duration.seconds(600)

    /// Arms or disarms the timer.
    func setSleep(_ timer: SleepTimer?) {
        sleep = SleepState(timer.map(SleepCountdown.init), countedAt: now)
        output.fade = 1
        if current != nil, seeks.pending == nil, let ends = chapterEnds { sleep.countdown?.armed(at: ends) }
        dropItemsAfterSleep()
        publishPosition()
    }

    /// Gives a fading timer its whole time again: the listener is still awake. An ended one is armed again.
    func extendSleep(for command: PlayerCommand) {
        if let countdown = sleep.countdown, countdown.isFading { return setSleep(countdown.timer) }
        guard command == .play || command == .togglePause, let last = sleep.ended, now - last.at < Self.rearming
        else { return }
        setSleep(last.timer)
    }

    /// Counts the time since the last round if sound was played, and pauses when the time is over.
    func countSleep() {
        defer { sleep.countedAt = now }
        guard sleep.countdown != nil else { return }
        countChapters()
        guard machine.isSounding, let item = current?.item else { return }
        let (time, position) = (now - sleep.countedAt, position)
        let isOver = sleep.countdown?.played(time, in: item.id, at: position) ?? false
        output.fade = sleep.countdown?.gain ?? 1
        if isOver { fallAsleep() }
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

    /// True if the sleep timer ends before the item that would be opened next.
    var sleepsBeforeNext: Bool { itemsBeforeSleep.map { plan.steps.count >= $0 } ?? false }

    private var itemsBeforeSleep: Int? { sleep.countdown?.items(chapterEnds) }

    /// Removes the items that were opened ahead although the timer ends before them.
    private func dropItemsAfterSleep() {
        guard let left = itemsBeforeSleep else { return }
        plan.forget(before: current?.generation ?? audio.items.first?.generation)
        guard let wrong = plan.steps.dropFirst(left).lazy.compactMap(\.generation).first else { return }
        plan.drop(from: audio.splice(from: wrong))
        recallIfNeeded()
    }

    private func fallAsleep() {
        guard let countdown = sleep.countdown else { return }
        perform(machine.handle(.paused))
        if let start = countdown.fadeStart, let current, current.item.id == start.item, openCurrent != nil {
            startPlayback(in: current.item, current.generation, .init(target: .time(start.position)))
        }
        sleep = SleepState(nil, countedAt: now, ended: (countdown.timer, now))
        output.fade = 1
        emit(.sleepTimerEnded(displayed))
    }
}

/// The sleep timer, and the last one that ended.
struct SleepState {
    var countdown: SleepCountdown?
    /// The time of the round that last counted.
    var countedAt: Duration
    var ended: (timer: SleepTimer, at: Duration)?
    /// The number of items before the timer's end at the last count of chapters.
    var itemLimit: Int?

    init(_ countdown: SleepCountdown? = nil, countedAt: Duration = .zero, ended: (SleepTimer, Duration)? = nil) {
        (self.countdown, self.countedAt) = (countdown, countedAt)
        self.ended = ended.map { ($0.0, $0.1) }
    }
}
