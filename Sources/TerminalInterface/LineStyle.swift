// SPDX-License-Identifier: GPL-3.0-or-later

/// What a terminal can show and its user wants to see.
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

    /// Colour only on a terminal that is not dumb, and not where `NO_COLOR` holds any text (no-color.org).
    /// Unicode only where the locale is UTF-8.
    public init(isTerminal: Bool, environment: (String) -> String?) {
        let wanted = environment("NO_COLOR")?.isEmpty ?? true
        glyphs = Self.isUTF8(environment) ? .unicode : .ascii
        colour = isTerminal && wanted && !Self.isDumb(environment)
    }

    /// Whether the locale is UTF-8; of its variables the first that is set decides (POSIX 8.2).
    static func isUTF8(_ environment: (String) -> String?) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environment).first { !$0.isEmpty } ?? ""
        return locale.lowercased().filter { $0 != "-" }.contains("utf8")
    }

    /// Whether lines can be drawn over one another there.
    public static func canRedraw(isTerminal: Bool, environment: (String) -> String?) -> Bool {
        isTerminal && !isDumb(environment)
    }

    private static func isDumb(_ environment: (String) -> String?) -> Bool {
        environment("TERM").map { $0.isEmpty || $0 == "dumb" } ?? true
    }
}

/// A piece of a line and how it stands out.
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
    /// How many terminal columns the pieces take together.
    var columns: Int { reduce(0) { $0 + PrintableText.columns(of: $1.text) } }
}
