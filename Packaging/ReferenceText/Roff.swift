// SPDX-License-Identifier: GPL-3.0-or-later

/// A manual page under construction, with the macros of man(7).
public struct Roff: Sendable {
    /// The width of the lines of the source, which mandoc checks.
    private static let width = 78
    public private(set) var source = ""
    private var isBelowHeading = false

    /// - Parameters:
    ///   - title: the name of the page: `earshot-play`.
    ///   - section: the section of the manual.
    init(title: String, section: Int, release: Release) {
        source = """
            .\\" SPDX-License-Identifier: GPL-3.0-or-later
            .\\" Written by Scripts/package from the definitions of the program.
            .TH \(title.uppercased().escaped) \(section) \(release.date) "earshot \(release.version)" "Earshot"

            """
    }

    mutating func section(_ title: String) { line(".SH \(title.escaped)") }
    mutating func subsection(_ title: String) { line(".SS \(title.escaped)") }

    mutating func paragraph(_ text: String) {
        beginParagraph()
        wrapped(Self.marked(text))
    }

    /// Writes text of the current paragraph.
    mutating func text(_ text: String) { wrapped(Self.marked(text)) }

    /// Writes an entry of a list.
    /// - Parameter tag: the tag as roff source.
    mutating func entry(_ tag: String, _ text: String) {
        line(".TP")
        line(tag)
        wrapped(Self.marked(text))
    }

    /// A heading begins a paragraph, too.
    private mutating func beginParagraph() {
        if !isBelowHeading { line(".PP") }
    }

    /// Writes lines without filling them.
    mutating func example(_ lines: [Substring]) {
        beginParagraph()
        line(".RS 4")
        line(".nf")
        for text in lines { line(Self.protected(String(text).escaped)) }
        line(".fi")
        line(".RE")
    }

    /// Writes a line of roff source.
    mutating func line(_ text: String) {
        source += text + "\n"
        isBelowHeading = text.hasPrefix(".SH ") || text.hasPrefix(".SS ")
    }

    static func bold(_ text: String) -> String { "\\fB\(text.escaped)\\fR" }
    static func italic(_ text: String) -> String { "\\fI\(text.escaped)\\fR" }

    /// Escapes text and sets the parts between backticks in bold type.
    private static func marked(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { return text.escaped }
        return parts.enumerated().map { $0.offset % 2 == 1 ? bold(String($0.element)) : String($0.element).escaped }
            .joined()
    }

    /// Returns a line that does not begin with a control character.
    private static func protected(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("\\(aq") ? "\\&" + line : line
    }

    private mutating func wrapped(_ text: String) {
        var current = ""
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if !current.isEmpty && current.utf8.count + 1 + word.utf8.count > Self.width {
                line(Self.protected(current))
                current = ""
            }
            current += (current.isEmpty ? "" : " ") + word
        }
        if !current.isEmpty { line(Self.protected(current)) }
    }
}

extension String {
    /// The text for roff, so that terminals show the same characters: a plain `-` would become a hyphen.
    var escaped: String {
        var result = ""
        for character in self {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            default: result.append(character)
            }
        }
        return result
    }
}

/// The version and the date of the generated files.
public struct Release: Sendable, Equatable {
    public let version: String
    /// The date as YYYY-MM-DD.
    public let date: String

    public init(version: String, date: String) { (self.version, self.date) = (version, date) }
}
