// SPDX-License-Identifier: GPL-3.0-or-later

/// The rule for the item after one that was played to its end.
public enum RepeatMode: String, Sendable, Equatable, CaseIterable {
    case off
    /// The same item repeats.
    case one
    /// The last item of a closed playlist is followed by the first.
    case all

    /// The next mode: off → one → all → off.
    public var next: RepeatMode {
        switch self {
        case .off: .one
        case .one: .all
        case .all: .off
        }
    }
}
