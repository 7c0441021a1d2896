// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// An error that explains why a `StreamingSource` or a recorder rejected an order. A rejected order has no effect.
public enum StreamingError: Error, Sendable, Equatable {
    /// The engine computes only in interleaved Float32; choose that as the file's client format.
    case notRenderable(AudioFormat)
    /// The file has no such position.
    case outsideFile(frame: Int64)
    /// The loop's end is not after its start.
    case emptyLoop(from: Int64, to: Int64)
    /// The number of passes of a loop is less than 1, or the length of a crossfade is negative.
    case negativeCount
    /// The rate is NaN or not in `StreamingSource.rates`.
    case unsupportedRate(Double)
    /// The system could not create a thread.
    case noThread
}
