// SPDX-License-Identifier: GPL-3.0-or-later
@testable import Feeds

/// The result of parsing a document as text: one line for each cue, such as `0.5-2 Mary: words`, or the error.
struct TranscriptDump: CustomStringConvertible {
    let result: Result<Transcript, TranscriptError>

    init(_ document: String, type: String? = nil, language: String? = nil, limits: TranscriptLimits = .init()) {
        self.init(Array(document.utf8), type: type, language: language, limits: limits)
    }

    init(
        _ document: [UInt8], type: String? = nil, language: String? = nil, contentType: String? = nil,
        limits: TranscriptLimits = TranscriptLimits()
    ) {
        let link = ParsedTranscript(url: "https://host.example/t", type: type, language: language)
        result = document.withUnsafeBytes { bytes in
            Result { () throws(TranscriptError) in
                try TranscriptParser.parse(bytes, link, contentType, limits: limits)
            }
        }
    }

    var transcript: Transcript? {
        if case .success(let transcript) = result { transcript } else { nil }
    }

    var error: TranscriptError? {
        if case .failure(let error) = result { error } else { nil }
    }

    var description: String {
        switch result {
        case .success(let transcript): transcript.cues.map(Self.line).joined(separator: "\n")
        case .failure(let error): "\(error)"
        }
    }

    static func line(_ cue: Transcript.Cue) -> String {
        let time = cue.time.map { "\(seconds($0.lowerBound))-\(seconds($0.upperBound)) " } ?? ""
        return time + (cue.speaker.map { $0 + ": " } ?? "") + cue.text
    }

    /// Returns the seconds without trailing zeros: `0.5`, `12`.
    private static func seconds(_ time: Duration) -> String {
        let text = "\((time / .milliseconds(1)).rounded() / 1000)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
