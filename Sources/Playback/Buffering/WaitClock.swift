// SPDX-License-Identifier: GPL-3.0-or-later

/// The clock of the present wait, without the time in which the listener has paused. A pure value.
struct WaitClock {
    private(set) var wait: BufferingPolicy.WaitState?
    private var counted = Duration.zero

    /// Shortens the present wait at the listener's request.
    mutating func playNow() { wait?.isHurried = true }

    /// Ends the present wait; the next tick may begin another.
    mutating func reset() { wait = nil }

    /// Updates the clock.
    /// - Parameters:
    ///   - waiting: the reason for the wait; `nil` while sound is playing.
    ///   - stalls: the number of earlier stalls of the item.
    mutating func tick(_ waiting: BufferingPolicy.Waiting?, stalls: Int, isPaused: Bool, at now: Duration) {
        defer { counted = now }
        guard let waiting else {
            wait = nil
            return
        }
        // A seek during a wait begins a new wait.
        guard var wait, wait.waiting == waiting else {
            wait = BufferingPolicy.WaitState(waiting, stalls: stalls)
            return
        }
        if !isPaused { wait.waited += now - counted }
        self.wait = wait
    }
}
