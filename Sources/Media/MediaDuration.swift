// SPDX-License-Identifier: GPL-3.0-or-later

/// How long something lasts, and how sure that is.
public enum MediaDuration: Sendable, Equatable {
    case unknown
    /// Worked out from a mean bit rate, or the feed's word.
    case estimated(Duration)
    /// Said by the file's own tag (Xing, VBRI) and not contradicted so far.
    case declared(Duration)
    /// Counted.
    case exact(Duration)

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
