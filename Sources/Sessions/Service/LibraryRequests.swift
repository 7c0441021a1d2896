// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import EpisodeLibrary
import Media
import TerminalInterface

/// The requests of clients about podcasts and episodes.
enum LibraryRequests {
    private static let usualLimit = 50

    static func answer(_ request: ControlRequest, _ library: Library) throws(LibraryError) -> JSONValue {
        if request.method == .libraryPodcasts {
            return .object([.init("podcasts", EpisodeListJSON.list(try library.podcasts()))])
        }
        return .object([.init("episodes", EpisodeListJSON.list(try episodes(request, library)))])
    }

    private static func episodes(
        _ request: ControlRequest, _ library: Library
    ) throws(LibraryError) -> [EpisodeSummary] {
        let parameters = request.parameters
        let limit = parameters.integer("limit").map { Int(clamping: $0) } ?? usualLimit
        switch request.method {
        case .librarySearch:
            while try library.indexSome() > 0 {}
            return try library.search(parameters.text("words") ?? "", limit: limit)
        case .libraryMark:
            let episodes = try LibraryDesk.episodes(parameters.names, library)
            try library.mark(episodes, played: parameters.bool("played") ?? true)
            return try library.episodes(numbered: episodes)
        default:
            let states = (parameters.texts("states") ?? []).compactMap(EpisodeFilter.State.init)
            var filter = EpisodeFilter(states: Set(states))
            if let podcast = parameters.text("podcast") {
                filter.podcast = try library.podcast(named: podcast, isPodcast: true).id
            }
            return try library.episodes(filter, limit: limit).episodes
        }
    }
}
