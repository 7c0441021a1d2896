// SPDX-License-Identifier: GPL-3.0-or-later

/// What somebody asks by a key while a section is repeated.
public enum LoopControl: Sendable, Equatable {
    case togglePause
    /// To play the other way round from what is heard now.
    case turn
    /// To begin, or to end, where it is now.
    case setStart, setEnd
    case slower, faster
    /// To begin the section again.
    case restart
    case changeVolume(by: Double)
    case quit
}

extension KeyDecoder.Key {
    /// What the key asks for in `earshot loop`; `nil` for one that has no meaning there.
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
        case .right, .character: nil
        }
    }
}
