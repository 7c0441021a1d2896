// SPDX-License-Identifier: GPL-3.0-or-later

/// Measures the present silence. Time in which the listener has paused does not count. A pure value.
struct SilenceClock {
    private(set) var silence: BufferingPolicy.Silence?
    private var counted = Duration.zero

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
        let before = silence?.waiting == waiting ? silence?.waited : nil
        let passed = before == nil || isPaused ? .zero : now - counted
        silence = BufferingPolicy.Silence(waiting, waited: (before ?? .zero) + passed, stalls: stalls)
    }
}
