// SPDX-License-Identifier: GPL-3.0-or-later

extension KeyDecoder {
    public enum Key: Sendable, Equatable {
        case character(Unicode.Scalar)
        case up, down, left, right, home, end, pageUp, pageDown
        case enter, escape, tab, backTab, backspace, insert, delete
        /// F1 is `function(1)`.
        case function(Int)
        /// A lower-case letter together with Ctrl; Ctrl-C is `interrupt`.
        case control(Unicode.Scalar)
        /// Ctrl-C on a terminal that does not turn it into a signal.
        case interrupt
        /// A pasted text, on a terminal with bracketed paste.
        case paste(String)
        case mouse(Mouse)
        /// An answer of the terminal, not a key.
        case report(TerminalReport)
    }

    /// An action of the mouse.
    public struct Mouse: Sendable, Equatable {
        public enum Action: Sendable, Equatable { case press, release, wheelUp, wheelDown, other }

        public let action: Action
        /// The cell, counted from 0.
        public let row, column: Int
    }

    static func plainKeys(_ bytes: some Sequence<UInt8>) -> [Key] { bytes.compactMap { plainKey($0) } }

    static func plainKey(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x03: .interrupt
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x01...0x1A: .control(Unicode.Scalar(byte + 0x60))
        case 0x20...0x7E: .character(Unicode.Scalar(byte))
        default: nil
        }
    }

    /// Returns the key of a control sequence; `nil` for an unknown one.
    /// - Parameters:
    ///   - bytes: the bytes between the introducer and the final byte.
    ///   - final: the final byte.
    ///   - isReport: true if a sequence that a key and a report share is a report.
    static func key(_ bytes: [UInt8], final: UInt8, _ isReport: Bool) -> Key? {
        if bytes.first == 0x3C { return mouse(bytes.dropFirst(), final) }
        if isReport, let report = TerminalReport(bytes, final: final) { return .report(report) }
        let numbers = numbers(bytes[...])
        switch final {
        case 0x41: return .up
        case 0x42: return .down
        case 0x43: return .right
        case 0x44: return .left
        case 0x46: return .end
        case 0x48: return .home
        case 0x50...0x53: return .function(Int(final) - 0x4F)
        case 0x5A: return .backTab
        case 0x7E: return numbers.first.flatMap { numbered[$0] }
        default: return nil
        }
    }

    /// The keys of `CSI number ~`. Source: VT220 manual, xterm control sequences.
    private static let numbered: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6),
        18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12),
    ]

    /// Returns the numbers of a sequence; a missing or invalid one is 0.
    static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
        bytes.split(separator: 0x3B, omittingEmptySubsequences: false).map { digits in
            Int(String(decoding: digits.prefix(9), as: UTF8.self)) ?? 0
        }
    }

    /// Source: xterm control sequences, extended coordinates (SGR, mode 1006).
    private static func mouse(_ bytes: ArraySlice<UInt8>, _ final: UInt8) -> Key? {
        let numbers = numbers(bytes)
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0, final == 0x4D || final == 0x6D else { return nil }
        // Bits 2 to 4 are Shift, Alt and Ctrl.
        let action: Mouse.Action =
            switch (numbers[0] & ~0x1C, final) {
            case (0, 0x4D): .press
            case (0...2, 0x6D): .release
            case (64, _): .wheelUp
            case (65, _): .wheelDown
            default: .other
            }
        return .mouse(Mouse(action: action, row: numbers[2] - 1, column: numbers[1] - 1))
    }
}
