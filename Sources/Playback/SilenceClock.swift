// SPDX-License-Identifier: GPL-3.0-or-later

/// Measures the present silence. Time in which the listener has paused does not count. A pure value.
struct SilenceClock {
    private(set) var silence: BufferingPolicy.Silence?
    private var counted = Duration.zero

    /// The listener would rather hear what is there.
    mutating func hurry() { silence?.isHurried = true }

    /// Another one begins.
    mutating func reset() { silence = nil }

    /// - Parameters:
    ///   - waiting: what for; `nil` while there is sound.
    ///   - stalls: how often the item has stalled before.
    mutating func tick(_ waiting: BufferingPolicy.Waiting?, stalls: Int, isPaused: Bool, at now: Duration) {
        defer { counted = now }
        guard let waiting else {
            silence = nil
            return
        }
        // A seek in a silence begins another one.
        guard var silence, silence.waiting == waiting else {
            silence = BufferingPolicy.Silence(waiting, stalls: stalls)
            return
        }
        if !isPaused { silence.waited += now - counted }
        self.silence = silence
    }
}
