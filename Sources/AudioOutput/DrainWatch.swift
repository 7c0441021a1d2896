// SPDX-License-Identifier: GPL-3.0-or-later

/// Decides whether to wait further for an overdue drain. A pure value, queried every `interval`.
struct DrainWatch: Sendable, Equatable {
    static let interval: Duration = .milliseconds(250)
    /// The maximum number of checks without an answer from the device: 10 s. A stopped process resumes the count.
    static let mostSilentLooks = 40

    /// The state of the device at a check.
    enum DeviceState: Sendable, Equatable {
        /// The device consumes no frames and keeps those it has.
        case suspended
        /// The latest timing, `nil` if that is invalid, and the number of timings received so far.
        case timing(Playhead.Reading?, number: Int)
    }

    /// The number of timings at the last check.
    private var known: Int?
    private var silentLooks = 0
    private var queued: Int64?

    /// Decides whether to wait further.
    /// - Returns: False if the device answers and its queue does not shrink or is empty or invalid, or if the device
    ///   does not answer for too long.
    mutating func shouldWait(after word: DeviceState) -> Bool {
        guard case .timing(let reading, let number) = word else {
            self = DrainWatch()
            return true
        }
        // A timing from before the first check is not an answer to it.
        guard let known, number > known else {
            self.known = known ?? number
            silentLooks += 1
            return silentLooks <= Self.mostSilentLooks
        }
        (self.known, silentLooks) = (number, 0)
        guard let left = reading?.queued, left > 0 else { return false }
        defer { queued = left }
        return queued.map { left < $0 } ?? true
    }
}
