// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
public import Podcasts

/// Something that playing an episode leaves in the library.
public struct PlayingNote: Sendable, Equatable {
    public enum Event: Sendable, Equatable {
        /// Its sound began: its audio is kept.
        case began
        case position(PlaybackPosition)
        case heard(Range<Duration>)
        /// It was played to its end.
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
    /// Writes the notes in one transaction. It survives a crash of the process at once, and a loss of power from
    /// `makeDurable` on.
    /// - Parameter patience: how many seconds it waits for another process.
    public func note(_ notes: [PlayingNote], waiting patience: Double) throws(LibraryError) {
        try write(waiting: patience) { db in for note in notes { try apply(note, db) } }
    }

    private func apply(_ note: PlayingNote, _ db: Database) throws {
        switch note.event {
        case .began: try want(note.episode, by: .playing, db)
        case .position(let position): try save(position, of: note.episode, at: note.at, db)
        case .heard(let range): try Listened.add(range, to: note.episode, db)
        case .finished(let heard): try finish(note.episode, heard: heard, at: note.at, db)
        }
    }

    /// Notes that were set aside may be older than what the library has by now.
    private func applyLate(_ note: PlayingNote, _ db: Database) throws {
        switch note.event {
        case .began where try wasRemoved(since: note, db): break
        case .began, .heard: try apply(note, db)
        case .position(let position) where try isOlder(note, db): try position.heard.map { try add($0, note, db) }
        case .finished(let heard) where try isOlder(note, db): try heard.map { try add($0, note, db) }
        case .position, .finished: try apply(note, db)
        }
    }

    private func wasRemoved(since note: PlayingNote, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT removed_at >= ? FROM download WHERE episode = ?",
            arguments: [note.at.secondsSince1970, note.episode]) ?? false
    }

    private func add(_ heard: Range<Duration>, _ note: PlayingNote, _ db: Database) throws {
        try Listened.add(heard, to: note.episode, db)
    }

    /// What was played in the future was noted by a clock that was wrong.
    private func isOlder(_ note: PlayingNote, _ db: Database) throws -> Bool {
        let played = try Int64.fetchOne(
            db, sql: "SELECT played_at FROM playback WHERE episode = ? AND played_at <= ?",
            arguments: [note.episode, now().secondsSince1970])
        return played.map { $0 > note.at.secondsSince1970 } ?? false
    }
}

// MARK: Set aside
extension Library {
    private var aside: NotesAside { NotesAside(beside: path) }

    /// Keeps the notes in a file beside the library, which another process holds; they are taken in when the library is
    /// opened next.
    /// - Parameter name: of the file; one of the same name is replaced.
    public func setAside(_ notes: [PlayingNote], as name: String) throws(LibraryError) {
        try aside.keep(notes, as: name)
    }

    /// The notes of this name are in the library now.
    public func dropAside(_ name: String) { aside.drop([name]) }

    /// Takes in the notes that were set aside. While the library cannot be written they stay there, and are seen in a
    /// copy.
    func takeNotesAside() throws(LibraryError) {
        let files = aside.files()
        guard !files.isEmpty else { return }
        let take: (Database) throws -> Void = { [self] db in
            for note in files.flatMap(\.notes) { try applyLate(note, db) }
        }
        do throws(LibraryError) {
            try write(waiting: Self.shortPatience, take)
            aside.drop(files.map(\.name))
        } catch where error.isObstacle || error.kind == .busy {
            try writeInCopy(because: error, take)
        }
    }
}
