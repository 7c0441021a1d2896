// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import FullScreen
import Media
import Screens
import Synchronization
import TerminalInterface

/// The library as the screen reads it, on two threads of its own: searches may first have to complete their index.
final class ScreenLibrary: Sendable {
    /// The most episodes that a search returns.
    private static let mostFound = 500

    private let pages: QueryThread
    private let searches: QueryThread

    init(_ box: ScreenMailbox, _ access: SharedLibrary) {
        (pages, searches) = (QueryThread(), QueryThread())
        for queries in [pages, searches] {
            queries.start { query in box.send(.answer(query, Self.answer(query, access))) }
        }
    }

    func load(_ query: LibraryQuery) {
        if case .episodes(let list, _, _) = query, case .search = list.source {
            searches.add(query)
        } else {
            pages.add(query)
        }
    }

    /// Ends the threads after their present query.
    func stop() {
        pages.stop()
        searches.stop()
    }

    private static func answer(_ query: LibraryQuery, _ access: SharedLibrary) -> LibraryAnswer {
        do throws(LibraryError) {
            return try answer(query, try access.library())
        } catch {
            return .failure(error.reason)
        }
    }

    private static func answer(_ query: LibraryQuery, _ library: Library) throws(LibraryError) -> LibraryAnswer {
        switch query {
        case .podcasts: return .podcasts(try library.podcasts().map { PodcastRow($0) })
        case .episodes(let list, let start, let count):
            return .episodes(try page(list, start, max(0, min(count, 1000)), library))
        case .details(let episode):
            let isStored = try library.hasTranscript(of: episode)
            let isLinked = try !library.transcriptLinks(of: episode).isEmpty
            return .details(EpisodeDetails(try library.record(of: episode), hasTranscript: isStored || isLinked))
        case .transcript(let episode):
            guard let stored = try library.transcript(of: episode) else {
                let isLinked = try !library.transcriptLinks(of: episode).isEmpty
                let advice = "no transcript is stored; to fetch it: earshot transcript \(episode)"
                return .failure(isLinked ? advice : "the feed lists no transcript of this episode")
            }
            return .transcript(stored.cues.map { TranscriptRow($0) })
        case .counts: return .counts(try counts(library))
        case .settings:
            let settings = try library.effectiveSettings()
            return .settings(SettingKey.allCases.map { SettingRow($0, settings) })
        }
    }

    private static func counts(_ library: Library) throws(LibraryError) -> LibraryCounts {
        let queue = try library.queue()
        let time = queue.reduce(Duration.zero) { sum, episode in
            sum + max(.zero, (episode.duration ?? .zero) - (episode.progress == .started ? episode.position : .zero))
        }
        let (unplayed, downloads) = try library.shownCounts()
        return LibraryCounts(queued: queue.count, queueTime: time, new: unplayed, downloads: downloads)
    }

    private static func page(
        _ list: EpisodeList, _ start: PageStart, _ count: Int, _ library: Library
    ) throws(LibraryError) -> EpisodePage {
        let (first, middle): (Int, Int64?) =
            switch start {
            case .top: (0, nil)
            case .index(let index): (index, nil)
            case .around(let episode, let index): (index, episode)
            }
        let source: EpisodePart.Source
        switch list.source {
        case .search(let words): return try found(words, list.filter, first, middle, count, library)
        case .all: source = .all
        case .podcast(let id): source = .podcast(id)
        case .new: source = .unplayed
        case .queue: source = .queue
        case .downloads: source = .downloads
        }
        let part = try library.part(
            of: source, containing: list.filter, from: first, around: middle, count: count, isCounted: start != .top)
        return EpisodePage(try rows(part.episodes, library), start: part.start, total: part.total)
    }

    private static func found(
        _ words: String, _ filter: String, _ first: Int, _ middle: Int64?, _ count: Int, _ library: Library
    ) throws(LibraryError) -> EpisodePage {
        // In slices, between which the other thread reads.
        while try library.indexSome() > 0 {}
        let terms = filter.lowercased().split(whereSeparator: \.isWhitespace)
        let all = try library.search(words, limit: mostFound).filter { episode in
            let text = "\(episode.name) \(episode.podcastTitle ?? "")".lowercased()
            return terms.allSatisfy { text.contains($0) }
        }
        let place = middle.flatMap { id in all.firstIndex { $0.id == id } }.map { $0 - count / 2 } ?? first
        let start = max(0, min(place, all.count - count))
        return EpisodePage(try rows(Array(all.dropFirst(start).prefix(count)), library), start: start, total: all.count)
    }

    private static func rows(_ episodes: [EpisodeSummary], _ library: Library) throws(LibraryError) -> [EpisodeRow] {
        var rows: [EpisodeRow] = []
        for episode in episodes {
            rows.append(EpisodeRow(episode, episode.download == nil ? nil : try library.download(of: episode.id)))
        }
        return rows
    }
}

/// The open library, for the threads that read it. An empty one stands in until a command creates the library.
final class SharedLibrary: Sendable {
    private let state = Mutex<(library: Library, isEmpty: Bool)?>(nil)
    private let box: ScreenMailbox

    /// - Parameter box: gets the report of a rescue.
    init(_ box: ScreenMailbox) { self.box = box }

    func library() throws(LibraryError) -> Library {
        try state.withLock { state throws(LibraryError) in
            if let state, !state.isEmpty { return state.library }
            let existing = try CompositionRoot.existingLibrary { [box] report in
                if case .error(let text) = report { box.send(.failure(text)) }
            }
            if let existing {
                state = (existing, false)
                return existing
            }
            if let state { return state.library }
            let empty = try CompositionRoot.emptyLibrary()
            state = (empty, true)
            return empty
        }
    }
}

/// Queries in order, on one thread. A query that already waits is not added again.
private final class QueryThread: Sendable {
    private struct State {
        var queries: [LibraryQuery] = []
        var isStopped = false
    }

    private let state = Mutex(State())
    private let wake = WakeSignal()

    func start(_ perform: @escaping @Sendable (LibraryQuery) -> Void) {
        let thread = WorkerThread.start { [self] in
            while let query = next() { perform(query) }
        }
        thread?.detach()
    }

    func add(_ query: LibraryQuery) {
        state.withLock { if !$0.queries.contains(query) { $0.queries.append(query) } }
        wake.signal()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        wake.signal()
    }

    /// - Returns: `nil` after `stop`.
    private func next() -> LibraryQuery? {
        while true {
            let (query, isStopped) = state.withLock { state in
                (state.queries.isEmpty ? nil : state.queries.removeFirst(), state.isStopped)
            }
            if isStopped { return nil }
            if let query { return query }
            wake.wait(atMost: nil)
        }
    }
}
