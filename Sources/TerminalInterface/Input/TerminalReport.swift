// SPDX-License-Identifier: GPL-3.0-or-later

/// An answer of the terminal to a question of `TerminalProbe`.
public enum TerminalReport: Sendable, Equatable {
    /// The primary device attributes (DA1). Every terminal answers in order, so no other answer follows.
    case attributes([Int])
    /// The place of the cursor, counted from 1 (CPR).
    case cursor(row: Int, column: Int)
    /// The state of a private mode (DECRPM); `isSupported` is false if the terminal does not know the mode.
    case mode(Int, isSupported: Bool)
    /// The answer of the kitty graphics protocol.
    case graphics(isSupported: Bool)

    /// Creates the report of a control sequence; `nil` if it is not a report.
    /// Source: xterm control sequences; DEC STD 070.
    init?(_ bytes: [UInt8], final: UInt8) {
        let isPrivate = bytes.first == 0x3F
        let numbers = KeyDecoder.numbers(bytes.dropFirst(isPrivate ? 1 : 0))
        switch (final, isPrivate) {
        case (0x63, true): self = .attributes(numbers)
        case (0x52, false) where numbers.count == 2: self = .cursor(row: numbers[0], column: numbers[1])
        case (0x79, true) where bytes.last == 0x24 && numbers.count == 2:
            let state = KeyDecoder.numbers(bytes.dropLast().dropFirst(1))[1]
            // 1 set, 2 reset; 0 unknown, 3 and 4 cannot be changed.
            self = .mode(numbers[0], isSupported: state == 1 || state == 2)
        default: return nil
        }
    }

    /// Creates the report of a control string; `nil` if it is unknown.
    /// - Parameter kind: `_` for APC, `P` for DCS.
    init?(_ kind: UInt8, _ bytes: ArraySlice<UInt8>) {
        guard kind == 0x5F, bytes.first == 0x47 else { return nil }
        self = .graphics(isSupported: String(decoding: bytes, as: UTF8.self).hasSuffix(";OK"))
    }
}
