// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A failed system call.
public struct SystemError: Error, Sendable, Equatable {
    /// The name of the system call.
    public let operation: String
    public let code: CInt

    /// Creates the error of the call that failed last in this thread, from `errno`.
    public init(_ operation: String) { self.init(operation, code: errno) }

    public init(_ operation: String, code: CInt) {
        self.operation = operation
        self.code = code
    }

    /// An open file lost its name, or the name now belongs to another file.
    public static let removed = SystemError("lstat", code: ENOENT)
    /// Bytes that were written are no longer in the file.
    public static let shortened = SystemError("fstat", code: ENODATA)

    /// The path contains a NUL; the system would use only the part before it.
    public static let nulInPath = SystemError("open", code: EINVAL)

    /// True if the disk is full, or a quota or the maximum file length is reached; space may become available later.
    public var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

    /// True if the disk is full or read-only, or this user may not write there.
    public var preventsWriting: Bool { isFull || isDenied || code == EROFS }

    /// True if this user lacks a permission.
    public var isDenied: Bool { [EACCES, EPERM].contains(code) }

    /// The failure for the listener while bytes of an open file are read or written.
    public var whileTransferring: MediaFailure {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: MediaFailure(.inputOutput, phrase)
        case EROFS: MediaFailure(.inputOutput, "the file system is read-only")
        case ENOENT: MediaFailure(.inputOutput, "another program removed the file")
        case ENODATA: MediaFailure(.inputOutput, "another program truncated the file")
        default: MediaFailure(.inputOutput, "the disk reported an error (\(phrase))")
        }
    }

    /// Returns the failure for the listener when a file or directory could not be created at `path`.
    public func whileCreating(_ path: String) -> MediaFailure { whileChangingFolder("create \(path)") }

    /// Returns the failure for the listener when a file could not be created, renamed or removed.
    /// - Parameter change: The verb and its object, for example "remove" and a path.
    public func whileChangingFolder(_ change: String) -> MediaFailure {
        switch code {
        case ENOSPC, EDQUOT: whileTransferring
        default: MediaFailure(.cannotCreate, "cannot \(change): \(phrase)")
        }
    }

    /// The failure for the listener when an existing file could not be opened.
    public var whileOpening: MediaFailure {
        switch code {
        case ENOENT, ENOTDIR: MediaFailure(.missing, "no such file")
        case EACCES, EPERM: MediaFailure(.forbidden, "permission denied")
        case EISDIR: MediaFailure(.badData, "is a directory")
        case ELOOP, ENAMETOOLONG: MediaFailure(.missing, phrase)
        default: MediaFailure(.inputOutput, phrase)
        }
    }

    /// The description of the error, with a lowercase first letter.
    public var phrase: String {
        if self == Self.nulInPath { return "the path contains a NUL character" }
        return Self.phrase(of: code)
    }

    /// Returns the description of a value of `errno`, with a lowercase first letter: for a lack of space Earshot's own,
    /// otherwise the system's.
    public static func phrase(of code: CInt) -> String {
        switch code {
        case ENOSPC: "the disk is full"
        case EDQUOT: "your disk quota is used up"
        case EFBIG: "the file has reached the largest size that its file system or \"ulimit -f\" allows"
        default: systemPhrase(of: code)
        }
    }

    private static func systemPhrase(of code: CInt) -> String {
        var text = [CChar](repeating: 0, count: 128)
        // An unknown number has a description too, although the call then fails.
        _ = strerror_r(code, &text, text.count)
        let words = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return words.prefix(1).lowercased() + words.dropFirst()
    }
}
