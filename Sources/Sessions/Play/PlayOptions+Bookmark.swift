// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Media
import Subscriptions
import TerminalInterface

extension PlayOptions {
    /// Returns the options to play the episode of the bookmark or soundbite from there, for which it opens the library.
    /// - Parameter announce: receives a sentence that describes an inexact match of the target.
    /// - Throws: `missing` or `ambiguous` if not exactly one bookmark has that name.
    func atBookmark(announce: @escaping @Sendable (String) -> Void) async throws(LibraryError) -> PlayOptions {
        guard bookmark != nil else { return self }
        let library = try await DiskWork.run { () throws(LibraryError) in try CompositionRoot.existingLibrary() }
        return try await atBookmark(in: library, announce: announce)
    }

    /// Returns the options to play the episode of the bookmark or soundbite from there.
    /// - Parameter announce: receives a sentence that describes an inexact match of the target.
    /// - Throws: `missing` or `ambiguous` if not exactly one bookmark has that name.
    func atBookmark(
        in library: Library?, announce: @escaping @Sendable (String) -> Void
    ) async throws(LibraryError) -> PlayOptions {
        guard let bookmark else { return self }
        guard let library else { throw LibraryError(.missing, "there is no bookmark \"\(bookmark)\"") }
        let (name, scope) = (targets.first, scope)
        let found = try await DiskWork.run { () throws(LibraryError) in
            guard let name else { return try library.place(named: bookmark) }
            var podcast: Int64?
            if case .episodes(let title) = scope { podcast = try library.podcast(named: title, isPodcast: true).id }
            let match = try library.episodeMatch(name, in: podcast)
            if let taken = match.taken { announce(TargetResolver.sentence(matching: name, taken)) }
            return try library.place(named: bookmark, in: match.object.id)
        }
        var options = self
        (options.targets, options.scope) = (["\(found.episode)"], .everything)
        options.from = .time(TimeTarget(found.position, from: found.anchor))
        return options
    }
}
