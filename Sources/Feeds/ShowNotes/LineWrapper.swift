// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Wraps words into lines for a terminal, by the number of columns that the characters occupy.
struct LineWrapper {
    private(set) var lines: [String] = []
    private let width: Int
    private var line: [UInt8] = []
    private var column = 0

    init(width: Int) {
        self.width = max(1, width)
    }

    mutating func append(line: String) {
        lines.append(line)
    }

    /// - Parameters:
    ///   - words: the words, separated by single spaces.
    ///   - first: the prefix of the first line.
    ///   - rest: the prefix of the other lines; as wide as `first`, in ASCII except for one bullet.
    mutating func wrap(_ words: [UInt8], first: String, rest: String) {
        begin(first)
        let indent = rest.utf8.count
        var isFresh = true
        for word in words.split(separator: 0x20) {
            let columns = Self.columns(of: word)
            let blank = isFresh ? 0 : 1
            let isTooWide = columns.all > width - indent && !Self.isURL(word)
            if column + blank + columns.all > width, columns.hasWide || isTooWide {
                if !isFresh { append(blankBefore: width - column > 2, rest) }
                divide(word, rest)
            } else {
                if !isFresh { append(blankBefore: column + 1 + columns.all <= width, rest) }
                line.append(contentsOf: word)
                column += columns.all
            }
            isFresh = false
        }
        end()
    }

    /// Appends a space if the next word fits, or starts a new line.
    private mutating func append(blankBefore fits: Bool, _ prefix: String) {
        guard fits else {
            end()
            return begin(prefix)
        }
        line.append(0x20)
        column += 1
    }

    /// Breaks a word between any two characters: Chinese and Japanese text has no spaces between words.
    private mutating func divide(_ word: ArraySlice<UInt8>, _ prefix: String) {
        for character in String(decoding: word, as: UTF8.self) {
            let columns = character.terminalColumns
            if column + columns > width, column > prefix.utf8.count {
                end()
                begin(prefix)
            }
            line.append(contentsOf: character.utf8)
            column += columns
        }
    }

    private mutating func begin(_ prefix: String) {
        line = Array(prefix.utf8)
        column = prefix.terminalColumns
    }

    private mutating func end() {
        while line.last == 0x20 { line.removeLast() }
        lines.append(String(decoding: line, as: UTF8.self))
        line.removeAll(keepingCapacity: true)
    }

    /// Returns true for a URL. URLs are never broken, because a broken URL cannot be followed.
    private static func isURL(_ word: ArraySlice<UInt8>) -> Bool {
        let word = word.first == UInt8(ascii: "<") ? word.dropFirst() : word
        return word.starts(with: "http://".utf8) || word.starts(with: "https://".utf8)
    }

    private static func columns(of word: ArraySlice<UInt8>) -> (all: Int, hasWide: Bool) {
        guard word.contains(where: { $0 >= 0x80 }) else { return (word.count, false) }
        let text = String(decoding: word, as: UTF8.self)
        return (text.terminalColumns, text.unicodeScalars.contains { $0.terminalColumns == 2 })
    }
}
