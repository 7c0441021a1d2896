// SPDX-License-Identifier: GPL-3.0-or-later

/// A place in an item, as people say it: `45:00`, `1:02:03`, `2700`, `75%`.
public enum TimeTarget: Sendable, Equatable {
    case time(Duration)
    /// A part of the whole, 0 ... 1.
    case fraction(Double)
}

/// Where a seek goes.
public enum SeekTarget: Sendable, Equatable {
    case absolute(TimeTarget)
    /// From the shown position: `+30`, `-10`.
    case relative(Duration)
}
