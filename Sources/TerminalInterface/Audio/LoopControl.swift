// SPDX-License-Identifier: GPL-3.0-or-later

/// A command given by a key in `earshot loop`.
public enum LoopControl: Sendable, Equatable {
    case togglePause
    /// Reverses the direction at the current position.
    case turn
    /// Sets the start or the end of the section to the current position.
    case setStart, setEnd
    case slower, faster
    /// Restarts the section.
    case restart
    case changeVolume(by: Double)
    case quit
}

extension KeyDecoder.Key {
    /// The command of the key in `earshot loop`; `nil` for a key without one.
    public var loopControl: LoopControl? {
        switch self {
        case .character(" "): .togglePause
        case .character("r"): .turn
        case .character("["): .setStart
        case .character("]"): .setEnd
        case .character(","), .character("<"): .slower
        case .character("."), .character(">"): .faster
        case .left, .character("j"): .restart
        case .up, .character("+"), .character("="): .changeVolume(by: 0.05)
        case .down, .character("-"): .changeVolume(by: -0.05)
        case .character("q"), .character("Q"), .interrupt: .quit
        default: nil
        }
    }
}
