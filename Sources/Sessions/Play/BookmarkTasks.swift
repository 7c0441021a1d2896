// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeSources
import Media
import Playback
import TerminalInterface

/// The changes of bookmarks that are being stored. Playback and the display go on while one waits for the library.
struct BookmarkTasks {
    /// The result of a change, for the listener.
    enum Outcome: Sendable {
        case silent
        case note(String)
        case failed(MediaFailure, about: String)
    }

    private let writer: BookmarkWriter
    private let send: AsyncStream<SessionEvent>.Continuation
    private var tasks: [Int: Task<Outcome, Never>] = [:]
    private var count = 0

    init(_ writer: BookmarkWriter, _ send: AsyncStream<SessionEvent>.Continuation) {
        (self.writer, self.send) = (writer, send)
    }

    /// Adds a bookmark.
    /// - Parameters:
    ///   - episode: the episode of the item; `nil` if the library does not have it.
    ///   - position: an exact or estimated time.
    ///   - length: the length of the file in bytes, if it is known.
    mutating func add(
        _ item: PlaybackItem, _ episode: Int64?, at position: Duration, from anchor: TimeAnchor?, in length: Int64?,
        title: String?
    ) {
        start(about: "bookmark") { [writer] () async throws(MediaFailure) in
            let sentence = try await writer.add(episode, at: position, from: anchor, in: length, title: title)
            return .note("\(sentence) at \(ClockText.time(position, isEstimated: anchor != nil)) of \"\(item.title)\"")
        }
    }

    /// Makes the estimated bookmarks of an episode exact that count from a packet.
    mutating func correct(_ item: PlaybackItem, _ episode: Int64?, from anchor: TimeAnchor, by correction: Duration) {
        start(about: "bookmarks of \(item.title)") { [writer] () async throws(MediaFailure) in
            try await writer.correct(episode, from: anchor, by: correction)
            return .silent
        }
    }

    /// Moves the bookmarks of an episode to the version that replaced its audio.
    mutating func move(_ item: PlaybackItem, _ episode: Int64?, _ change: VersionChange) {
        start(about: "bookmarks of \(item.title)") { [writer] () async throws(MediaFailure) in
            try await writer.move(episode, change)
            return .silent
        }
    }

    private mutating func start(
        about subject: String, _ work: @escaping @Sendable () async throws(MediaFailure) -> Outcome
    ) {
        count += 1
        tasks[count] = Task { [send, count] in
            defer { send.yield(.bookmarkEnded(count)) }
            do throws(MediaFailure) { return try await work() } catch { return .failed(error, about: subject) }
        }
    }

    /// Returns the outcome of a task that has ended; `nil` if it was returned before.
    mutating func outcome(_ number: Int) async -> Outcome? { await tasks.removeValue(forKey: number)?.value }

    /// Lets each remaining task try only once more.
    func endSoon() { for task in tasks.values { task.cancel() } }

    /// Returns the outcomes of the remaining tasks, in order.
    mutating func outcomes() async -> [Outcome] {
        var outcomes: [Outcome] = []
        for number in tasks.keys.sorted() { if let outcome = await outcome(number) { outcomes.append(outcome) } }
        return outcomes
    }
}

extension PlaySession {
    /// Stores what an event of the player says of bookmarks.
    mutating func storeBookmarks(after event: PlayerEvent) {
        switch event {
        case .marked(let item, let position, _, let anchor, let title):
            let length = player.status.item?.id == item.id ? player.status.downloadProgress?.total : nil
            bookmarks.add(
                item, positions.episode(of: item.id), at: position, from: anchor, in: anchor?.totalLength ?? length,
                title: title)
        case .timesCorrected(let item, let anchor, let correction):
            bookmarks.correct(item, positions.episode(of: item.id), from: anchor, by: correction)
        case .versionChanged(let item, _, _, let change?):
            bookmarks.move(item, positions.episode(of: item.id), change)
        default: break
        }
    }

    mutating func report(_ outcome: BookmarkTasks.Outcome) {
        switch outcome {
        case .silent: break
        case .note(let sentence):
            control?.publish(note: sentence)
            if !options.session.json { write(reporter.note(sentence)) }
        case .failed(let failure, let subject):
            control?.publish(failure, about: subject)
            write(reporter.report(failure, about: subject))
        }
    }
}
