// SPDX-License-Identifier: GPL-3.0-or-later

extension ScreenKey {
    private static let names: [(String, ScreenKey)] = [
        ("enter", .enter), ("esc", .escape), ("tab", .tab), ("backtab", .backTab), ("backspace", .backspace),
        ("delete", .delete), ("up", .up), ("down", .down), ("left", .left), ("right", .right), ("home", .home),
        ("end", .end), ("pageup", .pageUp), ("pagedown", .pageDown), ("space", .character(" ")),
        ("backslash", .character("\\")),
    ]

    /// Creates the key with a name of the key file: `j`, `space`, `ctrl-d`, `f1`, `pagedown`.
    init?(named name: String) {
        if name.count == 1, let character = name.first, !character.isWhitespace {
            self = .character(character)
            return
        }
        let folded = name.lowercased()
        if let known = Self.names.first(where: { $0.0 == folded }) {
            self = known.1
        } else if folded.hasPrefix("ctrl-"), folded.count == 6, let letter = folded.last,
            letter.isASCII, letter.isLetter
        {
            self = .control(letter)
        } else if folded.hasPrefix("f"), let number = Int(folded.dropFirst()), (1...24).contains(number) {
            self = .function(number)
        } else {
            return nil
        }
    }

    /// The name as in the key file.
    var name: String {
        if let known = Self.names.first(where: { $0.1 == self && $0.0 != "backslash" }) { return known.0 }
        switch self {
        case .character(let character): return String(character)
        case .control(let letter): return "ctrl-\(letter)"
        case .function(let number): return "f\(number)"
        default: return "?"
        }
    }
}
