// SPDX-License-Identifier: GPL-3.0-or-later

/// The clock of the present wait, without the time in which the listener has paused. A pure value.
struct SilenceClock {
    private(set) var silence: BufferingPolicy.Silence?
    private var counted = Duration.zero

    /// Shortens the present wait at the listener's request.
    mutating func hurry() { silence?.isHurried = true }

    /// Ends the present wait; the next tick may begin another.
    mutating func reset() { silence = nil }

    /// Updates the clock.
    /// - Parameters:
    ///   - waiting: the reason for the wait; `nil` while sound is playing.
    ///   - stalls: the number of earlier stalls of the item.
    mutating func tick(_ waiting: BufferingPolicy.Waiting?, stalls: Int, isPaused: Bool, at now: Duration) {
        defer { counted = now }
        guard let waiting else {
            silence = nil
            return
        }
        // A seek during a wait begins a new wait.
        guard var silence, silence.waiting == waiting else {
            silence = BufferingPolicy.Silence(waiting, stalls: stalls)
            return
        }
        if !isPaused { silence.waited += now - counted }
        self.silence = silence
    }
}
