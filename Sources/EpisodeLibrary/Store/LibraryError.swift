// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import SQLDatabase

/// An error of the library.
public struct LibraryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error; it determines the exit status.
    public enum Kind: Sendable, Equatable, CaseIterable {
        /// The library contains no object with this name.
        case missing
        /// The name matches several objects.
        case ambiguous
        /// The request is not valid.
        case invalid
        /// Another process has held the library longer than the timeout.
        case busy
        /// The file cannot be created or written.
        case notWritable
        /// The disk is full.
        case full
        /// The file is not a library, or it is damaged.
        case damaged
        /// A later version of this program created the file.
        case newer
        case inputOutput
    }

    public let kind: Kind
    /// The reason, as a phrase without a full stop.
    public let reason: String
    /// The candidates for an ambiguous name, the closest first; otherwise empty.
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
    /// Converts any error to a library error.
    /// - Parameter path: the file in which the error occurred.
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
        let words = error.message
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, "the library \(path) is in use by another process")
        case .SQLITE_FULL:
            self.init(.full, "the library \(path) cannot be written: the disk is full")
        // The shared-memory file of the log must grow, even for processes that only read.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
            self.init(.full, "the library \(path) cannot be written: the disk is full")
        // The reason is not ENOSPC.
        case .SQLITE_IOERR where [.SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMOPEN].contains(error.extendedResultCode):
            let limits = "your quota or the largest file size (\"ulimit -f\") is reached"
            self.init(.full, "the library \(path) cannot be written: the disk is full, or \(limits)")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
            self.init(.notWritable, "the library \(path) cannot be written: \(Self.hindrance(path) ?? words)")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.damaged, "the library \(path) is damaged (\(words)): \"earshot doctor\" repairs it")
        default:
            self.init(.inputOutput, "the library \(path): \(words)")
        }
    }

    /// Checks the rights to the file and its folder.
    /// - Returns: the system's reason against writing the file or its folder; `nil` if writing is allowed.
    private static func hindrance(_ path: String) -> String? {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        for place in [path, folder.isEmpty ? "." : folder] where access(place, R_OK | W_OK) != 0 {
            return SystemError.phrase(of: errno)
        }
        return nil
    }

    /// True if the library may be readable although it cannot be written.
    var preventsWriting: Bool { [.full, .notWritable, .inputOutput].contains(kind) }
}
