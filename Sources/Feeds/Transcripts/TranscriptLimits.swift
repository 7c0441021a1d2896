// SPDX-License-Identifier: GPL-3.0-or-later

/// The resource limits of a transcript. A document beyond `totalBytes` or `cues` is refused; longer names are cut.
struct TranscriptLimits: Sendable {
    /// The size of the document, as received.
    var totalBytes = 8 << 20
    /// The number of cues: more than one for each word of 24 hours.
    var cues = 250_000
    /// The size of the text of one cue. Longer text is divided into several cues of the same time.
    var textBytes = 4 << 10
    /// The size of a speaker's name.
    var speakerBytes = 128
}
