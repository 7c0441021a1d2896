// SPDX-License-Identifier: GPL-3.0-or-later

/// A duration with its accuracy.
public enum MediaDuration: Sendable, Equatable {
    case unknown
    /// Computed from a mean bit rate, or declared by the feed.
    case estimated(Duration)
    /// Declared by the file's own tag (Xing, VBRI) and not contradicted so far.
    case declared(Duration)
    /// Counted from the audio of the file.
    case exact(Duration)

    /// The duration, with any accuracy; `nil` if unknown.
    public var value: Duration? {
        switch self {
        case .unknown: nil
        case .estimated(let value), .declared(let value), .exact(let value): value
        }
    }

    /// The word used in `--json`.
    public var quality: String {
        switch self {
        case .unknown: "unknown"
        case .estimated: "estimated"
        case .declared: "declared"
        case .exact: "exact"
        }
    }
}

/// A position in a track as written by people: `45:00`, `1:02:03`, `2700`, `75%`.
public enum TimeTarget: Sendable, Equatable {
    case time(Duration)
    /// A fraction of the duration, 0 ... 1.
    case fraction(Double)
}
