// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The glyphs and colours of a terminal line.
public struct LineStyle: Sendable, Equatable {
    public enum Glyphs: Sendable, Equatable {
        case unicode
        case ascii
    }

    public var glyphs: Glyphs
    public var colour: Bool

    public init(glyphs: Glyphs = .unicode, colour: Bool = false) {
        self.glyphs = glyphs
        self.colour = colour
    }

    /// Creates the style: colour only on a terminal that is not dumb, unless `NO_COLOR` is set and not empty
    /// (no-color.org); Unicode only in a UTF-8 locale.
    public init(isTerminal: Bool, environment: (String) -> String?) {
        let wanted = environment("NO_COLOR")?.isEmpty ?? true
        glyphs = Self.isUTF8(environment) ? .unicode : .ascii
        colour = isTerminal && wanted && !Self.isDumb(environment)
    }

    /// Returns true if the locale is UTF-8; the first of its variables that is set decides (POSIX 8.2).
    static func isUTF8(_ environment: (String) -> String?) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environment).first { !$0.isEmpty } ?? ""
        return locale.lowercased().filter { $0 != "-" }.contains("utf8")
    }

    /// Returns true if the terminal can redraw a line.
    public static func canRedraw(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        isTerminal && !isDumb(environment)
    }

    private static func isDumb(_ environment: (String) -> String?) -> Bool {
        environment("TERM").map { $0.isEmpty || $0 == "dumb" } ?? true
    }
}

/// A piece of a line with its tint.
struct StyledText: Equatable {
    enum Tint: String {
        case plain = ""
        case strong = "1"
        case faint = "2"
        case good = "32"
        case warning = "33"
        case bad = "31"
        case played = "36"
    }

    var text: String
    var tint: Tint = .plain

    /// Source: ECMA-48 8.3.117, SGR.
    func rendered(colour: Bool) -> String {
        guard colour, tint != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(tint.rawValue)m\(text)\u{1B}[0m"
    }
}

extension [StyledText] {
    /// The total width of the pieces in terminal columns.
    var columns: Int { reduce(0) { $0 + $1.text.terminalColumns } }
}
