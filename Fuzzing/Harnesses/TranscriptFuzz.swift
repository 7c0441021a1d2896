// SPDX-License-Identifier: GPL-3.0-or-later
@testable import Feeds

/// Parses an arbitrary transcript of any declared format: the cues are within the limits and in the order of time, and
/// their texts and the lines for a terminal contain no control characters.
@Sendable
func fuzzTranscript(_ document: UnsafeRawBufferPointer) throws {
    var choices = Choices(document)
    let type = choices.pick([nil, "text/vtt", "application/srt", "application/json", "text/html", "text/plain"])
    let link = ParsedTranscript(url: "https://host.example/t", type: type)
    guard let transcript = parsed(document, link) else { return }
    let limits = TranscriptLimits()
    try hold(!transcript.cues.isEmpty && transcript.cues.count <= limits.cues, "the number of cues is within the limit")
    for cue in transcript.cues {
        try hold(!cue.text.isEmpty && cue.text.utf8.count <= limits.textBytes, "a text is within the limit")
        try hold(cue.speaker.map { !$0.isEmpty && $0.utf8.count <= limits.speakerBytes } ?? true, "a name is short")
        try hold(isSafe(cue.text) && isSafe(cue.speaker ?? ""), "a cue has no control character: \(cue)")
        try hold((cue.time != nil) == transcript.isTimed, "all cues have a time, or none")
    }
    let starts = transcript.cues.compactMap(\.start)
    try hold(zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }, "the starts ascend")
    try hold(transcript == Transcript(cues: transcript.cues, language: transcript.language), "the order is stable")
    try hold(transcript.lines(width: 40).allSatisfy(isSafe), "a line has no control character")
    for index in transcript.cues.indices.prefix(20) {
        let range = transcript.sentence(around: index...index)
        try hold(range.contains(index), "the sentence around a cue contains it")
        try hold(isSafe(transcript.text(of: range)), "a sentence has no control character")
    }
}

private func parsed(_ document: UnsafeRawBufferPointer, _ link: ParsedTranscript) -> Transcript? {
    do throws(TranscriptError) { return try TranscriptParser.parse(document, of: link) } catch { return nil }
}

private func isSafe(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
}
