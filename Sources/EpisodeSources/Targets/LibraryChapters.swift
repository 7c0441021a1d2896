// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
public import EpisodeLibrary
public import Logging
import Media
public import Subscriptions
import Synchronization

/// The lists of chapters of the library's episodes, which are read off the playback thread: another process may hold
/// the library.
///
/// A document of chapters that no refresh has fetched yet is fetched when its episode is played.
public final class LibraryChapters: Sendable {
    private let library: Library
    private let documents: ChapterDocumentRefresh
    private let logger: Logger
    private let disk = DispatchQueue(label: "earshot.chapters")
    private let loaded = Mutex<[Int64: [ChapterList]]>([:])
    /// The functions that are called when the lists of an episode were read.
    private let changed = Mutex<[Int64: @Sendable () -> Void]>([:])
    /// The episodes whose documents were requested; one that fails is not requested again.
    private let requested = Mutex<Set<Int64>>([])

    public init(_ library: Library, documents: ChapterDocumentRefresh, logger: Logger) {
        (self.library, self.documents, self.logger) = (library, documents, logger)
    }

    /// Starts to read the lists of an episode that is played, and to fetch its document if it is due. Returns
    /// immediately.
    func load(_ episode: Int64) {
        guard requested.withLock({ $0.insert(episode).inserted }) else { return }
        disk.async { [self] in
            read(episode)
            Task { await fetch(episode) }
        }
    }

    /// Returns the lists of an episode; `nil` until they were read.
    func lists(of episode: Int64) -> [ChapterList]? { loaded.withLock { $0[episode] } }

    /// Sets the function that is called when the lists of an episode were read.
    func onChange(of episode: Int64, _ changed: @escaping @Sendable () -> Void) {
        self.changed.withLock { $0[episode] = changed }
    }

    /// Reads the lists of an episode, which may block.
    func read(_ episode: Int64) {
        guard lists(of: episode) == nil else { return }
        do throws(LibraryError) { try readAgain(episode) } catch { note(error) }
    }

    private func readAgain(_ episode: Int64) throws(LibraryError) {
        let lists = try library.chapterLists(of: episode)
        loaded.withLock { $0[episode] = lists }
        changed.withLock { $0[episode] }?()
    }

    private func fetch(_ episode: Int64) async {
        do throws(LibraryError) {
            guard try await documents.fetch(ofPlayed: episode) else { return }
            try await DiskWork.run { [self] () throws(LibraryError) in try readAgain(episode) }
        } catch { note(error) }
    }

    /// Playback does not depend on chapters.
    private func note(_ error: LibraryError) {
        logger.info("cannot read chapters", metadata: ["error": "\(error)"])
    }
}
