// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A reader of the chapters that show notes list: lines that begin with a time.
public enum ShowNotesChapters {
    private static let fewest = 3
    /// The longest notes to read in code points: more than people write.
    private static let longestNotes = 500_000
    /// A width in columns that no line reaches.
    private static let unbroken = 1_000_000

    /// Returns the chapters in the notes: the longest run of lines whose times ascend.
    ///
    /// - Parameter html: the HTML of `ParsedEpisode.contentHTML`.
    /// - Returns: `nil` if no run has three lines.
    public static func list(_ html: String) -> ChapterList? {
        var runs: [[Chapter]] = []
        let start = String(html.unicodeScalars.prefix(longestNotes))
        for line in ShowNotesText.lines(start, width: unbroken, links: .none) {
            guard let timed = TimedLine(line) else { continue }
            let last = runs.last?.last?.start
            if last == timed.start { continue }
            if last.map({ timed.start < $0 }) ?? true { runs.append([]) }
            runs[runs.count - 1].append(Chapter(start: timed.start, title: timed.title))
        }
        // The first one of those with equal length.
        let longest = runs.reduce([]) { $1.count > $0.count ? $1 : $0 }
        return longest.count < fewest ? nil : ChapterList(.notes, longest)
    }
}

/// A line that begins with a time: `1:02:03 Title`, `(02:03) Title`, `• [02:03–04:05] – Title`, `3. 02:03 | Title`.
struct TimedLine {
    private typealias Text = Substring.UnicodeScalarView

    let start: Duration
    let title: String

    init?(_ line: String) {
        var rest = Self.withoutNumber(line.unicodeScalars.drop(while: Self.isOrnament)).drop(while: Self.isOrnament)
        guard let start = Self.time(&rest) else { return nil }
        var afterRange = rest.drop(while: Self.isSeparator)
        if Self.time(&afterRange) != nil { rest = afterRange }
        rest = rest.drop(while: Self.isSeparator)
        let firstWord = String(rest.prefix { !$0.properties.isWhitespace }).lowercased()
        guard !rest.isEmpty, !Self.clockWords.contains(firstWord) else { return nil }
        (self.start, title) = (start, String(rest))
    }

    /// Removes the number of a list item: `3.` or `3)` before white space.
    private static func withoutNumber(_ line: Text) -> Text {
        let number = line.prefix { isDigit($0) }
        let rest = line[number.endIndex...]
        guard 1...3 ~= number.count, rest.first == "." || rest.first == ")", rest.dropFirst().first == " " else {
            return line
        }
        return rest.dropFirst()
    }

    /// Removes and parses minutes and seconds, perhaps with hours before them.
    private static func time(_ text: inout Text) -> Duration? {
        let token = text.prefix(longestTime).prefix { isDigit($0) || isColon($0) || $0 == "." }
        let time = token[..<(token.lastIndex(where: isDigit).map(token.index(after:)) ?? token.startIndex)]
        let parts = time.split(omittingEmptySubsequences: false, whereSeparator: isColon)
        guard 2...3 ~= parts.count, 1...3 ~= parts[0].count, parts.dropFirst().allSatisfy(isSixtieth) else {
            return nil
        }
        let rest = text[time.endIndex...]
        guard rest.first?.properties.isAlphabetic != true else { return nil }
        text = rest
        return ItunesDuration.parsePosition(String(time).utf8)
    }

    /// True for two digits below 60, perhaps with a fraction.
    private static func isSixtieth(_ part: Text) -> Bool {
        let whole = part.prefix { $0 != "." }
        return whole.count == 2 && whole.first.map { $0 < "6" } ?? false
    }

    private static let longestTime = 24

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }
    private static func isColon(_ scalar: Unicode.Scalar) -> Bool { scalar == ":" || scalar == "\u{FF1A}" }

    /// True for white space, bullets, brackets, dashes and pictures before a time.
    private static func isOrnament(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .dashPunctuation, .openPunctuation, .otherSymbol: true
        default: "•·*>#|~→\u{FE0F}".unicodeScalars.contains(scalar)
        }
    }

    /// True for white space, brackets, dashes and other marks between a time and a title.
    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .dashPunctuation, .closePunctuation: true
        default: "•·*>#|~→:.,=/\u{FF1A}".unicodeScalars.contains(scalar)
        }
    }

    /// Words after the time of a day rather than a time in the episode.
    private static let clockWords: Set<String> = ["am", "pm", "a.m.", "p.m.", "uhr"]
}
