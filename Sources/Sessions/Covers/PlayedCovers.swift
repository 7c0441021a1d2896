// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import HTTPTransfer
import Playback
import Subscriptions

/// The covers of the played episodes, for the desktop.
struct PlayedCovers {
    private let parts: SessionParts
    private let send: AsyncStream<SessionEvent>.Continuation
    private let files = CoverFiles()

    init(_ parts: SessionParts, send: AsyncStream<SessionEvent>.Continuation) {
        (self.parts, self.send) = (parts, send)
    }

    /// Looks for the cover of an item that is heard, and sends its path.
    func begin(_ item: PlaybackItem, as episode: Int64?) {
        guard let library = parts.library, let episode else { return }
        Task { [files, parts, send] in
            let source = await DiskWork.run { () throws(Never) in
                try? CoverFiles.source(of: episode, isOwn: true, in: library)
            }
            guard let source, let path = await files.file(of: source, over: { parts.transport }) else { return }
            send.yield(.covered(item.id, path: path))
        }
    }
}
