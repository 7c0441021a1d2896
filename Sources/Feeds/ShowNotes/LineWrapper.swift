// SPDX-License-Identifier: GPL-3.0-or-later

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
        for scalar in String(decoding: word, as: UTF8.self).unicodeScalars {
            let columns = Self.columns(of: scalar)
            if column + columns > width, column > prefix.utf8.count {
                end()
                begin(prefix)
            }
            line.append(contentsOf: UTF8.encode(scalar) ?? .init())
            column += columns
        }
    }

    private mutating func begin(_ prefix: String) {
        line = Array(prefix.utf8)
        column = prefix.unicodeScalars.count
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
        return String(decoding: word, as: UTF8.self).unicodeScalars.reduce(into: (0, false)) { sum, scalar in
            let columns = columns(of: scalar)
            sum = (sum.0 + columns, sum.1 || columns == 2)
        }
    }

    /// Returns the number of columns by Unicode's East Asian Width, simplified to whole ranges of wide or combining
    /// characters.
    static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0..<0x300: 1
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x610...0x61A, 0x64B...0x65F, 0x200B...0x200F,
            0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xE0100...0xE01EF:
            0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
