// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioOutput
public import Media

extension AudioOutputError {
    /// Returns the error as a media failure.
    /// - Parameter kind: the kind of a file that cannot be written.
    public func mediaFailure(_ kind: MediaFailure.Kind) -> MediaFailure {
        switch self {
        case .noServer(let reason): MediaFailure(.unavailable, reason)
        case .refused(let operation, let reason): MediaFailure(.unavailable, "\(operation): \(reason)")
        case .cannotWrite(let path, let reason): MediaFailure(kind, "cannot write \(path): \(reason)")
        }
    }
}
