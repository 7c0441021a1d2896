// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

/// A record of playback for the library.
public struct PlaybackRecord: Sendable, Equatable {
    /// The kind of a note, with its values.
    public enum Event: Sendable, Equatable {
        /// Playback of the episode started: its audio is kept.
        case began
        case position(PlaybackPosition)
        case played(Range<Duration>)
        /// The episode was played to its end.
        case finished(heard: Range<Duration>?)
    }

    public let episode: Int64
    public let event: Event
    public let at: UTCTime

    public init(_ episode: Int64, _ event: Event, at time: UTCTime) {
        (self.episode, self.event, at) = (episode, event, time)
    }
}

extension Library {
    /// Writes the notes in one transaction. It survives a crash of the process immediately and a power failure after
    /// `makeDurable`.
    /// - Parameters:
    ///   - listened: times to add to those in the library.
    ///   - patience: the number of seconds to wait for another process.
    public func savePlayback(
        _ notes: [PlaybackRecord], listened: [ListeningRecord] = [], waiting patience: Double
    ) throws(LibraryError) {
        try write(waiting: patience) { db in
            for note in notes { try apply(moved(note, db), db) }
            for record in listened { try record.add(to: db, of: current(record.episode, db)) }
        }
    }

    /// Returns the note for the episode into which its episode was merged since it was played.
    private func moved(_ note: PlaybackRecord, _ db: Database) throws -> PlaybackRecord {
        PlaybackRecord(try current(note.episode, db), note.event, at: note.at)
    }

    private func apply(_ note: PlaybackRecord, _ db: Database) throws {
        switch note.event {
        case .began: try requestDownload(note.episode, by: .playing, db)
        case .position(let position): try save(position, of: note.episode, at: note.at, db)
        case .played(let range): try PlayedRanges.add(range, to: note.episode, db)
        case .finished(let heard): try finish(note.episode, heard: heard, at: note.at, db)
        }
    }

    /// Applies a note that was set aside, which may be older than the library's data.
    private func applyLate(_ note: PlaybackRecord, _ db: Database) throws {
        switch note.event {
        case .began where try wasRemoved(since: note, db): break
        case .began, .played: try apply(note, db)
        case .position(let position) where try isOlder(note, db): try position.playedRange.map { try add($0, note, db) }
        case .finished(let heard) where try isOlder(note, db): try heard.map { try add($0, note, db) }
        case .position, .finished: try apply(note, db)
        }
    }

    private func wasRemoved(since note: PlaybackRecord, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT removed_at >= ? FROM download WHERE episode = ?",
            arguments: [note.at.secondsSince1970, note.episode]) ?? false
    }

    private func add(_ heard: Range<Duration>, _ note: PlaybackRecord, _ db: Database) throws {
        try PlayedRanges.add(heard, to: note.episode, db)
    }

    /// True if the library has a later position; a position in the future was recorded by a wrong clock and is
    /// ignored.
    private func isOlder(_ note: PlaybackRecord, _ db: Database) throws -> Bool {
        let played = try Int64.fetchOne(
            db, sql: "SELECT played_at FROM playback WHERE episode = ? AND played_at <= ?",
            arguments: [note.episode, now().secondsSince1970])
        return played.map { $0 > note.at.secondsSince1970 } ?? false
    }
}

// MARK: Notes set aside
extension Library {
    private var fallbackFiles: FallbackPositionFiles { FallbackPositionFiles(beside: path, or: runtimeFolder) }

    /// Stores the notes in a file beside the library while another process holds the library locked, or in a file in
    /// the runtime folder while the disk is full or read-only; the next process that opens the library merges them.
    /// - Parameter name: the name of the file; an existing file is replaced.
    /// - Returns: the folder of the file.
    @discardableResult
    public func storeFallback(_ notes: [PlaybackRecord], as name: String) throws(LibraryError) -> String {
        try fallbackFiles.keep(notes, as: name)
    }

    /// Deletes the file after its notes were stored in the library.
    public func deleteFallback(_ name: String) { fallbackFiles.drop([name]) }

    /// Merges the notes that were set aside.
    func importFallbackPositions() throws(LibraryError) { try importNotes(in: fallbackFiles) }

    /// Merges the notes that an earlier version set aside beside a link to the library.
    func importFallbackPositions(besideLink link: String) throws(LibraryError) {
        try importNotes(in: FallbackPositionFiles(beside: link, or: runtimeFolder))
    }

    /// Merges the notes of files. While the library cannot be written, the files stay, and the notes are merged into
    /// the copy in memory.
    private func importNotes(in fallbackFiles: FallbackPositionFiles) throws(LibraryError) {
        let files = fallbackFiles.files()
        guard !files.isEmpty else { return }
        let take: (Database) throws -> Void = { [self] db in
            for note in files.flatMap(\.notes) { try applyLate(moved(note, db), db) }
        }
        do throws(LibraryError) {
            try write(waiting: Self.shortPatience, take)
            fallbackFiles.drop(files.map(\.name))
        } catch where error.preventsWriting || error.kind == .busy {
            try writeInCopy(because: error, take)
        }
    }
}
