// SPDX-License-Identifier: GPL-3.0-or-later

/// The tracking of waits for bytes and of the stalls they cause. A pure value on the caller's clock.
struct StallTracker {
    private struct Stall {
        let item: PlaybackItem
        let began: Duration
    }

    /// The number of stalls of the current item.
    private(set) var count = 0
    private var clock = WaitClock()
    /// The expected duration of the present wait; `nil` while it is unknown.
    private var expected: Duration?
    private var stall: Stall?

    /// The present wait for a display; `nil` without a wait.
    var shown: PlayerStatus.Wait? { clock.wait.map { .init(waited: $0.waited, expected: expected) } }

    // MARK: Waits

    /// Updates the time waited.
    /// - Parameter waiting: the reason for the wait; `nil` while sound is playing.
    /// - Returns: the present wait.
    mutating func tick(
        _ waiting: BufferingPolicy.Waiting?, isPaused: Bool, at now: Duration
    ) -> BufferingPolicy.WaitState? {
        clock.tick(waiting, stalls: count, isPaused: isPaused, at: now)
        expected = nil
        return clock.wait
    }

    /// Estimates the rest of the present wait.
    /// - Parameter hasSound: true if frames are ready for the device.
    mutating func estimate(_ level: BufferLevel, hasSound: Bool) {
        let isDry = (level.isWhole || level.isStalled) && !hasSound
        expected = isDry ? nil : clock.wait.flatMap { BufferingPolicy.estimatedWait($0, level) }
    }

    /// Shortens the present wait at the listener's request.
    mutating func playNow() { clock.playNow() }

    /// Ends the present wait because sound may play.
    mutating func endWait() {
        if clock.wait?.waiting == .rebuffer { count += 1 }
        clock.reset()
    }

    /// Ends the present wait because of a seek or another item.
    mutating func cancelWait() { clock.reset() }

    // MARK: Stalls

    /// Starts the wait that a lack of bytes causes.
    mutating func beginRebuffering(isPaused: Bool, at now: Duration) {
        clock.tick(.rebuffer, stalls: count, isPaused: isPaused, at: now)
    }

    mutating func beginStall(of item: PlaybackItem, at now: Duration) { stall = Stall(item: item, began: now) }

    /// Ends the present stall.
    /// - Returns: its item and its duration; `nil` if there is none.
    mutating func endStall(at now: Duration) -> (item: PlaybackItem, lasted: Duration)? {
        stall.take().map { ($0.item, now - $0.began) }
    }

    /// Starts to count the stalls of another item.
    mutating func beginItem() { count = 0 }
}
