// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import SQLDatabase
import Synchronization

/// The current access to a library: its file, or a copy in memory while the file cannot be written.
final class LibraryAccess: Sendable {
    private enum State {
        case file(DatabaseQueue)
        case copy(LibraryInMemory)
        /// A closed connection, because neither the file nor a copy could be opened: the next call tries again.
        case closed(DatabaseQueue)

        var database: DatabaseQueue {
            switch self {
            case .file(let database), .closed(let database): database
            case .copy(let copy): copy.database
            }
        }

        /// True if it can be read, and no other process has written the file since a copy was made.
        var isCurrent: Bool {
            switch self {
            case .file: true
            case .copy(let copy): copy.isCurrent
            case .closed: false
            }
        }
    }

    private let path: String
    private let now: @Sendable () -> UTCTime
    private let state: Mutex<State>

    init(_ path: String, now: @escaping @Sendable () -> UTCTime) throws(LibraryError) {
        (self.path, self.now) = (path, now)
        state = Mutex(try Self.open(path, now))
    }

    /// - Parameter name: the name of the library in error messages.
    init(inMemory name: String, now: @escaping @Sendable () -> UTCTime) throws(LibraryError) {
        (path, self.now) = (name, now)
        let database = try Self.mapping(name) {
            try DatabaseQueue(configuration: LibraryFile.memoryConfiguration(now))
        }
        try Self.mapping(name) {
            try Schema.migrate(database)
            try SearchIndex.replaceIfOutdated(database)
        }
        state = Mutex(.file(database))
    }

    private static func open(_ path: String, _ now: @escaping @Sendable () -> UTCTime) throws(LibraryError) -> State {
        do throws(LibraryError) {
            return .file(try mapping(path) { try LibraryFile.open(path, now) })
        } catch where error.preventsWriting {
            // The error of opening the file explains more than the error of copying it.
            guard let copy = try? LibraryInMemory(of: path, because: error, now: now) else { throw error }
            return .copy(copy)
        }
    }

    private static func mapping<Value>(_ path: String, _ body: () throws -> Value) throws(LibraryError) -> Value {
        do { return try body() } catch { throw LibraryError(error, at: path) }
    }

    /// The reason why the library cannot be written; `nil` if none is known.
    var writeError: LibraryError? {
        state.withLock { if case .copy(let copy) = $0 { copy.writeError } else { nil } }
    }

    /// Returns a connection for reading. A copy is replaced if another process has changed the file since.
    func reading() throws(LibraryError) -> DatabaseQueue {
        try state.withLock { state throws(LibraryError) in
            if !state.isCurrent { state = try Self.open(path, now) }
            return state.database
        }
    }

    /// Returns a connection for writing. If the library was a copy or closed, tries to open the file again.
    func writing() throws(LibraryError) -> DatabaseQueue {
        try state.withLock { state throws(LibraryError) in
            switch state {
            case .file: break
            case .copy, .closed:
                state = .file(try Self.mapping(path) { [path, now] in try LibraryFile.open(path, now) })
            }
            return state.database
        }
    }

    /// Returns a new connection for writing, in place of one that cannot write.
    func reopening(_ stale: DatabaseQueue) throws(LibraryError) -> DatabaseQueue {
        try state.withLock { state throws(LibraryError) in
            if state.database === stale {
                // The connections of a process share SQLite's state of a file, so the old connection must be closed
                // first.
                try Self.mapping(path) { try stale.close() }
                do throws(LibraryError) {
                    state = .file(try Self.mapping(path) { [path, now] in try LibraryFile.open(path, now) })
                } catch {
                    // Reads cannot use the closed connection; with a copy, the next write opens the file again.
                    let copy = try? LibraryInMemory(of: path, because: error, now: now)
                    state = copy.map { State.copy($0) } ?? .closed(stale)
                    throw error
                }
            }
            return state.database
        }
    }

    /// The copy if it is in use and up to date; otherwise `nil`.
    var currentCopy: DatabaseQueue? {
        state.withLock { if case .copy(let copy) = $0, copy.isCurrent { copy.database } else { nil } }
    }

    /// Returns a copy in memory, for an operation that the file does not allow.
    func copying(because obstacle: LibraryError) throws(LibraryError) -> DatabaseQueue {
        try state.withLock { state throws(LibraryError) in
            if case .copy(let copy) = state, copy.isCurrent { return copy.database }
            let copy = try Self.mapping(path) { [path, now] in
                try LibraryInMemory(of: path, because: obstacle, now: now)
            }
            state = .copy(copy)
            return copy.database
        }
    }

    var database: DatabaseQueue { state.withLock { $0.database } }
}
