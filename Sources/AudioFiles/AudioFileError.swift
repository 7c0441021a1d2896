// SPDX-License-Identifier: GPL-3.0-or-later

/// An error of opening, reading or writing an audio file. The reasons are phrases without a full stop.
public enum AudioFileError: Error, Sendable, Equatable {
    /// The file is missing, not readable, or a directory.
    case cannotOpen(path: String, reason: String)
    /// Too little of the file has arrived to identify its content; it may be opened later.
    case notArrived(path: String)
    /// The file contains no readable audio.
    case unsupported(path: String, reason: String)
    /// The file is damaged from here on, or ends before its declared length; the frames before this point were read.
    case damaged(path: String, reason: String)
    /// The file cannot be read.
    case cannotRead(path: String, reason: String)
    /// The file cannot be created or written further: a full disk, a directory without write permission.
    case cannotWrite(path: String, reason: String)
    /// A file of this type cannot have this format.
    case unsupportedFormat(reason: String)
    /// The request was cancelled.
    case cancelled
}
