// SPDX-License-Identifier: GPL-3.0-or-later

/// A sequence of adjacent letters of one kind, folded.
package struct WordPiece: Sendable {
    package fileprivate(set) var letters: [Unicode.Scalar] = []
    /// The position of each letter in the text.
    package fileprivate(set) var places: [String.Index] = []
    /// True if the script has blanks between words.
    package fileprivate(set) var isSpaced = true
    /// True if no separator stands between this piece and the previous one.
    package fileprivate(set) var isJoined = false
}

/// A scanner that splits a text into the pieces used for searching. Pure.
///
/// A piece of a script with blanks is a word. Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese do not mark the
/// end of a word, or add endings to it, so any part of such a piece can be a word.
package struct WordScanner {
    private var piece = WordPiece()
    private let body: (WordPiece) -> Void

    package static func forEachPiece(of text: String, _ body: (WordPiece) -> Void) {
        withoutActuallyEscaping(body) { body in
            var scanner = WordScanner(body: body)
            var place = text.unicodeScalars.startIndex
            while place < text.unicodeScalars.endIndex {
                scanner.consume(text.unicodeScalars[place], at: place)
                text.unicodeScalars.formIndex(after: &place)
            }
            scanner.end(isJoined: false)
        }
    }

    private init(body: @escaping (WordPiece) -> Void) { self.body = body }

    private mutating func consume(_ scalar: Unicode.Scalar, at place: String.Index) {
        switch LetterFolding.folded(scalar) {
        case .gap: end(isJoined: false)
        case .nothing: break
        case .letter(let letter): consume(letter: letter, at: place)
        case .letters(let letters): for letter in letters.unicodeScalars { consume(letter: letter, at: place) }
        }
    }

    private mutating func consume(letter: Unicode.Scalar, at place: String.Index) {
        let isSpaced = !UnspacedScripts.contain(letter)
        if isSpaced != piece.isSpaced {
            end(isJoined: !piece.letters.isEmpty)
            piece.isSpaced = isSpaced
        }
        if !isSpaced, let last = piece.letters.last, let whole = UnspacedScripts.composed(last, letter) {
            piece.letters[piece.letters.count - 1] = whole
        } else {
            piece.letters.append(letter)
            piece.places.append(place)
        }
    }

    private mutating func end(isJoined: Bool) {
        if !piece.letters.isEmpty { body(piece) }
        piece.letters.removeAll(keepingCapacity: true)
        piece.places.removeAll(keepingCapacity: true)
        piece.isJoined = isJoined
    }
}

/// The scripts without blanks between words.
package enum UnspacedScripts {
    package static func contain(_ letter: Unicode.Scalar) -> Bool {
        switch letter.value {
        case ..<0xE00: false
        // Thai and Lao; Burmese; Hangul as single sounds; Khmer; Tai Le, New Tai Lue, Khmer symbols and Tai Tham.
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x1950...0x19FF, 0x1A20...0x1AAF: true
        // Radicals, kana, bopomofo, characters and Yi.
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x31BF, 0x31F0...0x31FF, 0x3400...0xA4CF: true
        // Burmese, Javanese and Tai Viet extensions; Hangul; compatibility characters; further planes.
        case 0xA960...0xA97F, 0xA980...0xA9FF, 0xAA60...0xAADF, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0x1B000...0x1B16F,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// Composes a kana and its voicing mark, or the sounds of a Korean syllable, which some programs write
    /// separately.
    package static func composed(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        let (one, other) = (first.value, second.value)
        switch other {
        case 0x3099: return voiced(one).flatMap(Unicode.Scalar.init)
        case 0x309A: return isKanaOfH(one) ? Unicode.Scalar(one + 2) : nil
        case 0x1161...0x1175 where (0x1100...0x1112).contains(one):
            return Unicode.Scalar(0xAC00 + ((one - 0x1100) * 21 + other - 0x1161) * 28)
        case 0x11A8...0x11C2 where (0xAC00...0xD7A3).contains(one) && (one - 0xAC00) % 28 == 0:
            return Unicode.Scalar(one + other - 0x11A7)
        default: return nil
        }
    }

    /// Returns the voiced kana: the next code point from KA to TO and from HA to HO. The small TU shifts the codes
    /// from TU on.
    private static func voiced(_ kana: UInt32) -> UInt32? {
        if kana == 0x3046 || kana == 0x30A6 { return kana + 0x4E }
        let row = kana >= 0x30A0 ? kana - 0x60 : kana
        let isVoiceable = (0x304B...0x3062).contains(row) && row % 2 == 1
            || [0x3064, 0x3066, 0x3068].contains(row) || isKanaOfH(kana)
        return isVoiceable ? kana + 1 : nil
    }

    private static func isKanaOfH(_ kana: UInt32) -> Bool {
        let row = kana >= 0x30A0 ? kana - 0x60 : kana
        return (0x306F...0x307B).contains(row) && (row - 0x306F) % 3 == 0
    }
}
