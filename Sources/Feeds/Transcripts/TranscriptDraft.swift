// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The cues of a document, within the limits.
struct TranscriptDraft {
    private let limits: TranscriptLimits
    private var cues: [Transcript.Cue] = []
    private(set) var language: String?
    /// True if the document has more cues than the limit; a part of them would look like all of them.
    private(set) var isOverfull = false

    /// - Parameter language: the language that the feed declares; the document's own is used if it is `nil`.
    init(limits: TranscriptLimits, language: String?) {
        (self.limits, self.language) = (limits, language)
    }

    var isEmpty: Bool { cues.isEmpty }

    mutating func offer(language tag: some BidirectionalCollection<UInt8>) {
        let tag = ASCII.trimmed(tag)
        let isTag =
            (2...35).contains(tag.count)
            && tag.allSatisfy { ASCII.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        if language == nil, isTag { language = String(text: tag) }
    }

    /// Appends words; does nothing if there are none. Words beyond the limit make the draft overfull.
    mutating func append(_ time: Range<Duration>?, speaker: String?, _ words: PlainWords) {
        let speaker = speaker.map { Self.piece(of: Array($0.utf8)[...], limit: limits.speakerBytes) }
        var rest = words.bytes[...]
        while !rest.isEmpty {
            isOverfull = cues.count >= limits.cues
            guard !isOverfull else { return }
            let piece = Self.piece(of: rest, limit: limits.textBytes)
            rest = rest[piece.endIndex...].drop(while: ASCII.isSpace)
            let name = speaker.flatMap { $0.isEmpty ? nil : String(text: $0) }
            cues.append(Transcript.Cue(time: time, speaker: name, text: String(text: piece)))
        }
    }

    /// Returns the beginning of the text up to the limit: whole words, or whole characters if one word is longer.
    private static func piece(of text: ArraySlice<UInt8>, limit: Int) -> ArraySlice<UInt8> {
        guard text.count > limit else { return text }
        let piece = text.prefix(limit + 1)
        if let space = piece.lastIndex(of: 0x20), space > text.startIndex { return text[..<space] }
        guard let start = piece.lastIndex(where: { $0 & 0xC0 != 0x80 }), start > text.startIndex else {
            return piece.dropLast()
        }
        return text[..<start]
    }

    /// - Returns: `nil` if the document has no words.
    func finished() -> Transcript? {
        guard !isEmpty else { return nil }
        let named = SpeakerNames.separated(from: cues)
        let transcript = Transcript(cues: named, language: language)
        return Transcript(cues: WordJoining.joined(transcript.cues), language: language)
    }
}
