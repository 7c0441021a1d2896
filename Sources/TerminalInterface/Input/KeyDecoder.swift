// SPDX-License-Identifier: GPL-3.0-or-later
public import Playback

/// A decoder of terminal bytes into keys; the bytes may arrive in any chunks.
///
///     ground --ESC--> escape --[--> sequence --final--> ground
///                       |  +---O--> single ---any-----> ground
///                       +--any other byte: read as in ground
///
/// A lone ESC needs no timeout: it has no meaning, and the key after it is decoded normally.
/// Source: ECMA-48 5.4 (control sequences), VT220 manual (SS3 cursor keys in application mode).
public struct KeyDecoder: Sendable {
    public enum Key: Sendable, Equatable {
        case character(Unicode.Scalar)
        case up
        case down
        case left
        case right
        /// Ctrl-C on a terminal that does not turn it into a signal.
        case interrupt
    }

    private enum State {
        case ground
        case escape
        case sequence
        case single
    }

    private var state: State = .ground

    public init() {}

    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        bytes.compactMap { decode($0) }
    }

    private mutating func decode(_ byte: UInt8) -> Key? {
        switch (state, byte) {
        case (_, 0x1B):
            state = .escape
            return nil
        case (.escape, 0x5B):
            state = .sequence
            return nil
        case (.escape, 0x4F):
            state = .single
            return nil
        case (.sequence, 0x20...0x3F):
            return nil
        case (.sequence, 0x40...0x7E), (.single, 0x40...0x7E):
            state = .ground
            return Self.cursorKey(byte)
        default:
            state = .ground
            return Self.plainKey(byte)
        }
    }

    private static func cursorKey(_ final: UInt8) -> Key? {
        switch final {
        case 0x41: .up
        case 0x42: .down
        case 0x43: .right
        case 0x44: .left
        default: nil
        }
    }

    private static func plainKey(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x03: .interrupt
        case 0x20...0x7E: .character(Unicode.Scalar(byte))
        default: nil
        }
    }
}

extension KeyDecoder.Key {
    /// The command of the key; `nil` for a key without one. README.md has the table.
    public var command: PlayerCommand? {
        switch self {
        case .character(" "): .togglePause
        case .left, .character("j"): .seek(.relative(.seconds(-10)))
        case .right, .character("l"): .seek(.relative(.seconds(30)))
        case .character("<"), .character(","): .previous
        case .character(">"), .character("."): .next
        case .up, .character("+"), .character("="): .changeVolume(by: 0.05)
        case .down, .character("-"): .changeVolume(by: -0.05)
        case .character("["): .changeSpeed(by: -0.05)
        case .character("]"): .changeSpeed(by: 0.05)
        case .character("\\"): .setSpeed(1)
        case .character("z"): .cycleSleep
        case .character("r"): .retry
        case .character("n"): .playNow
        case .character("R"): .cycleRepeat
        case .character("q"), .character("Q"), .interrupt: .stop
        case .character: nil
        }
    }
}
