// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media

/// Tells the library how the download of one of its episodes goes.
public struct DownloadRecorder: Sendable {
    private let library: Library

    public init(_ library: Library) {
        self.library = library
    }

    func begin(_ playable: Playable) throws(LibraryError) {
        guard let episode = playable.place?.episode else { return }
        try library.want(episode, by: .listener)
    }

    func note(_ arrival: Arrival, of playable: Playable) throws(LibraryError) {
        guard let episode = playable.place?.episode else { return }
        try library.note(arrival, of: episode)
    }
}
