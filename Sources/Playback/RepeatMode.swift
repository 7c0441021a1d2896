// SPDX-License-Identifier: GPL-3.0-or-later

/// What follows an item that was heard to its end, where that is not simply the next one.
public enum RepeatMode: String, Sendable, Equatable, CaseIterable {
    case off
    /// The same item.
    case one
    /// After the last item of a closed playlist the first.
    case all

    /// off → one → all → off.
    public var next: RepeatMode {
        switch self {
        case .off: .one
        case .one: .all
        case .all: .off
        }
    }
}
