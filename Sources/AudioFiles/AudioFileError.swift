// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a file of sound could not be opened, read or written. The reasons are phrases without a full stop.
public enum AudioFileError: Error, Sendable, Equatable {
    /// It is not there, may not be read, or is a directory.
    case cannotOpen(path: String, reason: String)
    /// Too little of it has arrived to tell what is in it; later it may be opened.
    case notArrived(path: String)
    /// It holds no sound that can be read.
    case unsupported(path: String, reason: String)
    /// From here on it makes no sense, or it ends before it says it does: what comes in front of it was read.
    case damaged(path: String, reason: String)
    /// What is there cannot be read.
    case cannotRead(path: String, reason: String)
    /// It cannot be written, or not any further: a full disk, a directory that may not be written.
    case cannotWrite(path: String, reason: String)
    /// No file of this kind can hold this format.
    case unsupportedFormat(reason: String)
    /// Whoever asked for it does not want it any more.
    case cancelled
}
