// SPDX-License-Identifier: GPL-3.0-or-later

/// The part of an episode's notes in which a search found its words. Pure.
enum NotesSnippet {
    /// - Parameters:
    ///   - query: as the listener wrote it; the last word may be unfinished.
    ///   - columns: how long it may be, in characters.
    /// - Returns: `nil` where none of the words is in the text, for then the title has them all.
    static func text(of notes: String, around query: String, columns: Int, ellipsis: String = "…") -> String? {
        let wanted = words(in: query).map { folded(query[$0]) }
        guard let last = wanted.last else { return nil }
        let hit = words(in: notes).first { range in
            let word = folded(notes[range])
            return wanted.contains(word) || word.hasPrefix(last)
        }
        return hit.map { window(notes, around: $0, columns, ellipsis) }
    }

    private static func window(
        _ notes: String, around hit: Range<String.Index>, _ columns: Int, _ ellipsis: String
    ) -> String {
        let room = max(0, columns - 2 * ellipsis.count)
        var start = notes.index(hit.lowerBound, offsetBy: -room / 3, limitedBy: notes.startIndex) ?? notes.startIndex
        if start > notes.startIndex {
            start = notes[start..<hit.lowerBound].firstIndex(of: " ").map(notes.index(after:)) ?? hit.lowerBound
        }
        var end = notes.index(start, offsetBy: room, limitedBy: notes.endIndex) ?? notes.endIndex
        if end < notes.endIndex, hit.upperBound <= end {
            end = notes[hit.upperBound..<end].lastIndex(of: " ") ?? hit.upperBound
        }
        let text = PrintableText(notes[start..<end]).text
        return (start > notes.startIndex ? ellipsis : "") + text + (end < notes.endIndex ? ellipsis : "")
    }

    /// Runs of letters and digits, as the index has them.
    private static func words(in text: String) -> [Range<String.Index>] {
        text.split { !($0.isLetter || $0.isNumber) }.map { $0.startIndex..<$0.endIndex }
    }

    private static func folded(_ word: Substring) -> String {
        String(String.UnicodeScalarView(word.lowercased().unicodeScalars.compactMap(base)))
    }

    /// The letter without its mark, as the index takes it.
    private static func base(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard !scalar.isASCII else { return scalar }
        if scalar.properties.generalCategory == .nonspacingMark { return nil }
        guard let name = scalar.properties.name, name.hasPrefix("LATIN "), let with = name.firstRange(of: " WITH "),
            let letter = name[..<with.lowerBound].split(separator: " ").last, letter.utf8.count == 1
        else { return scalar }
        return letter.lowercased().unicodeScalars.first ?? scalar
    }
}
