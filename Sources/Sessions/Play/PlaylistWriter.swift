// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources
import Media
import Playback
import TerminalInterface

/// Puts the resolved episodes of one request on the playlist, and numbers them.
struct PlaylistWriter {
    /// The parts that all requests share.
    struct Parts: Sendable {
        let player: Player
        let sources: EnclosureSources
        let send: AsyncStream<SessionEvent>.Continuation
        let transcripts: PlayedTranscripts
        let numbers: ItemNumbers.OfPlayer
    }

    /// An item, and the target that names it.
    struct Entry: Sendable {
        let item: PlaybackItem
        /// The episode in the library.
        let episode: Int64?
        let target: String
    }

    private let parts: Parts
    private let request: PlayRequest
    /// True if the playlist was empty before the request.
    let isFirst: Bool
    /// Gets each item when it is on the playlist; returns false if another player continues without it.
    private let note: @Sendable (Entry) -> Bool
    /// The start in the first item; `nil` starts at the listener's position.
    private var start: TimeTarget?
    /// The items of the request so far.
    private(set) var items: [Entry] = []

    init(_ parts: Parts, _ request: PlayRequest, isFirst: Bool, note: @escaping @Sendable (Entry) -> Bool) {
        (self.parts, self.request, self.isFirst, self.note) = (parts, request, isFirst, note)
        start = request.from?.time
    }

    /// True if the start depends on the first item, which is not known yet.
    var awaitsWords: Bool { if case .words = request.from { start == nil } else { false } }

    /// Finds the words of `--from` in the first item; does nothing without words.
    /// - Parameter isOnly: true if the item is the only one, to which `--until` applies too.
    /// - Throws: the reason if the words are not found. Nothing is played or recorded then.
    mutating func findStart(in first: ResolvedEpisode?, isOnly: Bool) async throws(MediaFailure) {
        guard awaitsWords, case .words(let words) = request.from, let first else { return }
        let passage = try await parts.transcripts.passage(with: words, in: first)
        let time = max(.zero, passage.time.lowerBound)
        if isOnly, case .time(let end) = request.until, end <= time {
            throw MediaFailure(.missing, "--until must be later than the words \"\(words)\"")
        }
        parts.send.yield(.noted("starting at \(passage.mark)\(ClockText.time(time)): \(passage.sentence)"))
        start = .time(time)
    }

    /// Puts episodes on the playlist, after those that this writer put there before. A cancelled task puts none there,
    /// because another player may take their numbers.
    /// - Parameter end: the end in the last of them; `nil` for its own.
    /// - Returns: false if the player has stopped before it got all of them.
    @discardableResult
    mutating func write(_ resolvedEpisodes: [ResolvedEpisode], until end: TimeTarget?) async -> Bool {
        for (place, resolved) in resolvedEpisodes.enumerated() {
            if let failure = await parts.sources.prepare(resolved), !Task.isCancelled {
                let remark = "playing the downloaded older version; the new one failed: \(failure.reason)"
                parts.send.yield(.remark("\(resolved.location): \(remark)"))
            }
            let playsFirst = items.isEmpty && (isFirst || request.place == .now)
            if playsFirst { await parts.sources.loadChapters(of: resolved) }
            guard !Task.isCancelled, let number = parts.numbers.take(for: resolved.target) else { return false }
            let episode = resolved.libraryEntry?.episode
            if let episode {
                parts.send.yield(.placed(number, episode: episode, author: resolved.libraryEntry?.author))
                if playsFirst { await parts.transcripts.prepare(number, as: episode) }
            }
            let isLast = place == resolvedEpisodes.count - 1
            let item = resolved.item(
                number, in: parts.sources, from: items.isEmpty ? start : nil, until: isLast ? end : nil)
            let entry = Entry(item: item, episode: episode, target: resolved.target)
            guard put(item) else { return false }
            parts.numbers.place(number)
            guard note(entry) else { return false }
            items.append(entry)
        }
        return true
    }

    /// - Returns: false if the player has stopped.
    private func put(_ item: PlaybackItem) -> Bool {
        guard !isFirst, request.place != .end else { return parts.player.send(.append(item)) }
        guard request.place == .now, items.isEmpty else {
            return parts.player.send(.insert(item, after: items.last?.item.id))
        }
        return parts.player.send(.interrupt(with: item)) && parts.player.send(.play)
    }
}

extension ResolvedEpisode {
    /// The target that names the episode in another process.
    var target: String {
        if let libraryEntry { return "\(libraryEntry.episode)" }
        return switch origin {
        case .file(let path): path
        case .remote(let enclosure): enclosure.url
        }
    }
}
