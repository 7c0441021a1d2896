// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Feeds
import Synchronization

/// A sink that merges one feed into the library while it is parsed.
final class MergingSink: FeedSink {
    private let order: RefreshOrder
    private let results: MergeResults
    private var merge: Result<FeedMerge, LibraryError>

    init(_ order: RefreshOrder, into library: Library, _ results: MergeResults) {
        self.order = order
        self.results = results
        merge = Result { () throws(LibraryError) in try FeedMerge(library, podcast: order.id) }
    }

    func receive(_ episodes: [ParsedEpisode]) {
        guard case .success(let merge) = merge else { return }
        do throws(LibraryError) {
            try merge.add(episodes)
        } catch {
            merge.abandon()
            self.merge = .failure(error)
        }
    }

    func finished(_ feed: ParsedFeed) {
        let isComplete = feed.nextPageURL == nil || order.wantsOlderPages
        results[order.id] = merge.flatMap { merge in
            Result { () throws(LibraryError) in try merge.commit(feed, isComplete: isComplete) }
        }
    }

    func abandoned() {
        if case .success(let merge) = merge { merge.abandon() }
    }
}

/// The results of the merges, by podcast. Thread-safe, because each sink ends on its own thread.
final class MergeResults: Sendable {
    typealias Outcome = Result<FeedMerge.Report, LibraryError>

    private let outcomes = Mutex<[Int64: Outcome]>([:])

    subscript(podcast: Int64) -> Outcome? {
        get { outcomes.withLock { $0[podcast] } }
        set { outcomes.withLock { $0[podcast] = newValue } }
    }
}
