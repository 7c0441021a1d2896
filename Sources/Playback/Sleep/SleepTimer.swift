// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The time at which playback pauses for the night.
public enum SleepTimer: Sendable, Equatable {
    /// After this much played time. The sound fades out over the last 20 seconds, or the whole time if it is shorter.
    case after(Duration)
    /// After the last frame of the current item, or of the `count`th item from it on. The sound does not fade.
    case endOfItem(count: Int)
    /// After the last frame of the current chapter, or of the `count`th chapter from it on. The end of an item ends its
    /// last chapter, also if hidden chapters that are left out follow it, and an item without chapters is one chapter.
    /// The sound does not fade.
    case endOfChapter(count: Int)

    /// The next timer of a key that steps through the usual ones: 30 minutes, 60 minutes, end of the chapter, end of
    /// the item, off. After another time, the next longer one.
    /// - Parameter hasChapters: false to omit the end of the chapter.
    static func next(after timer: SleepTimer?, hasChapters: Bool) -> SleepTimer? {
        switch timer {
        case nil: .after(.seconds(1800))
        case .after(..<Duration.seconds(1800)): .after(.seconds(1800))
        case .after(..<Duration.seconds(3600)): .after(.seconds(3600))
        case .after: hasChapters ? .endOfChapter(count: 1) : .endOfItem(count: 1)
        case .endOfChapter: .endOfItem(count: 1)
        case .endOfItem: nil
        }
    }
}

/// A running sleep timer. A pure value: it counts played time and items.
struct SleepCountdown: Sendable, Equatable {
    /// The longest fade, and the gain at the end of each.
    private static let longestFade = Duration.seconds(20)
    private static let lowestGain = -40.0

    let timer: SleepTimer
    private(set) var remaining: Duration?
    private(set) var itemsLeft: Int?
    private(set) var chaptersLeft: Int?
    /// The position up to which chapters were counted.
    private var counted: (numbering: FrameNumbering, frame: Int64)?
    /// The place at which the fade began, and where playback resumes.
    private(set) var fadeStart: (item: PlaybackItem.ID, place: TimeTarget)?

    init(_ timer: SleepTimer) {
        self.timer = timer
        switch timer {
        case .after(let time): remaining = time
        case .endOfItem(let count): itemsLeft = max(1, count)
        case .endOfChapter(let count): chaptersLeft = max(1, count)
        }
    }

    /// The timer that is left.
    var left: SleepTimer? {
        remaining.map { .after($0) } ?? itemsLeft.map { .endOfItem(count: $0) }
            ?? chaptersLeft.map { .endOfChapter(count: $0) }
    }

    /// The duration of the fade. A shorter timer fades over its whole time, so that the sound does not drop suddenly.
    private var fade: Duration {
        guard case .after(let time) = timer else { return Self.longestFade }
        return min(time, Self.longestFade)
    }

    /// The time between two changes of the gain: 0.2 dB.
    private var step: Duration { fade / 200 }

    /// The number of steps of the fade that have begun.
    private func steps(at remaining: Duration) -> Int { Int(((fade - remaining) / step).rounded(.down)) }

    /// The played time until the fade begins, or until the next change of the gain; `nil` for a timer without a time.
    var timeToNextStep: Duration? {
        guard let remaining else { return nil }
        guard remaining <= fade else { return remaining - fade }
        return min(remaining, remaining - fade + step * (steps(at: remaining) + 1))
    }

    /// True if the sound fades.
    var isFading: Bool { remaining.map { $0 < fade } ?? false }

    /// The item in which the fade began; `nil` while the sound does not fade.
    var fadedItem: PlaybackItem.ID? { isFading ? fadeStart?.item : nil }

    /// The factor for the volume: it falls linearly in decibels during the fade.
    var gain: Double {
        guard let remaining, isFading else { return 1 }
        return pow(10, Self.lowestGain * Double(steps(at: remaining)) / 200 / 20)
    }

    /// Counts played time.
    /// - Returns: true if the time is over.
    mutating func played(_ time: Duration, in item: PlaybackItem.ID, at place: TimeTarget?) -> Bool {
        guard let before = remaining, before > .zero else { return false }
        // Less than a frame is left because durations are rounded.
        let after = before - time < .microseconds(10) ? .zero : before - time
        remaining = after
        // Before the first faded frame, the listener may still choose another place.
        if after <= fade, fadeStart == nil || after == fade, let place { fadeStart = (item, place) }
        return after == .zero
    }

    /// Moves the place at which the fade began to the same sound in another version of the item.
    mutating func move(_ item: PlaybackItem.ID, by change: VersionChange) {
        guard let start = fadeStart, start.item == item else { return }
        fadeStart = (item, start.place.moved(by: change.times, newLength: change.newLength))
    }

    /// Counts an item that was played to its end.
    /// - Parameter chapters: the number of its chapters that were not counted, without the last one.
    /// - Returns: true if it was the last one.
    mutating func itemEnded(_ chapters: Int = 0) -> Bool {
        if chaptersLeft != nil { return count(chapters + 1) }
        guard let left = itemsLeft else { return false }
        itemsLeft = left - 1
        return left <= 1
    }

    private mutating func count(_ chapters: Int) -> Bool {
        guard let left = chaptersLeft, chapters > 0, left > 0 else { return false }
        chaptersLeft = max(0, left - chapters)
        return left <= chapters
    }

    static func == (one: SleepCountdown, other: SleepCountdown) -> Bool {
        one.timer == other.timer && one.left == other.left
    }
}

/// The chapters up to the end of the timer. Only chapters that were played to their ends count, so a seek changes the
/// place of the end, not the number of chapters left.
extension SleepCountdown {
    /// Notes that the timer was armed at a position: chapters that ended before do not count.
    mutating func armed(at ends: ChapterEnds) { counted = (ends.numbering, ends.position) }

    /// Counts the chapters that have ended since the last call.
    /// - Returns: true if the last one has ended.
    mutating func played(_ ends: ChapterEnds) -> Bool {
        let ended = uncounted(ends).count { $0 <= ends.position }
        counted = (ends.numbering, max(ends.position, place(ends)))
        return count(ended)
    }

    /// Returns the ends after the position last counted.
    func uncounted(_ ends: ChapterEnds) -> ArraySlice<Int64> {
        let place = place(ends)
        return ends.frames.drop { $0 <= place }
    }

    /// The position up to which the chapters of this generation were counted.
    private func place(_ ends: ChapterEnds) -> Int64 {
        counted.flatMap { ends.frame($0.frame, in: $0.numbering) } ?? ends.start
    }

    /// Returns the frame before which playback stops; `nil` if that is not inside the item.
    func hold(_ ends: ChapterEnds) -> Int64? {
        guard let left = chaptersLeft, left > 0 else { return nil }
        return uncounted(ends).dropFirst(left - 1).first
    }

    /// Returns the number of items after which the timer ends; `nil` if that is not known yet.
    func items(_ ends: ChapterEnds?) -> Int? {
        guard let left = chaptersLeft else { return itemsLeft }
        return left <= (ends.map { uncounted($0).count } ?? 0) + 1 ? 1 : nil
    }
}
