// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
import Podcasts
import Synchronization

/// How a library is reached now: its file, or a copy in memory while the file cannot be written.
final class LibraryAccess: Sendable {
    private enum State {
        case file(DatabaseQueue)
        case copy(LibraryInMemory)

        var database: DatabaseQueue {
            switch self {
            case .file(let database): database
            case .copy(let copy): copy.database
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

    /// - Parameter name: what errors call it.
    init(inMemory name: String, now: @escaping @Sendable () -> UTCTime) throws(LibraryError) {
        (path, self.now) = (name, now)
        let database = try Self.mapping(name) {
            try DatabaseQueue(configuration: LibraryFile.memoryConfiguration(now))
        }
        try Self.mapping(name) {
            try Schema.bringUpToDate(database)
            try SearchIndex.bringUpToDate(database)
        }
        state = Mutex(.file(database))
    }

    private static func open(_ path: String, _ now: @escaping @Sendable () -> UTCTime) throws(LibraryError) -> State {
        do throws(LibraryError) {
            return .file(try mapping(path) { try LibraryFile.open(path, now) })
        } catch where error.isObstacle {
            // What keeps it from being copied says less than what keeps it from being opened.
            guard let copy = try? LibraryInMemory(of: path, because: error, now: now) else { throw error }
            return .copy(copy)
        }
    }

    private static func mapping<Value>(_ path: String, _ body: () throws -> Value) throws(LibraryError) -> Value {
        do { return try body() } catch { throw LibraryError(error, at: path) }
    }

    /// Why the library cannot be written; `nil` where nothing is known against it.
    var obstacle: LibraryError? {
        state.withLock { if case .copy(let copy) = $0 { copy.obstacle } else { nil } }
    }

    /// For reading: a copy that others have written past is made again.
    func reading() throws(LibraryError) -> DatabaseQueue {
        try state.withLock { state throws(LibraryError) in
            if case .copy(let copy) = state, !copy.isCurrent { state = try Self.open(path, now) }
            return state.database
        }
    }

    /// For writing: where it could not be written before, it may be by now.
    func writing() throws(LibraryError) -> DatabaseQueue {
        try state.withLock { state throws(LibraryError) in
            if case .copy = state {
                state = .file(try Self.mapping(path) { [path, now] in try LibraryFile.open(path, now) })
            }
            return state.database
        }
    }

    /// For writing, in place of a connection that does not write.
    func reopening(_ stale: DatabaseQueue) throws(LibraryError) -> DatabaseQueue {
        try state.withLock { state throws(LibraryError) in
            if state.database === stale {
                // The connections of a process share what SQLite knows of a file; a new one would know no more.
                try Self.mapping(path) { try stale.close() }
                state = .file(try Self.mapping(path) { [path, now] in try LibraryFile.open(path, now) })
            }
            return state.database
        }
    }

    /// The copy that is read now; `nil` while the file is.
    var currentCopy: DatabaseQueue? {
        state.withLock { if case .copy(let copy) = $0, copy.isCurrent { copy.database } else { nil } }
    }

    /// A copy, for something that cannot be done in the file.
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
