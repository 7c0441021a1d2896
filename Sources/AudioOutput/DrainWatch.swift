// SPDX-License-Identifier: GPL-3.0-or-later

/// Whether a drain whose end was not told in time may still be waited for. A pure value, asked every `interval`.
struct DrainWatch: Sendable, Equatable {
    static let interval: Duration = .milliseconds(250)
    /// Looks at a device that says nothing at all: 10 s. A process that is stopped goes on where it was.
    static let mostSilentLooks = 40

    /// What is known of the device by now.
    enum Word: Sendable, Equatable {
        /// It takes nothing, and keeps what it has.
        case suspended
        /// Its latest timing, `nil` where that is not to be trusted, and how many came so far.
        case timing(Playhead.Reading?, number: Int)
    }

    /// How many timings there were when it was last looked.
    private var known: Int?
    private var silentLooks = 0
    private var queued: Int64?

    /// - Returns: false when the device answers and what it was given does not get less, or has gone; or when it does
    ///   not answer for too long.
    mutating func goesOn(after word: Word) -> Bool {
        guard case .timing(let reading, let number) = word else {
            self = DrainWatch()
            return true
        }
        // What was known before the first look is no answer to it.
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
