// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioProcessing

/// The stored measurement of the loudness of a whole file.
public struct KeptLoudness: Sendable, Equatable {
    public let histogram: LoudnessHistogram
    /// The file's length in bytes: a file of another length is another version.
    public let totalLength: Int64

    public init(_ histogram: LoudnessHistogram, totalLength: Int64) {
        (self.histogram, self.totalLength) = (histogram, totalLength)
    }
}
