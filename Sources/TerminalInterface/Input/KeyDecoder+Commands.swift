// SPDX-License-Identifier: GPL-3.0-or-later
public import Playback

extension KeyDecoder.Key {
    /// The command of the key; `nil` for a key without one. README.md has the table.
    public var command: PlayerCommand? {
        switch self {
        case .character(" "): .togglePause
        case .left, .character("j"): .seek(.relative(.seconds(-10)))
        case .right, .character("l"): .seek(.relative(.seconds(30)))
        case .character("<"), .character(","): .previous
        case .character(">"), .character("."): .next
        case .character("c"): .chapter(.next)
        case .character("C"): .chapter(.previous)
        case .up, .character("+"), .character("="): .changeVolume(by: 0.05)
        case .down, .character("-"): .changeVolume(by: -0.05)
        case .character("["): .changeSpeed(by: -0.05)
        case .character("]"): .changeSpeed(by: 0.05)
        case .character("\\"): .setSpeed(1)
        case .character("z"): .cycleSleep
        case .character("b"): .mark(note: nil)
        case .character("r"): .retry
        case .character("n"): .playNow
        case .character("R"): .cycleRepeat
        case .character("q"), .character("Q"), .interrupt: .stop
        default: nil
        }
    }
}
