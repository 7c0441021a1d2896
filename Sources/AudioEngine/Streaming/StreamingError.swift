// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Why an order to a `StreamingSource` or to a recorder was refused. What was refused changes nothing.
public enum StreamingError: Error, Sendable, Equatable {
    /// The engine computes in interleaved Float32 alone: choose that as the file's client format.
    case notRenderable(AudioFormat)
    /// The file has no such place.
    case outsideFile(frame: Int64)
    /// The loop's end is not behind its start.
    case emptyLoop(from: Int64, to: Int64)
    /// A loop is played once at least, and a crossfade has no fewer frames than none.
    case negativeCount
    /// Not a number, or not in `StreamingSource.rates`.
    case unsupportedRate(Double)
    /// The system has no thread left.
    case noThread
}
