// SPDX-License-Identifier: GPL-3.0-or-later

/// The reason why a document is not a transcript. Repaired faults are not errors.
public enum TranscriptError: Error, Sendable, Equatable {
    /// The document has no words.
    case empty
    /// The document has another format, for example a web page where captions were declared.
    case otherFormat
    /// The document is larger than the limit in bytes.
    case tooLarge(limit: Int)
    /// The document has more cues than the limit.
    case tooLong(limit: Int)
}

extension TranscriptError: CustomStringConvertible {
    /// A phrase without a full stop, for use after the URL and a colon.
    public var description: String {
        switch self {
        case .empty: "the transcript is empty"
        case .otherFormat: "not a transcript: it has another format"
        case .tooLarge(let limit): "the transcript is larger than \(limit >> 20) MiB"
        case .tooLong(let limit): "the transcript has more than \(limit) lines"
        }
    }
}
