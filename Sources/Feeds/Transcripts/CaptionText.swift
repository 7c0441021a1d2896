// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Reads the text of a caption: removes tags and the braces of SubRip's styles, decodes references, and separates
/// the voices.
///
/// Source: WebVTT, 6.4.
struct CaptionText {
    private let source: UnsafeBufferPointer<UInt8>
    private var words = PlainWords()
    private var speaker: String?
    /// The next `>` and `}` from the current index on, to avoid repeating the search.
    private var bracketEnd = 0
    private var braceEnd = 0

    /// - Parameter receive: called for each voice with its speaker and its words.
    static func read(_ source: UnsafeBufferPointer<UInt8>, _ receive: (String?, PlainWords) -> Void) {
        var text = CaptionText(source: source)
        var index = 0
        while index < source.count {
            let end = ByteScan.firstIndex(of: UInt8(ascii: "<"), or: UInt8(ascii: "{"), in: source, from: index)
            text.words.append(html: UnsafeBufferPointer(rebasing: source[index..<end]))
            guard end < source.count else { break }
            index = text.skipMark(at: end, receive)
        }
        receive(text.speaker, text.words)
    }

    private init(source: UnsafeBufferPointer<UInt8>) { self.source = source }

    /// - Returns: the index after a tag or a style in braces, or after a single character of text.
    private mutating func skipMark(at start: Int, _ receive: (String?, PlainWords) -> Void) -> Int {
        if let end = end(ofMarkAt: start) {
            if source[start] == UInt8(ascii: "<") {
                read(tag: UnsafeBufferPointer(rebasing: source[(start + 1)..<end]), receive)
            }
            return end + 1
        }
        words.append(UnsafeBufferPointer(rebasing: source[start...start]))
        return start + 1
    }

    /// - Returns: the index of the `>` or `}`; `nil` if the character at `start` is text.
    private mutating func end(ofMarkAt start: Int) -> Int? {
        guard start + 1 < source.count else { return nil }
        let next = source[start + 1]
        if source[start] == UInt8(ascii: "{") {
            guard next == UInt8(ascii: "\\") else { return nil }
            braceEnd = braceEnd > start ? braceEnd : ByteScan.firstIndex(of: UInt8(ascii: "}"), in: source, from: start)
            return braceEnd < source.count ? braceEnd : nil
        }
        // A tag, an end tag, the time of a word, a class.
        guard ASCII.isLetterOrDigit(next) || next == UInt8(ascii: "/") || next == UInt8(ascii: ".") else { return nil }
        bracketEnd =
            bracketEnd > start ? bracketEnd : ByteScan.firstIndex(of: UInt8(ascii: ">"), in: source, from: start)
        return bracketEnd < source.count ? bracketEnd : nil
    }

    private mutating func read(tag: UnsafeBufferPointer<UInt8>, _ receive: (String?, PlainWords) -> Void) {
        let isEnd = tag.first == UInt8(ascii: "/")
        let name = HTMLName((isEnd ? tag.dropFirst() : tag[...]).prefix(while: ASCII.isLetterOrDigit))
        if name == "v" {
            receive(speaker, words)
            words.removeAll()
            speaker = isEnd ? nil : Self.annotation(tag)
        } else if HTMLElement.kind(of: name) == .block {
            words.endWord()
        }
    }

    /// Returns the name in `v.loud Mary`.
    private static func annotation(_ tag: UnsafeBufferPointer<UInt8>) -> String? {
        var name = PlainWords()
        name.append(html: UnsafeBufferPointer(rebasing: tag.drop { !ASCII.isSpace($0) }))
        return name.isEmpty ? nil : String(text: name.bytes)
    }
}
