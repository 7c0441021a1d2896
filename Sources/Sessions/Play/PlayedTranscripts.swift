// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Logging
import Media
import Playback
import Subscriptions
import Synchronization
import TerminalInterface

/// The transcripts of the played episodes: loads them to show them, fetches them, and finds words in them.
final class PlayedTranscripts: Sendable {
    private let parts: SessionParts
    private let isShown: Bool
    private let send: AsyncStream<SessionEvent>.Continuation
    private let tasks = RunningTasks()
    /// The episodes whose transcripts were requested; one that fails is not requested again.
    private let requested = Mutex<Set<Int64>>([])

    init(_ parts: SessionParts, isShown: Bool, send: AsyncStream<SessionEvent>.Continuation) {
        (self.parts, self.isShown, self.send) = (parts, isShown, send)
    }

    /// Stops the fetches. After the end of playback they may continue for up to 3 s: an output without a pace
    /// plays an episode in less time than a fetch takes.
    func stop(afterEnd: Bool) async {
        if afterEnd { await tasks.finish(atMost: .seconds(3)) }
        tasks.cancel()
    }

    /// Loads a stored transcript to show it, before the item can be heard.
    func prepare(_ item: PlaybackItem.ID, as episode: Int64) async {
        guard isShown, let transcripts = parts.playedTranscripts else { return }
        do throws(MediaFailure) {
            guard let stored = try await transcripts.stored(episode), stored.isTimed else { return }
            send.yield(.transcript(item, stored))
        } catch {
            // It must not prevent playback; `begin` tries again and reports it.
            return
        }
    }

    /// Loads the transcript of an item that is heard, or fetches it if the options or the settings ask for it.
    /// - Parameter episode: `nil` if the library does not have the episode.
    func begin(_ item: PlaybackItem, as episode: Int64?) {
        guard let transcripts = parts.playedTranscripts, let episode else {
            if isShown { remark(item, "no transcript is shown: the episode is not in the library") }
            return
        }
        let isNew = requested.withLock { $0.insert(episode).inserted }
        tasks.start { [self] in
            do throws(MediaFailure) {
                if let stored = try await load(episode, transcripts, fetches: isNew), isShown {
                    guard stored.isTimed else { return remark(item, "its transcript has no times, so it is not shown") }
                    send.yield(.transcript(item.id, stored))
                }
            } catch {
                guard !Task.isCancelled else { return }
                if isShown { return remark(item, error.reason) }
                parts.logger.info("cannot fetch the transcript", metadata: ["reason": "\(error.reason)"])
            }
        }
    }

    private func load(
        _ episode: Int64, _ transcripts: LibraryTranscripts, fetches: Bool
    ) async throws(MediaFailure) -> StoredTranscript? {
        guard isShown else { return fetches ? try await transcripts.fetchByRule(episode, on: .downloaded) : nil }
        return fetches ? try await transcripts.transcript(of: episode) : try await transcripts.stored(episode)
    }

    private func remark(_ item: PlaybackItem, _ reason: String) {
        send.yield(.remark("\(item.title): \(reason)"))
    }
}

// MARK: Words
extension PlayedTranscripts {
    /// A passage of a transcript with times.
    struct Passage: Sendable {
        /// The time of the cue with the first word.
        let time: Range<Duration>
        let sentence: String
        /// The mark of a time that belongs to another version of the audio.
        let mark: String
    }

    /// Returns the passage that contains the words.
    func passage(with words: String, in resolved: ResolvedEpisode) async throws(MediaFailure) -> Passage {
        guard let transcripts = parts.playedTranscripts, let library = parts.library,
            let episode = resolved.libraryEntry?.episode
        else {
            throw MediaFailure(
                .missing, "--from \"\(words)\": not a time, and only episodes in the library have transcripts")
        }
        do throws(MediaFailure) {
            let stored = try await transcripts.transcript(of: episode)
            guard stored.isTimed else { throw MediaFailure(.missing, "its transcript has no times") }
        } catch {
            throw MediaFailure(error.kind, "--from \"\(words)\": \(error.reason)")
        }
        guard let hit = try await hit(words, in: episode, library), let time = hit.time else {
            throw MediaFailure(.missing, "--from \"\(words)\": its transcript does not contain these words")
        }
        return Passage(time: time, sentence: hit.sentence, mark: hit.timing == .approximate ? "~" : "")
    }

    private func hit(
        _ words: String, in episode: Int64, _ library: Library
    ) async throws(MediaFailure) -> TranscriptHit? {
        do throws(LibraryError) {
            return try await DiskWork.run { () throws(LibraryError) in
                while try library.indexSome() > 0 {}
                return try library.searchTranscripts(words, in: episode, limit: 1).first
            }
        } catch {
            throw MediaFailure(error)
        }
    }
}
