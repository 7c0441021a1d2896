// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The cues of a transcript in the form of the search index, as one text. The name of a speaker precedes the first cue
/// of each turn only, so that the words of the turn stay side by side. Pure.
struct TranscriptWords {
    private(set) var text = ""
    /// The number of words of each cue and of the name before it, as SQLite counts them.
    private(set) var counts: [Int] = []

    init(_ record: TranscriptRecord) {
        self.init(TranscriptRecord.list(record.texts), speakers: record.speakerList())
    }

    /// - Parameter speakers: the speakers of the first cues; the others have none.
    init(_ texts: [String], speakers: [String?] = []) {
        let names = zip(speakers, [nil] + speakers).map { Self.name(of: $0, after: $1) }
        for (index, cue) in texts.enumerated() {
            let name = names.indices.contains(index) ? names[index] : ""
            let isTurn = names.indices.contains(index + 1) && !names[index + 1].isEmpty
            let next = index + 1 < texts.count && !isTurn ? texts[index + 1] : ""
            let words = name + Self.words(of: cue, before: next)
            counts.append(Self.count(words))
            text += words + "\n"
        }
    }

    /// Returns the words before a cue: the name of its speaker, unless the cue before has the same one.
    static func name(of speaker: String?, after former: String?) -> String {
        guard let speaker, speaker != former else { return "" }
        return SearchWords.text(speaker) + " "
    }

    /// Returns the number of words of the tokenizer `ascii`, which separates words at ASCII characters that are neither
    /// letters nor digits.
    static func count(_ words: String) -> Int {
        var (count, isInside) = (0, false)
        for byte in words.utf8 {
            let isWord = byte >= 0x80 || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            if isWord, !isInside { count += 1 }
            isInside = isWord
        }
        return count
    }

    /// Returns the words of a cue. In a script without blanks, a word can continue in the next cue, so the last letter
    /// forms a pair with the first letter there.
    private static func words(of cue: String, before next: String) -> String {
        guard let last = cue.unicodeScalars.last.flatMap(unspaced),
            let first = next.unicodeScalars.first.flatMap(unspaced), UnspacedScripts.composed(last, first) == nil
        else { return SearchWords.text(cue) }
        // Without the word that consists of the first letter alone, and the blank after it.
        let words = SearchWords.text(cue + String(next.unicodeScalars.prefix(1)))
        return String(words.unicodeScalars.dropLast(2))
    }

    /// Returns the folded letter of a script without blanks; `nil` for other characters.
    private static func unspaced(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard case .letter(let letter) = LetterFolding.folded(scalar), UnspacedScripts.contain(letter) else {
            return nil
        }
        return letter
    }
}
