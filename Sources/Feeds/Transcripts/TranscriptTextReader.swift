// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Reads plain text as paragraphs: separated by empty lines, or by line breaks if there are no empty lines. A line that
/// begins with a name also begins a paragraph.
enum TranscriptTextReader {
    static func read(_ source: UnsafeBufferPointer<UInt8>, into draft: inout TranscriptDraft) {
        let hasEmptyLines = TextLines(source).contains { $0.allSatisfy(ASCII.isSpace) }
        var paragraph = PlainWords()
        var lines = TextLines(source)
        while !draft.isOverfull, let line = lines.next() {
            var words = PlainWords()
            words.append(line)
            if !hasEmptyLines || words.isEmpty || SpeakerNames.split(String(text: words.bytes)) != nil {
                draft.append(nil, speaker: nil, paragraph)
                paragraph.removeAll()
            }
            paragraph.endWord()
            words.bytes.withUnsafeBufferPointer { paragraph.append($0) }
        }
        draft.append(nil, speaker: nil, paragraph)
    }
}
