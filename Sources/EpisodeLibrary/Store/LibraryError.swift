// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB
import Glibc

/// Why the library could not do what it was asked.
public struct LibraryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of trouble it is; decides the exit status.
    public enum Kind: Sendable, Equatable, CaseIterable {
        /// Nothing in the library is called that.
        case missing
        /// The words mean several things.
        case ambiguous
        /// What was asked makes no sense here.
        case invalid
        /// Another process has held the library for longer than anybody waits.
        case busy
        /// The file cannot be made or written.
        case notWritable
        /// The disk is full.
        case full
        /// The file is no library, or is damaged.
        case damaged
        /// A later version of this program made it.
        case newer
        case inputOutput
    }

    public let kind: Kind
    /// A phrase without a full stop.
    public let reason: String
    /// What an ambiguous name can mean, the closest first; else empty.
    public let choices: [String]

    public init(_ kind: Kind, _ reason: String) {
        (self.kind, self.reason, choices) = (kind, reason, [])
    }

    init(_ reason: String, choices: [String]) {
        (kind, self.reason, self.choices) = (.ambiguous, reason, choices)
    }

    public var description: String { choices.isEmpty ? reason : reason + ": " + choices.joined(separator: "; ") }
}

extension LibraryError {
    /// - Parameter path: the file that the error is about.
    init(_ error: any Error, at path: String) {
        if let error = error as? LibraryError {
            self = error
        } else if let error = error as? DatabaseError {
            self.init(error, at: path)
        } else {
            self.init(.inputOutput, "the library \(path): \(error)")
        }
    }

    private init(_ error: DatabaseError, at path: String) {
        let words = error.message ?? "error \(error.resultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, "the library \(path) is held by another process")
        case .SQLITE_FULL:
            self.init(.full, "the library \(path) cannot be written: the disk is full")
        // The file that processes share about the log has to grow, also for those that only read.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
            self.init(.full, "the library \(path) cannot be written: the disk is full")
        // Any other reason than ENOSPC.
        case .SQLITE_IOERR where [.SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMOPEN].contains(error.extendedResultCode):
            self.init(.full, "the library \(path) cannot be written: the disk is full, or your quota is used up")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            self.init(.notWritable, "the library \(path) cannot be written: \(Self.hindrance(path) ?? words)")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.damaged, "the library \(path) is damaged (\(words)): \"earshot doctor\" repairs it")
        default:
            self.init(.inputOutput, "the library \(path): \(words)")
        }
    }

    /// - Returns: what the system has against writing the file or beside it; `nil` for nothing.
    private static func hindrance(_ path: String) -> String? {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        for place in [path, folder.isEmpty ? "." : folder] where access(place, R_OK | W_OK) != 0 {
            return String(cString: strerror(errno))
        }
        return nil
    }

    /// Whether the library can perhaps be read, but not written.
    var isObstacle: Bool { [.full, .notWritable, .inputOutput].contains(kind) }
}
