// SPDX-License-Identifier: GPL-3.0-or-later

/// A position in an item as written by people: `45:00`, `1:02:03`, `2700`, `75%`.
public enum TimeTarget: Sendable, Equatable {
    case time(Duration)
    /// A fraction of the duration, 0 ... 1.
    case fraction(Double)
}

/// The target of a seek.
public enum SeekTarget: Sendable, Equatable {
    case absolute(TimeTarget)
    /// A distance from the displayed position: `+30`, `-10`.
    case relative(Duration)
}
