// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioProcessing

/// The stored measurement of the loudness of a whole file.
public struct KeptLoudness: Sendable, Equatable {
    public let histogram: LoudnessHistogram
    /// The measured file: one with another fingerprint is another version.
    public let file: FileFingerprint

    public init(_ histogram: LoudnessHistogram, of file: FileFingerprint) {
        (self.histogram, self.file) = (histogram, file)
    }
}
