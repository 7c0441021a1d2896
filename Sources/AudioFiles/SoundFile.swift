// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A file of known type, read in its native format; used by `AudioFileReader`.
protocol SoundFile: AudioFrameReader {
    var fileFormat: AudioFileFormat { get }
    var metadata: AudioMetadata { get }
    /// The reason why `length` is less than the file itself declares; `nil` if it is not, or if only reading will
    /// show it.
    var shortfall: AudioFileError? { get }
    var damage: FileDamage { get }
}

extension AudioFileError {
    /// - Parameter name: The file's name for messages.
    static func reading(_ name: String, _ failure: MediaFailure) -> AudioFileError {
        failure.kind == .badData
            ? .damaged(path: name, reason: failure.reason) : .cannotRead(path: name, reason: failure.reason)
    }
}
