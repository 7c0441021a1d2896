// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Media
import Subscriptions
import TerminalInterface

extension PlayOptions {
    /// Returns the options to play the episode of the bookmark or soundbite from there, for which it opens the library.
    /// - Throws: `missing` or `ambiguous` if not exactly one bookmark has that name.
    func atBookmark() async throws(LibraryError) -> PlayOptions {
        guard bookmark != nil else { return self }
        let library = try await DiskWork.run { () throws(LibraryError) in try CompositionRoot.existingLibrary() }
        return try await atBookmark(in: library)
    }

    /// Returns the options to play the episode of the bookmark or soundbite from there.
    /// - Throws: `missing` or `ambiguous` if not exactly one bookmark has that name.
    func atBookmark(in library: Library?) async throws(LibraryError) -> PlayOptions {
        guard let bookmark else { return self }
        guard let library else { throw LibraryError(.missing, "there is no bookmark \"\(bookmark)\"") }
        let (name, scope) = (targets.first, scope)
        let found = try await DiskWork.run { () throws(LibraryError) in
            guard let name else { return try library.place(named: bookmark) }
            var podcast: Int64?
            if case .episodes(let title) = scope { podcast = try library.podcast(named: title, isPodcast: true).id }
            let episode = try library.episodeMatch(name, in: podcast).object
            return try library.place(named: bookmark, in: episode.id)
        }
        var options = self
        (options.targets, options.scope) = (["\(found.episode)"], .everything)
        options.from = .time(TimeTarget(found.position, from: found.anchor))
        return options
    }
}
