// SPDX-License-Identifier: GPL-3.0-or-later

/// The setting that states how much pauses in speech are shortened.
public enum SilenceTrimming: String, CaseIterable, Sendable {
    case off, mild, medium, strong
}

/// The lengths of pauses before and after shortening, in frames.
struct PauseRule: Sendable, Equatable {
    /// The length from which pauses are shortened.
    let shortest: Int
    /// The maximum length after shortening.
    let longest: Int
    /// The length that always remains.
    private let base: Int
    /// The part of the rest that remains, in percent.
    private let percent: Int

    /// Returns nil if pauses keep their lengths, as they do at rates that are too low for speech.
    init?(_ trimming: SilenceTrimming, rate: Int) {
        guard rate >= 4000 else { return nil }
        switch trimming {
        case .off: return nil
        case .mild: (shortest, longest, percent) = (rate / 2, rate, 50)
        case .medium: (shortest, longest, percent) = (rate * 2 / 5, rate * 3 / 5, 25)
        case .strong: (shortest, longest, percent) = (rate * 3 / 10, rate * 7 / 20, 10)
        }
        base = rate * 6 / 25
    }

    /// Returns the length after shortening of a pause that is at least `shortest` frames long. Longer pauses stay
    /// longer.
    func length(of pause: Int) -> Int { min(longest, base + (pause - base) * percent / 100) }
}
