// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The reason why the header of a codec yields no format.
public enum CodecHeaderError: Error, Sendable, Equatable {
    case damaged(MediaFailure)
    /// The header describes audio that Earshot cannot play.
    case unsupported(MediaFailure)

    /// The failure of the file.
    public var failure: MediaFailure {
        switch self {
        case .damaged(let failure), .unsupported(let failure): failure
        }
    }
}
