// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A system call that failed.
public struct SystemError: Error, Sendable, Equatable {
    /// The call's own name.
    public let operation: String
    public let code: CInt

    /// The call that failed last in this thread.
    public init(_ operation: String) { self.init(operation, code: errno) }

    public init(_ operation: String, code: CInt) {
        self.operation = operation
        self.code = code
    }

    /// The name of an open file is gone, or is another file's.
    public static let removed = SystemError("lstat", code: ENOENT)
    /// Bytes that were written are not in the file any more.
    public static let shortened = SystemError("fstat", code: ENODATA)

    /// The system would take what is in front of it for the path.
    public static let nulInPath = SystemError("open", code: EINVAL)

    /// Whether there is no room, or none for this user or a file of this length: more may be made.
    public var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

    /// What it means to a listener while bytes of an open file are read or written.
    public var whileTransferring: MediaFailure {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: MediaFailure(.inputOutput, "the disk is full")
        case EROFS: MediaFailure(.inputOutput, "the disk can only be read")
        case ENOENT: MediaFailure(.inputOutput, "its file was removed by another program")
        case ENODATA: MediaFailure(.inputOutput, "its file was cut short by another program")
        default: MediaFailure(.inputOutput, "the disk answered an error (\(phrase))")
        }
    }

    /// What it means when a file or directory was to be made at `path`.
    public func whileCreating(_ path: String) -> MediaFailure {
        switch code {
        case ENOSPC, EDQUOT: whileTransferring
        default: MediaFailure(.cannotCreate, "cannot make \(path): \(phrase)")
        }
    }

    /// What it means when an existing file was to be opened.
    public var whileOpening: MediaFailure {
        switch code {
        case ENOENT, ENOTDIR: MediaFailure(.missing, "there is no such file")
        case EACCES, EPERM: MediaFailure(.forbidden, "permission is denied")
        case ELOOP, ENAMETOOLONG: MediaFailure(.missing, phrase)
        default: MediaFailure(.inputOutput, phrase)
        }
    }

    /// The system's own words, without its capital letter.
    public var phrase: String {
        if self == Self.nulInPath { return "the path contains a NUL character" }
        guard let words = strerror(code).map({ String(cString: $0) }), let first = words.first else {
            return "error \(code)"
        }
        return first.lowercased() + words.dropFirst()
    }
}
